package membership

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/text"
)

// Group is what every rank knows without a message: how many ranks there are, who is a member
// at the start, and the shape of the tree.
type Group struct {
	Radix
	Ranks   int // all that there may ever be
	Members int // at the start: ranks 0 to Members-1
}

// View is who is a member: the group, which everybody shares, and what has changed since.
//
// As a tree: a rank hangs below the nearest member above it in the radix tree. So the children
// of one that has failed go to its parent, and those of the root, which has none, to the next
// root, the member with the lowest number. Whoever comes back has its old place again.
type View struct {
	*Group
	Changes Changes
}

// Has reports whether a rank is a member.
func (v View) Has(rank int) bool {
	return v.Group.has(rank, v.Changes.Number(rank))
}

// has decides about a rank that has left or come so often.
func (g *Group) has(rank, number int) bool {
	return rank >= 0 && rank < g.Ranks && (rank < g.Members) == (number%2 == 0)
}

// Root is the member with the lowest number, or -1 if there is none.
func (v View) Root() int { return v.next(0) }

// next is the first member from a rank on, or -1.
func (v View) next(rank int) int {
	for i := v.Changes.search(rank); rank < v.Members || i < v.Changes.Len(); rank++ {
		other, number := v.Changes.atOrEnd(i)
		if other == rank {
			i++
		} else {
			number = 0
		}
		if v.Group.has(rank, number) {
			return rank
		}
	}
	return -1
}

// After is the next member in the list, which begins again at its end. It is the rank itself if
// there is no other.
func (v View) After(rank int) int {
	if next := v.next(rank + 1); next >= 0 {
		return next
	}
	if first := v.next(0); first >= 0 {
		return first
	}
	return rank // nobody is left, not even this one
}

// Parent is the nearest member above a rank; for ranks that have none above them it is the
// root, and -1 for the root itself.
func (v View) Parent(rank int) int {
	for above := rank; above > 0; {
		above = v.Radix.Parent(above)
		if v.Has(above) {
			return above
		}
	}
	if root := v.Root(); root != rank {
		return root
	}
	return -1
}

// Children appends the children of a member, ordered by their place in the tree. If rank 0 is no
// member, those below it who have no other member above them are children of the root.
func (v View) Children(rank int, all []int) []int {
	if rank == v.Root() && rank != 0 {
		all = slices.DeleteFunc(v.below(0, all), func(child int) bool { return child == rank })
	}
	return v.below(rank, all)
}

// below appends the nearest members below a rank.
func (v View) below(rank int, all []int) []int {
	for i := range v.Radix.Children() {
		switch child := v.Child(rank, i); {
		case child >= v.Ranks:
			return all
		case v.Has(child):
			all = append(all, child)
		default:
			all = v.below(child, all)
		}
	}
	return all
}

// Size is the number of members.
func (v View) Size() int { return v.Place(v.Ranks) }

// Height is the number of levels of the tree. It looks at all members.
func (v View) Height() (height int) {
	for rank := v.Root(); rank >= 0; rank = v.next(rank + 1) {
		height = max(height, 1+v.depth(rank))
	}
	return height
}

// depth is how many members stand above one.
func (v View) depth(rank int) (depth int) {
	for rank = v.Parent(rank); rank >= 0; rank = v.Parent(rank) {
		depth++
	}
	return depth
}

// Place is how many members come before a rank in the list of all. It is the rank's index in
// the array by which members address each other.
func (v View) Place(rank int) int {
	place := min(rank, v.Members)
	for i := range v.Changes.Len() {
		other, number := v.Changes.At(i)
		switch {
		case other >= rank:
			return place
		case number%2 == 0:
		case other < v.Members:
			place--
		default:
			place++
		}
	}
	return place
}

// Member is the rank at a place of that list. The place must be one of 0 to Size()-1.
func (v View) Member(place int) int {
	return sort.Search(v.Ranks-1, func(rank int) bool { return v.Place(rank+1) > place })
}

// String lists the members in ranges, as in "0-3+5-7 (7 members, 1 change)".
func (v View) String() string {
	var list []string
	for rank := v.Root(); rank >= 0; {
		last := rank
		next := v.next(last + 1)
		for next == last+1 {
			last, next = next, v.next(next+1)
		}
		if list = append(list, fmt.Sprint(rank)); last > rank {
			list[len(list)-1] = fmt.Sprintf("%d-%d", rank, last)
		}
		rank = next
	}
	return fmt.Sprintf("%s (%s, %s)", strings.Join(list, "+"), text.Count(v.Size(), "member"), text.Count(v.Changes.Total(), "change"))
}
