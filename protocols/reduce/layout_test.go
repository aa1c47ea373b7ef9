package reduce

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// layouts calls do with every layout of up to so many ranks and up to 6 redundant ones.
func layouts(t *testing.T, ranks int, do func(l *layout)) {
	t.Helper()
	for p := 1; p <= ranks; p++ {
		for root := range p {
			for f := range 7 {
				l := newLayout(p, root, f)
				do(&l)
			}
		}
	}
}

func TestRangesOfASubtreeFollowEachOther(t *testing.T) {
	layouts(t, 24, func(l *layout) {
		for subtree := range l.width {
			next := 0
			for group := range l.size(subtree) {
				rank := l.at(group, subtree)
				low, high := l.charges(rank)
				require.Equal(t, next, low, "%+v, rank %d", l, rank)
				require.True(t, low <= rank && rank < high, "%+v: rank %d is not in charge of itself", l, rank)
				for charge := low; charge < high; charge++ {
					require.Equal(t, rank, l.inCharge(charge, subtree), "%+v: in charge of %d in %d", l, charge, subtree)
				}
				next = high
			}
			require.Equal(t, l.ranks, next, "%+v, subtree %d", l, subtree)
		}
	})
}

func TestEveryMemberHasOnePlace(t *testing.T) {
	layouts(t, 24, func(l *layout) {
		members := 0
		for subtree := range l.width {
			members += l.size(subtree)
		}
		require.Equal(t, l.ranks-1, members, "%+v", l)
		for rank := range l.ranks {
			if rank != l.root {
				group, subtree := l.place(rank)
				require.Equal(t, rank, l.at(group, subtree), "%+v", l)
				require.Less(t, group, l.size(subtree), "%+v", l)
			}
		}
	})
}

// The case that needs thought: 8 members in groups of 3 leave 2 for a short group, so that
// the last subtree has no member of it.
func TestShortGroupFallsToTheRankBeforeWhereItHasNoMember(t *testing.T) {
	l := newLayout(9, 4, 2)
	require.Equal(t, layout{ranks: 9, root: 4, width: 3, groups: 2, rest: 2}, l)
	tests := []struct{ rank, group, subtree, low, high int }{
		{0, 0, 0, 0, 3}, {1, 0, 1, 0, 3}, {2, 0, 2, 0, 3},
		{3, 1, 0, 3, 7}, {5, 1, 1, 3, 7}, {6, 1, 2, 3, 9},
		{7, 2, 0, 7, 9}, {8, 2, 1, 7, 9},
	}
	for _, tt := range tests {
		group, subtree := l.place(tt.rank)
		low, high := l.charges(tt.rank)
		require.Equal(t, []int{tt.group, tt.subtree, tt.low, tt.high}, []int{group, subtree, low, high}, "rank %d", tt.rank)
	}
	require.Equal(t, []int{3, 5, 6}, []int{l.inCharge(4, 0), l.inCharge(4, 1), l.inCharge(4, 2)}, "of the root")
	require.Equal(t, []int{7, 8, 6}, []int{l.inCharge(8, 0), l.inCharge(8, 1), l.inCharge(8, 2)}, "of the last rank")
}

// The deadline of the exchange allows for this many values at one rank.
func TestNobodyGetsMoreValuesThanTheDeadlineAllowsFor(t *testing.T) {
	layouts(t, 24, func(l *layout) {
		for rank := range l.ranks {
			if rank != l.root {
				low, high := l.charges(rank)
				require.LessOrEqual(t, high-low-1, l.width+l.rest, "%+v, rank %d", l, rank)
			}
		}
	})
}
