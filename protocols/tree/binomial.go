package tree

import "math/bits"

// Binomial is the interleaved binomial tree: rank r sends to r + 2^i for every power of
// two above r, nearest first (Corrected Trees, section 3.2.2).
type Binomial struct{ Ranks int }

// Size is the number of ranks.
func (t Binomial) Size() int { return t.Ranks }

// Child returns rank plus the i-th power of two above it.
func (t Binomial) Child(rank, i int) (int, bool) {
	exponent := bits.Len(uint(rank)) + i
	if exponent >= bits.Len(uint(t.Ranks)) {
		return 0, false
	}
	child := rank + 1<<exponent
	return child, child < t.Ranks
}

// Parent clears the highest bit.
func (t Binomial) Parent(rank int) (int, bool) {
	if rank == 0 {
		return 0, false
	}
	return rank &^ (1 << (bits.Len(uint(rank)) - 1)), true
}

// String names the tree.
func (t Binomial) String() string { return "binomial" }
