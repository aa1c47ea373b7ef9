package ulfm

import (
	"fmt"
	"slices"
)

// Group is an ordered list of processes, to be asked who is where, or to make a communicator of. All operations on groups are local, and no
// two processes of one are the same. A rank that was started anew is another process than before.
type Group struct {
	list []process
	own  process // the caller
}

// Group is the group of all members, in their order.
func (c *Comm) Group() Group {
	g := Group{make([]process, c.Size()), process{c.r.Rank(), c.r.Life()}}
	for member := range g.list {
		g.list[member] = c.group.process(member)
	}
	return g
}

// Group is that of this rank's own side, RemoteGroup that of the other one.
func (i *Intercomm) Group() Group { return i.groupOf(i.second()) }

// RemoteGroup is the group of the other side; see Group.
func (i *Intercomm) RemoteGroup() Group { return i.groupOf(!i.second()) }

func (i *Intercomm) groupOf(second bool) Group {
	g := i.c.Group()
	if second {
		g.list = g.list[i.first:]
	} else {
		g.list = g.list[:i.first]
	}
	return g
}

// Size is the number of processes.
func (g Group) Size() int { return len(g.list) }

// Rank is the number of the calling rank in the group, Undefined if it is not in it.
func (g Group) Rank() int { return slices.Index(g.list, g.own) } // -1 is Undefined

// MachineRanks are the ranks of the machine that the processes are, in their order.
func (g Group) MachineRanks() []int {
	ranks := make([]int, len(g.list))
	for i, p := range g.list {
		ranks[i] = p.rank
	}
	return ranks
}

// Incl is the group of the processes with these numbers, in the order given.
func (g Group) Incl(ranks ...int) Group {
	g.check("Incl", ranks)
	some := Group{own: g.own}
	for _, rank := range ranks {
		some.list = append(some.list, g.list[rank])
	}
	return some
}

// Excl is the group without the processes with these numbers.
func (g Group) Excl(ranks ...int) Group {
	g.check("Excl", ranks)
	out := make(map[process]int, len(ranks))
	for _, rank := range ranks {
		out[g.list[rank]] = rank
	}
	return g.where(func(p process) bool { return !has(out, p) })
}

// check panics on numbers that nobody has, and on those given twice: mistakes in the program.
func (g Group) check(call string, ranks []int) {
	seen := make(map[int]bool, len(ranks))
	for _, rank := range ranks {
		if rank < 0 || rank >= len(g.list) {
			panic(fmt.Sprintf("ulfm: %s of rank %d of a group, want 0 to %d", call, rank, len(g.list)-1))
		}
		if seen[rank] {
			panic(fmt.Sprintf("ulfm: %s of ranks %v of a group, want each once", call, ranks))
		}
		seen[rank] = true
	}
}

// places says where each process is. Who looks for many of them in a large group needs it.
func (g Group) places() map[process]int {
	places := make(map[process]int, len(g.list))
	for i, p := range g.list {
		places[p] = i
	}
	return places
}

func has(places map[process]int, p process) bool {
	_, in := places[p]
	return in
}

func (g Group) where(holds func(process) bool) Group {
	some := Group{own: g.own}
	for _, p := range g.list {
		if holds(p) {
			some.list = append(some.list, p)
		}
	}
	return some
}

// Union has all processes of the group, then those of the other that are not in it.
func (g Group) Union(other Group) Group {
	return Group{slices.Concat(g.list, other.Difference(g).list), g.own}
}

// Intersection has the processes of the group that are in the other, too.
func (g Group) Intersection(other Group) Group {
	in := other.places()
	return g.where(func(p process) bool { return has(in, p) })
}

// Difference has the processes of the group that are not in the other.
func (g Group) Difference(other Group) Group {
	in := other.places()
	return g.where(func(p process) bool { return !has(in, p) })
}

// TranslateRanks says which numbers processes of the group have in the other: Undefined for those who are not in it, and None for None.
func (g Group) TranslateRanks(ranks []int, other Group) []int {
	translated, places := make([]int, len(ranks)), other.places()
	for i, rank := range ranks {
		if rank == None {
			translated[i] = None
			continue
		}
		g.check("TranslateRanks", []int{rank})
		translated[i] = Undefined
		if place, in := places[g.list[rank]]; in {
			translated[i] = place
		}
	}
	return translated
}

// Comparison is what Compare says of two groups or communicators.
type Comparison uint8

const (
	Ident     Comparison = iota // the same communicator, or the same processes in the same order
	Congruent                   // other communicators with the same members in the same order
	Similar                     // the same processes in another order
	Unequal                     // other processes
)

// String is the name of it.
func (c Comparison) String() string {
	return [...]string{"ident", "congruent", "similar", "unequal"}[c]
}

// Compare compares the processes of two groups: Ident, Similar or Unequal.
func (g Group) Compare(other Group) Comparison {
	switch {
	case slices.Equal(g.list, other.list):
		return Ident
	case len(g.list) == len(other.list) && g.Difference(other).Size() == 0:
		return Similar
	}
	return Unequal
}

// Compare compares two communicators: Ident if they are the same one, Congruent if only their members and the order of these are.
func (c *Comm) Compare(other *Comm) Comparison {
	same := c.Group().Compare(other.Group())
	if same == Ident && c.id != other.id {
		return Congruent
	}
	return same
}
