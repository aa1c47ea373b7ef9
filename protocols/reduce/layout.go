package reduce

// layout says which rank stands where: in which group, in which subtree, and in charge of
// which ranks. Members are numbered from 0 in the order of their ranks, leaving out the
// root; member m belongs to group m/width and subtree m%width.
//
// Invariants:
//  1. in every subtree, the ranges that its ranks are in charge of follow each other, in the
//     order of groups, from rank 0 to the last, without gap or overlap;
//  2. every member is in charge of itself, so it sends its value to all subtrees but its own.
type layout struct {
	ranks, root int
	width       int // how many subtrees there are, and members in a full group
	groups      int // how many full groups there are
	rest        int // how many members are left for a short last group, below width
}

// newLayout makes one subtree more than ranks may fail, unless there are too few members.
func newLayout(ranks, root, redundancy int) layout {
	l := layout{ranks: ranks, root: root}
	members := ranks - 1
	if members == 0 {
		return l
	}
	l.width = members
	if redundancy < members {
		l.width = redundancy + 1
	}
	l.groups, l.rest = members/l.width, members%l.width
	return l
}

// rank returns the rank of a member.
func (l *layout) rank(member int) int {
	if member < l.root {
		return member
	}
	return member + 1
}

// member returns the number of a member. The root counts with the member before it, or with
// the first one.
func (l *layout) member(rank int) int {
	if rank < l.root || rank == 0 {
		return rank
	}
	return rank - 1
}

// place returns the group and the subtree of a member.
func (l *layout) place(rank int) (group, subtree int) {
	member := l.member(rank)
	return member / l.width, member % l.width
}

// at is the inverse of place.
func (l *layout) at(group, subtree int) int { return l.rank(group*l.width + subtree) }

// size is how many groups have a member in the subtree.
func (l *layout) size(subtree int) int {
	if subtree < l.rest {
		return l.groups + 1
	}
	return l.groups
}

// inCharge returns the rank that is in charge of a rank in the subtree.
func (l *layout) inCharge(rank, subtree int) int {
	group := l.member(rank) / l.width
	return l.at(min(group, l.size(subtree)-1), subtree)
}

// charges returns the range of ranks, high excluded, that a member is in charge of.
func (l *layout) charges(rank int) (low, high int) {
	group, subtree := l.place(rank)
	high = l.ranks
	if group > 0 {
		low = l.at(group, 0)
	}
	if group+1 < l.size(subtree) {
		high = l.at(group+1, 0)
	}
	return low, high
}
