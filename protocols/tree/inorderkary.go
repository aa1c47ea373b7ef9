package tree

// inOrderKary has the shape of the interleaved k-ary tree and its order of sending, and so its
// latency, but is numbered depth first (Corrected Trees, figure 3, left). Its arity is at least
// 2; a chain has only one numbering.
type inOrderKary struct {
	kary
	whole block
	full  []int // ranks of a tree of that many full levels
}

// block is the shape of a subtree: that many full levels, and that many ranks on the one
// level below them.
type block struct{ levels, last int }

func newInOrderKary(shape kary) *inOrderKary {
	last := shape.level(shape.Ranks - 1)
	t := &inOrderKary{kary: shape, whole: block{last.depth, shape.Ranks - last.start}, full: []int{0}}
	for level := range last.depth {
		t.full = append(t.full, 1+shape.Arity*t.full[level])
	}
	return t
}

// Child adds up the subtrees of the children before.
func (t *inOrderKary) Child(rank, i int) (int, bool) {
	b := t.find(rank).block
	if i >= t.Arity || b.levels == 0 {
		return 0, false
	}
	s := t.split(b)
	return rank + s.start(i), s.child(i) != block{}
}

// Parent is the last rank before this one on the way down.
func (t *inOrderKary) Parent(rank int) (int, bool) { return t.find(rank).parent, rank != 0 }

// Depth is the length of the way down.
func (t *inOrderKary) Depth(rank int) int { return t.find(rank).depth }

// karySpot is what the way from the root to a rank tells about the rank.
type karySpot struct {
	block
	depth, parent int
}

// find goes down to a rank, one level a step.
func (t *inOrderKary) find(rank int) karySpot {
	spot := karySpot{block: t.whole}
	for here := 0; here < rank; spot.depth++ {
		s := t.split(spot.block)
		i := s.branch(rank - here)
		spot.block, spot.parent = s.child(i), here
		here += s.start(i)
	}
	return spot
}

// split is a block without its root: the subtrees of the children. The interleaved tree
// hands the ranks of its last level to the children of each rank in turn, so that the
// first ones have one rank more than the others.
type split struct {
	smaller block // what every child has
	size    int   // and its number of ranks
	larger  int   // how many children have one more
}

func (t *inOrderKary) split(b block) split {
	smaller := block{b.levels - 1, b.last / t.Arity}
	return split{smaller, t.full[b.levels-1] + smaller.last, b.last % t.Arity}
}

// child is the subtree of the i-th child.
func (s split) child(i int) block {
	if i < s.larger {
		return block{s.smaller.levels, s.smaller.last + 1}
	}
	return s.smaller
}

// start is how far the i-th child is from its parent.
func (s split) start(i int) int { return 1 + i*s.size + min(i, s.larger) }

// branch is the child in whose subtree the rank stands that is so far from the parent.
func (s split) branch(distance int) int {
	inLarger := s.larger * (s.size + 1)
	if distance <= inLarger {
		return (distance - 1) / (s.size + 1)
	}
	return s.larger + (distance-1-inLarger)/s.size
}
