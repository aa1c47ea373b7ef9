package correction

// Ring is the ranks 0 to Size-1 in a circle, or in a chain that begins with the root.
type Ring struct {
	Size int
	// Chain says that the circle is open: the root and the rank before it are no
	// neighbours, and nothing is sent across.
	Chain bool
	Root  int // where a chain begins, and where ranks are counted from
}

// left is the rank d places to the left, 0 <= d <= Size.
func (r *Ring) left(rank, d int) int {
	if rank -= d; rank < 0 {
		rank += r.Size
	}
	return rank
}

// right is the rank d places to the right, 0 <= d <= Size.
func (r *Ring) right(rank, d int) int {
	if rank += d; rank >= r.Size {
		rank -= r.Size
	}
	return rank
}

// distance is how many places one goes from one rank to the right to reach the other.
func (r *Ring) distance(from, to int) int {
	if to -= from; to < 0 {
		to += r.Size
	}
	return to
}

// room is how many ranks there are to the left and to the right of a rank, itself not
// counted.
func (r *Ring) room(rank int) (left, right int) {
	if !r.Chain {
		return r.Size - 1, r.Size - 1
	}
	left = r.distance(r.Root, rank)
	return left, r.Size - 1 - left
}

// before reports whether one comes to the first rank earlier than to the second, going right
// from the root.
func (r *Ring) before(rank, other int) bool {
	return r.distance(r.Root, rank) < r.distance(r.Root, other)
}
