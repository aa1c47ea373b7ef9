package membership_test

import (
	"encoding/binary"
	"maps"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// numbers is what Changes are about: how often each rank has left or come, if at all.
type numbers map[int]int

// anyNumbers draws few ranks, so that two of them often have some in common.
func anyNumbers(t *rapid.T, name string) numbers {
	return rapid.MapOfN(rapid.IntRange(0, 7), rapid.IntRange(1, 4), 0, 8).Draw(t, name)
}

// changes puts the numbers together, one rank after the other, in any order.
func (n numbers) changes(t *rapid.T) (c membership.Changes) {
	for _, rank := range rapid.Permutation(slices.Sorted(maps.Keys(n))).Draw(t, "order") {
		c = c.With(rank, n[rank])
	}
	return c
}

// anyChanges draws changes.
func anyChanges(t *rapid.T, name string) membership.Changes { return anyNumbers(t, name).changes(t) }

// numbersOf reads changes.
func numbersOf(c membership.Changes) numbers {
	n := numbers{}
	for i := range c.Len() {
		rank, number := c.At(i)
		n[rank] = number
	}
	return n
}

// higher is the higher number of each rank.
func (n numbers) higher(other numbers) numbers {
	all := maps.Clone(n)
	for rank, number := range other {
		all[rank] = max(all[rank], number)
	}
	return all
}

func TestChangesAreReadAsTheyWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNumbers(t, "numbers")
		c := n.changes(t)
		require.Equal(t, n, numbersOf(c))
		require.Equal(t, len(n), c.Len())
		total := 0
		for rank := -1; rank < 10; rank++ {
			require.Equal(t, n[rank], c.Number(rank), "rank %d", rank)
			total += n[rank]
		}
		require.Equal(t, total, c.Total())
	})
}

func TestNothingHasHappenedAtTheStart(t *testing.T) {
	var c membership.Changes
	require.Zero(t, c.Len())
	require.Zero(t, c.Total())
	require.Zero(t, c.Number(3))
	require.Empty(t, c.With(3, 0), "a rank that has neither left nor come is not mentioned")
}

// A number is never taken back: the lower one is older news.
func TestWithKeepsTheHigherNumber(t *testing.T) {
	c := membership.Changes("").With(5, 2).With(1, 1)
	require.Equal(t, numbers{1: 1, 5: 3}, numbersOf(c.With(5, 3)))
	require.Equal(t, c, c.With(5, 1))
	require.Equal(t, numbers{1: 1, 5: 2}, numbersOf(c), "c itself stays as it is")
}

// Ranks compare views by their text, so there must be one text only: the ranks that have
// changed, ascending, each with its number.
func TestEqualChangesHaveEqualText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNumbers(t, "numbers")
		var text []byte
		for _, rank := range slices.Sorted(maps.Keys(n)) {
			text = binary.BigEndian.AppendUint32(text, uint32(rank))
			text = binary.BigEndian.AppendUint32(text, uint32(n[rank]))
		}
		require.Equal(t, membership.Changes(text), n.changes(t))
		require.Equal(t, n.changes(t), n.changes(t).With(3, n[3]).Merge(n.changes(t)))
		require.Equal(t, n.changes(t).Digest(), n.changes(t).Digest())
	})
}

func TestDigestTellsChangesApart(t *testing.T) {
	seen := make(map[uint32]bool)
	for rank := range 100 {
		for number := 1; number <= 100; number++ {
			seen[membership.Changes("").With(rank, number).Digest()] = true
		}
	}
	require.Len(t, seen, 100*100)
}

func TestMergeKeepsTheHigherNumberOfEachRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyNumbers(t, "a"), anyNumbers(t, "b")
		require.Equal(t, a.higher(b), numbersOf(a.changes(t).Merge(b.changes(t))))
	})
}

// In whatever order news come, and however often, everybody arrives at the same.
func TestMergeDoesNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyChanges(t, "a"), anyChanges(t, "b"), anyChanges(t, "c")
		require.Equal(t, a.Merge(b), b.Merge(a))
		require.Equal(t, a.Merge(b).Merge(c), a.Merge(b.Merge(c)))
		require.Equal(t, a, a.Merge(a))
		require.Equal(t, a.Merge(b), a.Merge(b).Merge(b))
	})
}

// Otherwise the views of many ranks would take memory each.
func TestMergeSharesWhatKnowsEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyChanges(t, "a").With(2, 1) // text of length 0 is nowhere
		all := a.Merge(anyChanges(t, "b")).With(9, 1)
		require.Same(t, text(all), text(all.Merge(a)))
		require.Same(t, text(all), text(a.Merge(all)))
		require.Same(t, text(all), text(all.Merge("")))
		require.Same(t, text(all), text(membership.Changes("").Merge(all)))
	})
}

// text is where the text of changes is.
func text(c membership.Changes) *byte { return unsafe.StringData(string(c)) }

func TestIncludesIsAPartialOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyChanges(t, "a"), anyChanges(t, "b"), anyChanges(t, "c")
		require.True(t, a.Includes(a))
		require.True(t, a.Includes(""))
		require.Equal(t, a == b, a.Includes(b) && b.Includes(a))
		require.Equal(t, a == a.Merge(b), a.Includes(b), "what is included adds nothing")
		for _, chain := range [][3]membership.Changes{{a, b, c}, {a.Merge(b).Merge(c), b.Merge(c), c}} {
			if chain[0].Includes(chain[1]) && chain[1].Includes(chain[2]) {
				require.True(t, chain[0].Includes(chain[2]))
			}
		}
	})
	left, back := membership.Changes("").With(4, 1), membership.Changes("").With(4, 2)
	require.True(t, back.Includes(left))
	require.False(t, left.Includes(back))
	require.False(t, back.Includes(left.With(5, 1)))
}

func TestBeyondIsWhatTheOtherLacks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, other := anyNumbers(t, "c"), anyNumbers(t, "other")
		lacks := numbers{}
		for rank, number := range c {
			if number > other[rank] {
				lacks[rank] = number
			}
		}
		beyond := c.changes(t).Beyond(other.changes(t))
		require.Equal(t, lacks, numbersOf(beyond))
		require.True(t, beyond.Merge(other.changes(t)).Includes(c.changes(t)))
		require.Empty(t, c.changes(t).Beyond(c.changes(t)))
	})
}
