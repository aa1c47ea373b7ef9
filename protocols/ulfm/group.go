package ulfm

import (
	"slices"
	"sort"
)

// group says which rank of the machine each member of a communicator is. Members are numbered
// from 0, in the order of their ranks on the machine.
//
// A million ranks would not have room for a list of a million members each. What a group is made
// of is shared by all; a rank's own is only who has left since.
type group struct {
	base []int // ascending ranks of the machine; nil: all, from 0 to size-1
	size int   // of the base
	out  []int // ascending indices of the base that are no members
}

func wholeGroup(size int) group { return group{size: size} }

// len is the number of members.
func (g group) len() int { return g.size - len(g.out) }

// index is where in the base a member is. The i-th that is out has out[i]-i members before it.
func (g group) index(member int) int {
	return member + sort.Search(len(g.out), func(i int) bool { return g.out[i]-i > member })
}

// machineRank translates the number of a member.
func (g group) machineRank(member int) int {
	if g.base == nil {
		return g.index(member)
	}
	return g.base[g.index(member)]
}

// member translates a rank of the machine; ok is false if it is not a member.
func (g group) member(machineRank int) (member int, ok bool) {
	index := machineRank
	if g.base != nil {
		if index, ok = slices.BinarySearch(g.base, machineRank); !ok {
			return 0, false
		}
	}
	before, isOut := slices.BinarySearch(g.out, index)
	return index - before, !isOut && 0 <= index && index < g.size
}

// without returns the group without some members, given in ascending order.
func (g group) without(members []int) group {
	out := slices.Clone(g.out)
	for _, m := range members {
		out = append(out, g.index(m))
	}
	slices.Sort(out)
	g.out = out
	return g
}

// only returns the group of these members, given in ascending order.
func (g group) only(members []int) group {
	base := make([]int, len(members))
	for i, m := range members {
		base[i] = g.machineRank(m)
	}
	return group{base: base, size: len(base)}
}
