package ulfm

import (
	"slices"
	"unique"
)

// process is a rank of the machine in one of its lives: one that has failed and was started anew
// is another process.
type process struct {
	rank, life int
}

// group says which process each member of a communicator is.
//
// A million ranks would not have room for a list of a million members each. What a group is made
// of is shared by all who have it.
type group struct {
	base *roster // nil: all ranks of the machine from 0 to size-1, in their first lives
	size int     // of the base
	out  numbers // ascending places in the base of those who are no members
	// shared keeps out the same for all ranks of a process that have worked it out.
	shared unique.Handle[numbers]
}

// roster is a list of processes, no two of one rank.
type roster struct {
	ranks  numbers // of the machine, in the order of members
	lives  numbers // "": all in their first
	sorted bool    // the ranks are ascending
	places []int   // in the order of ranks, if they are not; made when it is needed
}

func newRoster(ranks, lives numbers) *roster {
	r := &roster{ranks: ranks, lives: lives, sorted: true}
	for i := 1; i < ranks.len() && r.sorted; i++ {
		r.sorted = ranks.at(i-1) < ranks.at(i)
	}
	return r
}

// place finds a rank of the machine.
func (r *roster) place(machineRank int) (int, bool) {
	if r.sorted {
		return r.ranks.search(machineRank)
	}
	if r.places == nil {
		r.places = make([]int, r.ranks.len())
		for i := range r.places {
			r.places[i] = i
		}
		slices.SortFunc(r.places, func(a, b int) int { return r.ranks.at(a) - r.ranks.at(b) })
	}
	i, found := slices.BinarySearchFunc(r.places, machineRank, func(place, rank int) int { return r.ranks.at(place) - rank })
	if !found {
		return 0, false
	}
	return r.places[i], true
}

func wholeGroup(size int) group { return group{size: size} }

// groupOf has these processes as its members, in this order.
func groupOf(ranks, lives numbers) group {
	return group{base: newRoster(ranks, lives), size: ranks.len()}
}

// len is the number of members.
func (g *group) len() int { return g.size - g.out.len() }

// index is where in the base a member is. The i-th that is out has out[i]-i members before it.
func (g *group) index(member int) int {
	if g.out == "" {
		return member
	}
	low, high := 0, g.out.len()
	for low < high {
		if i := (low + high) / 2; g.out.at(i)-i <= member {
			low = i + 1
		} else {
			high = i
		}
	}
	return member + low
}

// machineRank translates the number of a member.
func (g *group) machineRank(member int) int {
	if g.base == nil {
		return g.index(member)
	}
	return g.base.ranks.at(g.index(member))
}

// process is who a member is.
func (g *group) process(member int) process {
	if g.base == nil {
		return process{rank: g.index(member)}
	}
	i := g.index(member)
	p := process{rank: g.base.ranks.at(i)}
	if g.base.lives != "" {
		p.life = g.base.lives.at(i)
	}
	return p
}

// member translates a rank of the machine; ok is false if it is not a member.
func (g *group) member(machineRank int) (member int, ok bool) {
	index := machineRank
	if g.base != nil {
		if index, ok = g.base.place(machineRank); !ok {
			return 0, false
		}
	}
	if index < 0 || index >= g.size {
		return 0, false
	}
	if g.out == "" {
		return index, true
	}
	before, isOut := g.out.search(index)
	return index - before, !isOut
}

// memberOf finds a process.
func (g *group) memberOf(p process) (member int, ok bool) {
	if member, ok = g.member(p.rank); ok {
		ok = g.process(member) == p
	}
	return member, ok
}

// without returns the group without some members, given in ascending order.
func (g *group) without(members numbers) group {
	smaller := *g
	if members == "" {
		return smaller
	}
	if g.out == "" {
		smaller.out = members
		return smaller
	}
	out := make([]int, members.len())
	for i := range out {
		out[i] = g.index(members.at(i))
	}
	smaller.shared = unique.Make(g.out.union(listed(out)))
	smaller.out = smaller.shared.Value()
	return smaller
}

// machineRanks translates the numbers of members.
func (g *group) machineRanks(members numbers) numbers {
	if g.base == nil && g.out == "" {
		return members
	}
	ranks, _ := g.lists(members.slice())
	return ranks
}

// lists names the processes of some members, in the order given.
func (g *group) lists(members []int) (ranks, lives numbers) {
	listRanks, listLives := make([]int, len(members)), make([]int, len(members))
	later := false
	for i, member := range members {
		p := g.process(member)
		listRanks[i], listLives[i] = p.rank, p.life
		later = later || p.life > 0
	}
	if later {
		lives = listed(listLives)
	}
	return listed(listRanks), lives
}

// only returns the group of these members, in the order given.
func (g *group) only(members []int) group { return groupOf(g.lists(members)) }

// listAll names the processes of all members, in their order.
func (g *group) listAll() (ranks, lives numbers) {
	members := make([]int, g.len())
	for member := range members {
		members[member] = member
	}
	if ranks, lives = g.lists(members); lives == "" {
		lives = listed(make([]int, len(members)))
	}
	return ranks, lives
}
