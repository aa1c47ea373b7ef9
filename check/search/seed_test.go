package search

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// A seed means the same schedules in every version, so that what was found once is found again.
func TestASeedDrawsTheSameSchedulesForEver(t *testing.T) {
	s := spread(t, 9, tree.Interleaved, correction.Checked{})
	r, err := newRunner(s)
	require.NoError(t, err)
	_, _, err = r.judge(t.Context(), r.tracing, nil)
	require.NoError(t, err)
	d := newDrawer(&r.report, s, FuzzOptions{Faults: 4, Kinds: []faults.Kind{faults.Crash, faults.Hang, faults.Slow, faults.Rejoin, faults.Cut}})
	var drawn []string
	for seed := range uint64(24) {
		drawn = append(drawn, d.schedule(rand.New(rand.NewPCG(seed, 0))).String())
	}
	require.Equal(t, []string{
		"crash:6@send5,crash:2@t3,crash:6@send8",
		"hang:4@recv2,rejoin:4@t21,rejoin:4@t19",
		"cut:0-1+3+5-8|*@t4,slow:6x8@t17,cut:1-3+5-6|*@t4",
		"hang:1@step:coloured,cut:1-5+7-8|*@t2,slow:2x2@step:correction,cut:0+2-8|*@t7",
		"hang:4@step:correction,hang:8@step:coloured,cut:5|*@t1,rejoin:4@t14",
		"hang:1@before-send2,hang:3@send10,slow:4x2@before-send9,hang:5@send2",
		"crash:5@t12",
		"crash:4@recv3,crash:2@recv5",
		"crash:7@after-send4,cut:8|*@t5",
		"crash:5@recv5,rejoin:5@t14,crash:4@t6,crash:4@recv5",
		"crash:6@before-send2,crash:1@t6",
		"hang:1@after-send7",
		"crash:3@t18,crash:7@send2,rejoin:3@t20",
		"hang:5@send3,rejoin:5@t19,hang:3@before-send9",
		"hang:7@after-send9",
		"cut:6|*@t21,cut:0+3|*@t18,slow:6x7@recv4,slow:8x10@step:coloured",
		"hang:6@step:correction",
		"crash:8@step:coloured,cut:7|*@t6,cut:0-5+7-8|*@t13,crash:1@after-send4",
		"hang:5@after-send2,slow:5x9@after-send9",
		"slow:4x6@send2",
		"cut:6|*@t3,slow:2x8@t4,crash:2@send4",
		"cut:2-5|*@t2",
		"cut:0+2-3+5|*@t14,cut:2-4|*@t0",
		"hang:7@send4",
	}, drawn)
}
