package tree

import (
	"math/bits"

	"github.com/mangrove-emu/mangrove/clock"
)

// InOrderBinomial is the binomial tree as MPI libraries number it: rank r sends to r + 2^i
// for every power of two below its lowest one-bit, farthest first (Corrected Trees, figure
// 4, left). Ranks from Size on do not exist and cost their would-be senders no time.
type InOrderBinomial struct{ Binomial }

// Child passes over the powers of two that lead beyond the last rank.
func (t InOrderBinomial) Child(rank, i int) (int, bool) {
	exponent := t.children(rank) - 1 - i
	if exponent < 0 {
		return 0, false
	}
	return rank + 1<<exponent, true
}

// children counts the powers of two below the lowest one-bit of rank (the root has it
// above all others) that do not lead beyond the last rank.
func (t InOrderBinomial) children(rank int) int {
	beyond := bits.Len(uint(t.Ranks - 1 - rank))
	if rank == 0 {
		return beyond
	}
	return min(bits.TrailingZeros(uint(rank)), beyond)
}

// Parent clears the lowest one-bit.
func (t InOrderBinomial) Parent(rank int) (int, bool) { return rank & (rank - 1), rank != 0 }

// Subtree is the range up to the next rank that has the lowest one-bit of this one, or a
// higher one, set.
func (t InOrderBinomial) Subtree(rank int) int {
	if rank == 0 {
		return t.Ranks
	}
	return min(rank&-rank, t.Ranks-rank)
}

// Shape is the greatest depth, which is the largest number of one-bits of a rank, and the largest number of children, which the root has.
func (t InOrderBinomial) Shape() (height, degree int) {
	return maxDigitSum(t.Ranks-1, 2), t.children(0)
}

// Latency goes down the edge of the tree, from each rank to its first child. All other
// children on that edge have full binomial trees.
func (t InOrderBinomial) Latency(p clock.LogP) clock.Time {
	var latest, reached clock.Time
	for left := t.Ranks; left > 1; {
		children := bits.Len(uint(left - 1))
		if children > 1 {
			latest = max(latest, reached+p.Costs().Spacing+fullBinomial(children-1, p))
		}
		left -= 1 << (children - 1)
		reached += p.Delivery()
		latest = max(latest, reached)
	}
	return latest
}

// fullBinomial is the latency of the tree of 2^height ranks, height > 0: the last to hear
// is either the one with the most messages on its way or the one that waited for the most
// messages to others.
func fullBinomial(height int, p clock.LogP) clock.Time {
	h := clock.Time(height)
	return p.Delivery() + (h-1)*max(p.Delivery(), p.Costs().Spacing)
}
