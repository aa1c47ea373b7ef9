package membership

import "math/bits"

// Radix is the shape of the tree before anything has failed: rank 0 is the root, and the ranks
// of a level are numbered from left to right, level after level. The number of children is a
// power of two, so that every question below is answered with a few shifts.
type Radix struct {
	// Bits is how many bits tell one child from the others: 1 for two children, 2 for four.
	Bits int
}

// Children is how many each rank has at most.
func (r Radix) Children() int { return 1 << r.Bits }

// Level is how far a rank is from the root.
func (r Radix) Level(rank int) int {
	return (bits.Len64(uint64(r.Children()-1)*uint64(rank)+1) - 1) / r.Bits
}

// Height is the number of levels of a tree of so many ranks.
func (r Radix) Height(ranks int) int {
	if ranks < 1 {
		return 0
	}
	return r.Level(ranks-1) + 1
}

// Parent is who a rank hangs below. The root has none, and must not ask.
func (r Radix) Parent(rank int) int { return (rank - 1) >> r.Bits }

// Child is the rank's i-th child, counted from 0.
func (r Radix) Child(rank, i int) int { return rank<<r.Bits + 1 + i }
