package correction

// ring is the ranks 0 to size-1 in a circle.
type ring struct{ size int }

// left is the rank d places to the left, 0 <= d <= size.
func (r ring) left(rank, d int) int {
	if rank -= d; rank < 0 {
		rank += r.size
	}
	return rank
}

// right is the rank d places to the right, 0 <= d <= size.
func (r ring) right(rank, d int) int {
	if rank += d; rank >= r.size {
		rank -= r.size
	}
	return rank
}

// distance is how many places one goes from one rank to the right to reach the other.
func (r ring) distance(from, to int) int {
	if to -= from; to < 0 {
		to += r.size
	}
	return to
}
