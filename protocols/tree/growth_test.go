package tree_test

import (
	"container/heap"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// message is one that its sender could send next.
type message struct {
	delivered clock.Time
	sender    int
}

// messages is a heap, first delivery first, then lower sender.
type messages []message

func (m messages) Len() int { return len(m) }
func (m messages) Less(i, j int) bool {
	return m[i].delivered < m[j].delivered || m[i].delivered == m[j].delivered && m[i].sender < m[j].sender
}
func (m messages) Swap(i, j int) { m[i], m[j] = m[j], m[i] }
func (m *messages) Push(x any)   { *m = append(*m, x.(message)) }
func (m *messages) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}

// greedy gives the next rank to the message delivered first, one rank at a time, and
// returns everybody's children and when the last rank is reached.
func greedy(ranks int, step, delay clock.Time) (children [][]int, last clock.Time) {
	next := messages{{delay, 0}}
	children = make([][]int, ranks)
	for rank := 1; rank < ranks; rank++ {
		first := next[0]
		children[first.sender] = append(children[first.sender], rank)
		last = first.delivered
		next[0].delivered += step
		heap.Fix(&next, 0)
		heap.Push(&next, message{last + delay, rank})
	}
	return children, last
}

func requireGreedy(t *testing.T, built tree.Tree, step, delay clock.Time) {
	t.Helper()
	want, _ := greedy(built.Size(), step, delay)
	for rank := range want {
		require.Equal(t, want[rank], children(built, rank), "step %d, delay %d, P=%d: children of %d",
			step, delay, built.Size(), rank)
	}
}

var sizes = []int{1, 2, 3, 5, 8, 20, 77, 128, 250, 500}

func TestLameTreesGrowGreedily(t *testing.T) {
	for _, order := range []int{1, 2, 3, 4, 7, 20, 499, 600} {
		for _, ranks := range sizes {
			requireGreedy(t, lame(order).of(t, ranks, tree.Interleaved), 1, clock.Time(order))
		}
	}
}

func TestOptimalTreesGrowGreedily(t *testing.T) {
	for _, p := range machines() {
		for _, ranks := range sizes {
			requireGreedy(t, optimal(p).of(t, ranks, tree.Interleaved), p.Costs().Spacing, p.Delivery())
		}
	}
}

// machines have costs in all proportions.
func machines() []clock.LogP {
	all := []clock.LogP{
		{Latency: 1, Overhead: 100}, {Latency: 97, Overhead: 10}, {Latency: 1000, Overhead: 1},
		{Latency: 1 << 40, Overhead: 1}, {Latency: 1, Overhead: 1 << 40}, {Latency: 1 << 40, Overhead: 1<<40 - 1},
		{Latency: 2, Overhead: 1, Gap: 4}, {Latency: 2, Overhead: 1, Gap: 5}, {Latency: 2, Overhead: 1, Gap: 11},
		{Latency: 1, Overhead: 1, Gap: 100}, {Latency: 1, Overhead: 1, Gap: 1 << 40},
	}
	for l := clock.Time(1); l <= 5; l++ {
		for o := clock.Time(1); o <= 5; o++ {
			all = append(all, clock.LogP{Latency: l, Overhead: o})
		}
	}
	return all
}

// leastLatencies is, for each number of ranks up to limit, the least time in which any
// schedule can reach them: at t there can be those that the root reaches when it starts a
// step late, and those reached from its first child.
func leastLatencies(limit int, step, delay clock.Time) []clock.Time {
	reached := map[clock.Time]int{}
	var by func(t clock.Time) int
	by = func(t clock.Time) int {
		if t < delay {
			return 1
		}
		if _, ok := reached[t]; !ok {
			reached[t] = by(t-step) + by(t-delay)
		}
		return reached[t]
	}
	least := make([]clock.Time, limit+1)
	for ranks, t := 2, clock.Time(0); ranks <= limit; ranks++ {
		for by(t) < ranks {
			t++
		}
		least[ranks] = t
	}
	return least
}

func TestOptimalTreesHaveTheLeastLatency(t *testing.T) {
	for l := clock.Time(1); l <= 5; l++ {
		for o := clock.Time(1); o <= 5; o++ {
			for _, gap := range []clock.Time{0, 13} {
				p := clock.LogP{Latency: l, Overhead: o, Gap: gap}
				least := leastLatencies(500, p.Costs().Spacing, p.Delivery())
				for ranks := 1; ranks <= 500; ranks++ {
					for _, n := range tree.Numberings() {
						got := tree.Latency(optimal(p).of(t, ranks, n), p)
						if got != least[ranks] {
							require.Equal(t, least[ranks], got, "%+v, P=%d %v", p, ranks, n)
						}
					}
				}
			}
		}
	}
}

func TestNoTreeBeatsTheOptimalOne(t *testing.T) {
	for _, p := range machines() {
		for _, ranks := range sizes {
			least := tree.Latency(optimal(p).of(t, ranks, tree.Interleaved), p)
			for _, s := range shapes() {
				for _, n := range tree.Numberings() {
					require.LessOrEqual(t, least, tree.Latency(s.of(t, ranks, n), p), "%s %v on %+v", s.name, n, p)
				}
			}
		}
	}
}

// The root sends to everybody, or everybody to one other, or instants are far apart. Going
// through all instants would take for ever.
func TestExtremeCostsTakeNoLonger(t *testing.T) {
	ranks := 1 << 17
	if thorough.All() {
		ranks = 1 << 20
	}
	for _, p := range []clock.LogP{
		{Latency: 1 << 40, Overhead: 1}, {Latency: 1, Overhead: 1 << 40}, {Latency: 1 << 40, Overhead: 1<<40 - 1},
		{Latency: 1 << 20, Overhead: 3}, {Latency: 1, Overhead: 1, Gap: 1 << 40}, {Latency: 1 << 40, Overhead: 1 << 40, Gap: 1 << 40},
	} {
		for _, n := range tree.Numberings() {
			t.Run(fmt.Sprintf("L=%d o=%d g=%d %v", p.Latency, p.Overhead, p.Gap, n), func(t *testing.T) {
				built := optimal(p).of(t, ranks, n)
				_, least := greedy(1000, p.Costs().Spacing, p.Delivery())
				require.GreaterOrEqual(t, tree.Latency(built, p), least)
				everybody := 1
				for rank := range ranks {
					everybody += len(children(built, rank))
				}
				require.Equal(t, ranks, everybody)
				for _, rank := range []int{1, ranks / 2, ranks/2 + 1, ranks - 1} {
					requireChildOfItsParent(t, built, rank)
				}
			})
		}
	}
}

func requireChildOfItsParent(t *testing.T, built tree.Tree, rank int) {
	t.Helper()
	parent, ok := built.Parent(rank)
	require.True(t, ok)
	require.True(t, slices.Contains(children(built, parent), rank), "%d is not a child of %d", rank, parent)
}
