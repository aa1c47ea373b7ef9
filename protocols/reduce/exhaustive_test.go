package reduce_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/report"
)

// points lists every point at which a rank of this trial can fail: at every tick until the
// deadline, around and in every send, at every receive and at every step.
func (b *trial) points() []faults.Point {
	var all []faults.Point
	for at := range b.reduce.Deadline() + 2 {
		all = append(all, faults.OnTime(at))
	}
	for n := 1; n <= b.width(); n++ {
		all = append(all, faults.BeforeNthSend(n), faults.DuringNthSend(n), faults.AfterNthSend(n))
	}
	for n := 1; n <= b.logp.Ranks; n++ {
		all = append(all, faults.OnNthRecv(n))
	}
	return append(all, faults.OnStep(reduce.StepExchanged, 1), faults.OnStep(reduce.StepReduced, 1))
}

// failures lists every way in which a rank can fail; without -thorough a sample of these, another one for the
// rank beside it, so that each kind of point is there.
func (b *trial) failures(rank int) []faults.Fault {
	var all []faults.Fault
	for i, at := range b.points() {
		if (i+rank)%thorough.Stride(9) != 0 {
			continue
		}
		all = append(all, faults.Fault{Kind: faults.Crash, Rank: rank, At: at}, faults.Fault{Kind: faults.Hang, Rank: rank, At: at})
	}
	return all
}

var (
	plain  = clock.LogP{Latency: 2, Overhead: 1}
	coarse = clock.LogP{Latency: 1, Overhead: 3}         // a failure can hit the middle of a send
	gapped = clock.LogP{Latency: 2, Overhead: 1, Gap: 3} // a port is busy after its message is through
)

// someRoots are in front, in the middle and at the end.
func someRoots(ranks int) []int {
	return slices.Compact([]int{0, ranks / 2, ranks - 1})
}

// Every single failure, of every rank, at every point, in both ways.
func TestNoSingleFailureAtAnyPointDoesHarm(t *testing.T) {
	t.Parallel()
	for _, logp := range []clock.LogP{plain, coarse, gapped} {
		for f := 1; f <= 2; f++ {
			for logp.Ranks = 2; logp.Ranks <= 8; logp.Ranks++ {
				for _, root := range someRoots(logp.Ranks) {
					newTrial(t, logp, reduce.Options{Root: root, Redundancy: f}).singles(t)
				}
			}
		}
	}
}

// Machines whose groups, short ones and trees are larger, in other shapes.
func TestNoSingleFailureDoesHarmInOtherShapes(t *testing.T) {
	t.Parallel()
	for _, shape := range shapes {
		for f, ranks := range []int{1: 12, 2: 12, 3: 12} {
			if f > 0 {
				logp := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
				newTrial(t, logp, reduce.Options{Root: 6, Redundancy: f, Tree: shape}).singles(t)
			}
		}
	}
}

// singles runs and checks every single failure.
func (b *trial) singles(t *testing.T) {
	for rank := range b.logp.Ranks {
		if rank == b.options.Root {
			continue
		}
		for _, failure := range b.failures(rank) {
			b.run(t, faults.Schedule{failure})
			b.check(t)
		}
	}
}

// Every pair of failures on the smallest machines: without a group of mates to spare, with
// one full group, and with a short one.
func TestNoTwoFailuresAtAnyPointsDoHarm(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ ranks, root int }{{3, 0}, {4, 0}, {4, 1}, {5, 2}} {
		logp := clock.LogP{Ranks: tt.ranks, Latency: 1, Overhead: 1}
		b := newTrial(t, logp, reduce.Options{Root: tt.root, Redundancy: 2})
		b.pairs(func(pair faults.Schedule) {
			b.run(t, pair)
			b.check(t)
		})
	}
}

// A sample of one pair in 50 on larger machines; all of them would take minutes.
func TestNoTwoFailuresOfASampleDoHarm(t *testing.T) {
	t.Parallel()
	const seed = 1
	random := rand.New(rand.NewPCG(seed, 0))
	for ranks := 6; ranks <= 9; ranks++ {
		logp := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
		b := newTrial(t, logp, reduce.Options{Root: ranks % 4, Redundancy: 2})
		b.pairs(func(pair faults.Schedule) {
			if random.IntN(50) == 0 {
				b.run(t, pair)
				b.check(t)
			}
		})
	}
}

// pairs calls do with every pair of failures of two ranks.
func (b *trial) pairs(do func(pair faults.Schedule)) {
	for first := range b.logp.Ranks {
		for second := range first {
			if first == b.options.Root || second == b.options.Root {
				continue
			}
			for _, one := range b.failures(first) {
				for _, other := range b.failures(second) {
					do(faults.Schedule{one, other})
				}
			}
		}
	}
}

// What the program does in a run lies within the points that the tests above go through.
func TestPointsCoverWhatRanksDo(t *testing.T) {
	logp := clock.LogP{Ranks: 9, Latency: 2, Overhead: 1}
	b := newTrial(t, logp, reduce.Options{Redundancy: 2})
	sends, takes, steps := make([]int, 9), make([]int, 9), map[string]int{}
	for _, e := range b.trace(t, nil) {
		switch e.Kind {
		case report.EventSend:
			sends[e.Rank]++
		case report.EventTake:
			takes[e.Rank]++
		case report.EventStep:
			steps[e.Step]++
		}
	}
	require.Equal(t, slices.Repeat([]int{b.width()}, 9), sends)
	require.LessOrEqual(t, slices.Max(takes), logp.Ranks)
	require.Equal(t, map[string]int{reduce.StepExchanged: 9, reduce.StepReduced: 9}, steps)
}
