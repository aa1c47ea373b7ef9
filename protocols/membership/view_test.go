package membership_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// table is a tree as the thesis keeps it: everybody's parent and children, written down.
type table struct {
	members  []int // the linear list
	root     int
	parent   map[int]int
	children map[int][]int
}

// newTable writes down the tree of so many ranks before anything has failed.
func newTable(ranks, width int) *table {
	g := grow(ranks, width)
	tt := &table{parent: make(map[int]int), children: make(map[int][]int)}
	for rank := range ranks {
		tt.members = append(tt.members, rank)
		tt.parent[rank], tt.children[rank] = g.parent[rank], g.children[rank]
	}
	return tt
}

// fail is section 3.1.3 of the thesis, step by step, and 3.1.5 if the root is the one.
func (tt *table) fail(failed int) {
	tt.members = slices.DeleteFunc(tt.members, func(rank int) bool { return rank == failed })
	parent := tt.parent[failed]
	if failed == tt.root {
		parent = tt.promote()
	} else {
		tt.remove(failed, parent)
	}
	for _, child := range tt.children[failed] {
		if child != parent {
			tt.parent[child] = parent
			tt.children[parent] = append(tt.children[parent], child)
		}
	}
	delete(tt.parent, failed)
	delete(tt.children, failed)
}

// remove takes a rank from the children of its parent.
func (tt *table) remove(rank, parent int) {
	tt.children[parent] = slices.DeleteFunc(slices.Clone(tt.children[parent]), func(child int) bool { return child == rank })
}

// promote makes the next one in the list the root, in the place of the one that has failed.
func (tt *table) promote() int {
	tt.root = -1
	if len(tt.members) > 0 {
		tt.root = tt.members[0]
		tt.remove(tt.root, tt.parent[tt.root])
		tt.parent[tt.root] = -1
	}
	return tt.root
}

// anyView draws a view after any number of failures and joins.
func anyView(t *rapid.T) membership.View {
	ranks := draw.Number(t, "ranks", 1, 60)
	group := &membership.Group{
		Radix:   membership.Radix{Bits: rapid.IntRange(1, 3).Draw(t, "bits")},
		Ranks:   ranks,
		Members: draw.Number(t, "members", 1, ranks),
	}
	return membership.View{Group: group, Changes: anyHistory(t, ranks)}
}

// anyHistory draws how often ranks have left and come.
func anyHistory(t *rapid.T, ranks int) (c membership.Changes) {
	for _, rank := range draw.Some(t, "changed", ranks, ranks) {
		c = c.With(rank, rapid.IntRange(1, 3).Draw(t, "number"))
	}
	return c
}

// membersOf lists who is a member by the definition: those at the start, until they leave, and
// those who have come.
func membersOf(v membership.View) (members []int) {
	for rank := range v.Ranks {
		if is := rank < v.Members; is == (v.Changes.Number(rank)%2 == 0) {
			members = append(members, rank)
		}
	}
	return members
}

// requireTree compares a view with what is written down.
func requireTree(t require.TestingT, want *table, v membership.View) {
	require.Equal(t, want.root, v.Root())
	for _, rank := range want.members {
		require.Equal(t, want.parent[rank], v.Parent(rank), "parent of %d in %v", rank, v)
		require.ElementsMatch(t, want.children[rank], v.Children(rank, nil), "children of %d in %v", rank, v)
	}
}

// The thesis recalculates the tree with each failure. The order has no influence, and the view
// can be told from who is left.
func TestViewIsWhatOneFailureAfterTheOtherLeaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyView(t)
		members := membersOf(v)
		tree := newTable(v.Ranks, v.Radix.Children())
		for _, rank := range rapid.Permutation(slices.Clone(tree.members)).Draw(t, "order") {
			if !slices.Contains(members, rank) {
				tree.fail(rank)
			}
		}
		require.ElementsMatch(t, members, tree.members, "the model itself")
		requireTree(t, tree, v)
	})
}

func TestEveryMemberIsReachedOnceFromTheRoot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyView(t)
		members := membersOf(v)
		if len(members) == 0 {
			require.Equal(t, -1, v.Root())
			return
		}
		require.Equal(t, members[0], v.Root())
		require.Equal(t, -1, v.Parent(v.Root()))
		reached, depth := []int{v.Root()}, map[int]int{v.Root(): 1}
		for i := 0; i < len(reached); i++ {
			for _, child := range v.Children(reached[i], nil) {
				require.Equal(t, reached[i], v.Parent(child), "parent of %d in %v", child, v)
				depth[child] = depth[reached[i]] + 1
				reached = append(reached, child)
			}
		}
		require.ElementsMatch(t, members, reached, "%v", v)
		require.Equal(t, depth[reached[len(reached)-1]], v.Height(), "%v", v)
	})
}

func TestPlacesNumberTheMembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyView(t)
		members := membersOf(v)
		require.Equal(t, len(members), v.Size())
		require.False(t, v.Has(-1))
		if len(members) == 0 {
			require.Equal(t, 3, v.After(3), "nobody comes after a rank that is left alone")
		}
		for place, rank := range members {
			require.Equal(t, place, v.Place(rank), "place of %d in %v", rank, v)
			require.Equal(t, rank, v.Member(place), "at %d in %v", place, v)
			require.Equal(t, members[(place+1)%len(members)], v.After(rank), "after %d in %v", rank, v)
		}
		for rank := range v.Ranks + 2 {
			require.Equal(t, slices.Contains(members, rank), v.Has(rank), "%d in %v", rank, v)
			before, _ := slices.BinarySearch(members, rank)
			require.Equal(t, before, v.Place(rank), "members before %d in %v", rank, v)
		}
	})
}

// full is a view of ranks that are all members, but for some that have failed.
func full(ranks, children int, failed ...int) membership.View {
	bits := map[int]int{2: 1, 4: 2, 8: 3}[children]
	v := membership.View{Group: &membership.Group{Radix: membership.Radix{Bits: bits}, Ranks: ranks, Members: ranks}}
	return changed(v, failed...)
}

// changed is a view in which some ranks have left or come once more.
func changed(v membership.View, ranks ...int) membership.View {
	for _, rank := range ranks {
		v.Changes = v.Changes.With(rank, v.Changes.Number(rank)+1)
	}
	return v
}

// Figure 3.2 of the thesis: node 4, our rank 3, has failed, and its children go to the root.
func TestChildrenOfTheFailedGoToItsParent(t *testing.T) {
	v := full(21, 4, 3)
	require.Equal(t, []int{1, 2, 13, 14, 15, 16, 4}, v.Children(0, nil), "in the place of rank 3")
	require.Equal(t, 0, v.Parent(13))
	require.Equal(t, []int{9, 10, 11, 12}, v.Children(2, nil), "as before")
	require.Equal(t, []int{42, 9, 10, 11, 12}, v.Children(2, []int{42}), "appended")
}

// Section 3.1.5: the next one in the list becomes the root.
func TestNextInTheListTakesTheRootsPlace(t *testing.T) {
	v := full(7, 2, 0)
	require.Equal(t, 1, v.Root())
	require.Equal(t, []int{2, 3, 4}, v.Children(1, nil), "those of the old root, then its own")
	require.Equal(t, 1, v.Parent(2))
	v = full(7, 2, 0, 1)
	require.Equal(t, 2, v.Root())
	require.Equal(t, []int{3, 4, 5, 6}, v.Children(2, nil))
	v = full(7, 2, 0, 1, 2)
	require.Equal(t, []int{4, 5, 6}, v.Children(3, nil))
	require.Equal(t, 2, v.Height())
}

// Section 3.1.6: a new one is a leaf at the bottom, and in the end the tree is the one of a
// larger group.
func TestNewMembersAreLeavesAtTheBottom(t *testing.T) {
	group := membership.Group{Radix: membership.Radix{Bits: 1}, Ranks: 7, Members: 4}
	v := changed(membership.View{Group: &group}, 4)
	require.Equal(t, 1, v.Parent(4))
	require.Empty(t, v.Children(4, nil))
	require.Equal(t, []int{3, 4}, v.Children(1, nil))
	v = changed(membership.View{Group: &group}, 6)
	require.Equal(t, []int{6}, v.Children(2, nil), "rank 5 may come later")
	v = changed(v, 5, 4)
	for rank := range 7 {
		require.Equal(t, full(7, 2).Children(rank, nil), v.Children(rank, nil))
	}
}

func TestWhoComesBackHasItsOldPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := anyView(t)
		rank := rapid.IntRange(0, before.Ranks-1).Draw(t, "rank")
		after := changed(before, rank, rank)
		require.Equal(t, membersOf(before), membersOf(after))
		for _, rank := range membersOf(before) {
			require.Equal(t, before.Parent(rank), after.Parent(rank))
			require.Equal(t, before.Children(rank, nil), after.Children(rank, nil))
		}
	})
}

func TestViewsListTheirMembersInRanges(t *testing.T) {
	joining := membership.View{Group: &membership.Group{Radix: membership.Radix{Bits: 1}, Ranks: 9, Members: 4}}
	for _, tt := range []struct {
		view membership.View
		want string
	}{
		{full(1, 2), "0 (1 member, 0 changes)"},
		{full(8, 2), "0-7 (8 members, 0 changes)"},
		{full(8, 2, 4), "0-3+5-7 (7 members, 1 change)"},
		{full(8, 2, 0, 2, 4, 7), "1+3+5-6 (4 members, 4 changes)"},
		{full(8, 2, 4, 4), "0-7 (8 members, 2 changes)"},
		{changed(joining, 7), "0-3+7 (5 members, 1 change)"},
		{changed(joining, 4, 0, 8), "1-4+8 (5 members, 3 changes)"},
	} {
		require.Equal(t, tt.want, tt.view.String())
	}
}

// A service of 13 ranks with four children each. When rank 2 fails its children hang below the
// root; when the root fails as well, rank 1 takes its place.
func ExampleView() {
	group := membership.Group{Radix: membership.Radix{Bits: 2}, Ranks: 13, Members: 13}
	view := membership.View{Group: &group}
	for _, failed := range []int{2, 0} {
		view.Changes = view.Changes.With(failed, 1)
		root := view.Root()
		fmt.Println(view)
		fmt.Println("below root", root, "hang", view.Children(root, nil))
		fmt.Println("above rank 9 is", view.Parent(9))
	}
	// Output:
	// 0-1+3-12 (12 members, 1 change)
	// below root 0 hang [1 9 10 11 12 3 4]
	// above rank 9 is 0
	// 1+3-12 (11 members, 2 changes)
	// below root 1 hang [9 10 11 12 3 4 5 6 7 8]
	// above rank 9 is 1
}
