package reduce_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/report"
)

// sum adds up the numbers of all ranks and returns what the root gets, and the report.
func sum(t *testing.T, logp clock.LogP, f int) (reduce.Value, *report.Report) {
	t.Helper()
	r, err := reduce.New(logp, reduce.Options{Redundancy: f, Operation: reduce.Sum})
	require.NoError(t, err)
	machine, err := emu.New(emu.Config{LogP: logp})
	require.NoError(t, err)
	var result reduce.Value
	program := r.Program(
		func(rank int) reduce.Value { return reduce.Value{A: int64(rank)} },
		func(v reduce.Value, complete bool) {
			result = v
			require.True(t, complete)
		},
	)
	rep, err := machine.Run(context.Background(), program, emu.Options{})
	require.NoError(t, err)
	return result, rep
}

func TestLargeMachine(t *testing.T) {
	logp := clock.LogP{Ranks: 1 << 16, Latency: 2, Overhead: 1}
	result, rep := sum(t, logp, 2)
	require.EqualValues(t, 1<<15*(1<<16-1), result.A)
	require.EqualValues(t, 3<<16, rep.Messages)
}

// Full groups in full binomial trees, with the root in front: a delivery and f-1 further
// messages for the exchange, a delivery for each level of the trees, and one to the root.
// Without mates there is no exchange.
func TestLatencyOfFullTrees(t *testing.T) {
	for _, logp := range []clock.LogP{
		{Latency: 2, Overhead: 1}, {Latency: 9, Overhead: 2}, {Latency: 1, Overhead: 5}, {Latency: 4, Overhead: 1, Gap: 3},
	} {
		for f := range 5 {
			for levels := 2; levels < 9; levels++ {
				logp.Ranks = (f+1)<<levels + 1
				_, rep := sum(t, logp, f)
				latency := clock.Time(levels+1) * logp.Delivery()
				if f > 0 {
					latency += logp.Delivery() + clock.Time(f-1)*logp.Costs().Spacing
				}
				require.Equal(t, latency, rep.Ranks[0].Exit, "%+v, f=%d", logp, f)
				for top := 1; top <= f+1; top++ { // all subtrees are equally fast
					require.Equal(t, latency-logp.Delivery()+logp.Overhead, rep.Ranks[top].Exit, "%+v, f=%d", logp, f)
				}
			}
		}
	}
}

// Golden numbers of machines that are not full, with f = 0, 1, 2. Redundancy costs hardly
// any time: the exchange of two mates takes as long as the level that it saves.
func TestLatencyOfOtherTrees(t *testing.T) {
	for ranks, latencies := range map[int][]clock.Time{
		2: {8, 8, 8}, 10: {16, 16, 14}, 100: {29, 29, 29}, 1000: {41, 41, 41},
	} {
		for f, latency := range latencies {
			_, rep := sum(t, clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, f)
			require.Equal(t, latency, rep.Ranks[0].Exit, "P=%d, f=%d", ranks, f)
		}
	}
}
