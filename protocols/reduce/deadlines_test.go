package reduce_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/report"
)

// machines differ in what dominates: latency, overhead, gap, bytes.
var machines = []clock.LogP{
	{Latency: 2, Overhead: 1},
	{Latency: 1, Overhead: 5},
	{Latency: 9, Overhead: 2},
	{Latency: 2, Overhead: 1, Gap: 4},
	{Latency: 1, Overhead: 1, Gap: 50},
	{Latency: 2, Overhead: 1, PerByte: 1},
	{Latency: 3, Overhead: 2, Gap: 7, PerByte: 2},
}

// longestText is enough for the concatenation of all values.
func longestText(ranks int) int { return 3 * ranks }

// everyMachine calls do for all of them, with several sizes, redundancies and shapes.
func everyMachine(do func(logp clock.LogP, options reduce.Options)) {
	for _, logp := range machines {
		for _, logp.Ranks = range []int{2, 3, 4, 7, 8, 12, 17, 34} {
			for f := range 5 {
				for _, shape := range shapes {
					do(logp, reduce.Options{Root: logp.Ranks / 3, Redundancy: f, Tree: shape, Bytes: longestText(logp.Ranks)})
				}
			}
		}
	}
}

// The trace of a run without failures is the same as if there were no deadlines: nobody has
// given up too early, and nobody has waited for an instant.
func TestWithoutFailuresNoDeadlineMatters(t *testing.T) {
	t.Parallel()
	everyMachine(func(logp clock.LogP, options reduce.Options) {
		options.Operation = concatenate
		r, err := reduce.New(logp, options)
		require.NoError(t, err)
		machine, err := emu.New(emu.Config{LogP: logp, Trace: emu.TraceHash, Workers: 1})
		require.NoError(t, err)
		hash := func(r *reduce.Reduce) report.Hash {
			program := r.Program(own, func(_ reduce.Value, complete bool) { require.True(t, complete) })
			rep, err := machine.Run(context.Background(), program, emu.Options{})
			require.NoError(t, err)
			return rep.Hash
		}
		require.Equal(t, hash(r.Patient()), hash(r), "%+v, f=%d", logp, options.Redundancy)
	})
}

// The deadlines suffice also when all that can wait for them does: one subtree is whole and
// all other ranks are silent from the start, or hang in the middle of the exchange.
func TestOneWholeSubtreeIsEnough(t *testing.T) {
	t.Parallel()
	everyMachine(func(logp clock.LogP, options reduce.Options) {
		b := newTrial(t, logp, options)
		for whole := range b.width() {
			for _, at := range []faults.Point{faults.OnTime(0), faults.AfterNthSend(1)} {
				b.run(t, b.allBut(whole, at))
				b.check(t)
				require.True(t, b.complete, "%v", b)
			}
		}
	})
}

// allBut lets all ranks hang but the root and those of one subtree.
func (b *trial) allBut(subtree int, at faults.Point) faults.Schedule {
	var schedule faults.Schedule
	for rank := range b.logp.Ranks {
		if rank != b.options.Root && b.subtree(rank) != subtree {
			schedule = append(schedule, faults.Fault{Kind: faults.Hang, Rank: rank, At: at})
		}
	}
	return schedule
}

// The formulas of the package comment, worked out by hand. 12 members in 3 groups of 4, or
// 14 in 4 groups of 3 and a rest of 2, with binomial trees.
func TestDeadlinesFollowTheFormulas(t *testing.T) {
	tests := []struct {
		logp               clock.LogP
		f, bytes           int
		exchange, deadline clock.Time
	}{
		// height 1, degree 2: step(k) = 3+k; 3*1 + step(6); + step(2) + step(4)
		{clock.LogP{Ranks: 13, Latency: 2, Overhead: 1}, 3, 0, 3 + 9, 12 + 5 + 7},
		// b = 8: step(k) = 11+k; 3*9 + step(6); + step(2) + step(4)
		{clock.LogP{Ranks: 13, Latency: 2, Overhead: 1, PerByte: 2}, 3, 5, 27 + 17, 44 + 13 + 15},
		// height 2, degree 2, or 3 with the rest: step(k) = 3+4k; 2*4 + step(8); + 2 step(3) + step(3)
		{clock.LogP{Ranks: 15, Latency: 2, Overhead: 1, Gap: 4}, 2, 0, 8 + 35, 43 + 30 + 15},
		// one rank waits for nobody, two ranks have one message each
		{clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}, 1, 0, 0, 0},
		{clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}, 1, 0, 4, 4 + 4},
	}
	for _, tt := range tests {
		r, err := reduce.New(tt.logp, reduce.Options{Redundancy: tt.f, Bytes: tt.bytes, Operation: reduce.Sum})
		require.NoError(t, err)
		require.Equal(t, tt.exchange, r.Exchange(), "%+v", tt.logp)
		require.Equal(t, tt.deadline, r.Deadline(), "%+v", tt.logp)
		r.Begin = 1000
		require.Equal(t, 1000+tt.deadline, r.Deadline(), "%+v", tt.logp)
	}
}
