package tree

import (
	"math/bits"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// NewBinomial returns the binomial tree in either numbering.
func NewBinomial(ranks int, n Numbering) (Tree, error) {
	var bad problems.List
	checkRanks(&bad, ranks)
	checkNumbering(&bad, n)
	if err := bad.Err("tree"); err != nil {
		return nil, err
	}
	if n == InOrder {
		return InOrderBinomial{Binomial{ranks}}, nil
	}
	return Binomial{Ranks: ranks}, nil
}

// Binomial is the interleaved binomial tree: rank r sends to r + 2^i for every power of
// two above r, nearest first (Corrected Trees, section 3.2.2).
type Binomial struct{ Ranks int }

// Size is the number of ranks.
func (t Binomial) Size() int { return t.Ranks }

// Root is rank 0.
func (t Binomial) Root() int { return 0 }

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

// Latency follows from binary numbers: on the way to a rank of n bits, every one-bit is a
// message, every zero-bit a message to somebody else that had to be sent before. So the
// last rank is one with as many bits, and as many ones among them (or, should the gap be
// longer than a delivery, zeroes), as there are below Ranks.
func (t Binomial) Latency(p clock.LogP) clock.Time {
	last := uint(t.Ranks - 1)
	latest := t.reached(last, p)
	for i := range bits.Len(last) {
		if last>>i&1 == 1 {
			latest = max(latest, t.reached(last>>i<<i-1, p), t.reached(1<<i, p))
		}
	}
	return latest
}

// reached is when a rank has received the message.
func (t Binomial) reached(rank uint, p clock.LogP) clock.Time {
	ones := clock.Time(bits.OnesCount(rank))
	zeroes := clock.Time(bits.Len(rank)) - ones
	return ones*p.Delivery() + zeroes*p.Costs().Spacing
}
