package report_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

func TestLiveRanksAreThoseThatHaveNotFailed(t *testing.T) {
	rep := report.Report{Ranks: []report.RankResult{{Outcome: report.Crashed}, {Outcome: report.Finished}, {Outcome: report.Hung}, {Outcome: report.Deadlocked}}}
	require.Equal(t, []int{1, 3}, slices.Collect(rep.Live()))
	for rank := range rep.Live() {
		require.Equal(t, 1, rank, "the first one, and then no more")
		break
	}
}

func TestFiredAreThoseThatAreNotUnfired(t *testing.T) {
	for _, c := range []struct{ faults, unfired, want string }{
		{"none", "none", "none"},
		{"crash:1@t3,slow:2x3@send1,cut:1|*@t9", "none", "crash:1@t3,slow:2x3@send1,cut:1|*@t9"},
		{"crash:1@t3,slow:2x3@send1,cut:1|*@t9", "crash:1@t3,cut:1|*@t9", "slow:2x3@send1"},
		{"crash:1@t3,slow:2x3@send1,cut:1|*@t9", "slow:2x3@send1", "crash:1@t3,cut:1|*@t9"},
		{"crash:1@t3", "crash:1@t3", "none"},
	} {
		rep := report.Report{Faults: faults.MustParse(c.faults), Unfired: faults.MustParse(c.unfired)}
		var fired faults.Schedule
		for f := range rep.Fired() {
			fired = append(fired, *f)
		}
		require.Equal(t, c.want, fired.String(), c)
		for f := range rep.Fired() {
			require.Equal(t, fired[0], *f, "the first one, and then no more")
			break
		}
	}
}
