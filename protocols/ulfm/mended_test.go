package ulfm

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// sequential is the tree as Open MPI mends it: those who have failed are taken out one after the other. Children of an inner one take
// its place; of a root, its first child does, and the others come to that one.
type sequential struct {
	above    map[int]int
	children map[int][]int
	root     int
}

func newSequential(size int) *sequential {
	s := &sequential{above: make(map[int]int), children: make(map[int][]int)}
	for member := 1; member < size; member++ {
		s.above[member] = (member - 1) / 2
		s.children[(member-1)/2] = append(s.children[(member-1)/2], member)
	}
	return s
}

func (s *sequential) remove(member int) {
	orphans := s.children[member]
	delete(s.children, member)
	if member != s.root {
		above := s.above[member]
		at := slices.Index(s.children[above], member)
		s.children[above] = slices.Replace(s.children[above], at, at+1, orphans...)
		for _, orphan := range orphans {
			s.above[orphan] = above
		}
		return
	}
	s.root = slices.Min(orphans)
	delete(s.above, s.root)
	others := slices.DeleteFunc(slices.Clone(orphans), func(m int) bool { return m == s.root })
	s.children[s.root] = append(others, s.children[s.root]...)
	for _, orphan := range others {
		s.above[orphan] = s.root
	}
}

// What is known of failures says who is above whom, in whatever order they are taken out.
func TestTheMendedTreeIsThatOfOpenMPI(t *testing.T) {
	for _, size := range []int{1, 2, 5, 8, 13} {
		for out := range 1 << size {
			var failed []int
			for member := range size {
				if out&(1<<member) != 0 {
					failed = append(failed, member)
				}
			}
			if len(failed) == size || len(failed) > 4 {
				continue
			}
			requireMended(t, size, failed)
			slices.Reverse(failed)
			requireMended(t, size, failed)
		}
	}
}

func requireMended(t *testing.T, size int, failed []int) {
	want := newSequential(size)
	r := &rank{}
	for _, member := range failed {
		want.remove(member)
		r.told = append(r.told, toldFailure{process: process{rank: member}})
	}
	for me := range size {
		if slices.Contains(failed, me) {
			continue
		}
		tree := mended{&Comm{r: r, group: wholeGroup(size), me: me}}
		above, ok := want.above[me]
		if !ok {
			above = me
		}
		require.Equal(t, above, tree.above(), "of %d members %v have failed: who is above %d", size, failed, me)
		require.ElementsMatch(t, want.children[me], tree.below(), "of %d members %v have failed: who is below %d", size, failed, me)
	}
}
