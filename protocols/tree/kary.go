package tree

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// NewKary returns the k-ary tree in either numbering; arity 1 is a chain.
func NewKary(ranks, arity int, n Numbering) (Tree, error) {
	var bad problems.List
	checkRanks(&bad, ranks)
	checkWithin(&bad, "arity", arity, 1, clock.MaxRanks)
	checkNumbering(&bad, n)
	if n == InOrder && arity > 1 {
		checkListed(&bad, ranks)
	}
	if err := bad.Err("tree"); err != nil {
		return nil, err
	}
	interleaved := kary{Ranks: ranks, Arity: arity}
	if n == InOrder && arity > 1 {
		return interleaved.inOrder(), nil
	}
	return interleaved, nil // a chain is the same in both
}

// inOrder has the same shape and order of sending, numbered depth first (Corrected Trees, figure 3,
// left).
func (t kary) inOrder() Tree {
	parents := make([]int32, t.Ranks)
	for rank := range parents {
		parent, _ := t.Parent(rank)
		parents[rank] = int32(parent)
	}
	return newListed(t.String(), depthFirst(parents, false), false)
}

// kary is the interleaved k-ary tree: rank r on level l sends to r + i*k^l for 0 < i <= k,
// nearest first (Corrected Trees, section 3.2.1; some printings have i < k, which would
// leave ranks out). Level l is the k^l ranks from 1 + k + ... + k^(l-1) on.
type kary struct {
	Ranks int
	Arity int // k, at least 1
}

func (t kary) Size() int      { return t.Ranks }
func (t kary) Root() int      { return 0 }
func (t kary) String() string { return "kary" }

// Child returns the i-th rank of the next level in steps as wide as this level.
func (t kary) Child(rank, i int) (int, bool) {
	l := t.level(rank)
	if i >= t.Arity || l.width >= t.Ranks {
		return 0, false
	}
	child := rank + (i+1)*l.width
	return child, child < t.Ranks
}

// Parent stands at rank's place modulo the width of its own level.
func (t kary) Parent(rank int) (int, bool) {
	if rank == 0 {
		return 0, false
	}
	l := t.level(rank)
	width := l.width / t.Arity
	return l.start - width + (rank-l.start)%width, true
}

// Latency: the place of a rank in level l, written with l digits in base k, has the number
// of siblings served before in one digit for each message on the way. So the last to hear
// is the rank of the last full level with the largest sum of digits, or that of the last
// level.
func (t kary) Latency(p clock.LogP) clock.Time {
	delivery, spacing := p.Delivery(), p.Costs().Spacing
	last := t.level(t.Ranks - 1)
	depth := clock.Time(last.depth)
	above := (depth - 1) * (delivery + clock.Time(t.Arity-1)*spacing)
	waits := maxDigitSum(t.Ranks-1-last.start, t.Arity)
	return max(above, depth*delivery+clock.Time(waits)*spacing)
}

// maxDigitSum is the largest sum of base-k digits of any number up to last: that of last,
// or of a number with one digit less by one and the largest digits after it.
func maxDigitSum(last, k int) int {
	best, tail := 0, 0
	for ; last > 0; last /= k {
		digit := last % k
		best += digit
		if digit > 0 {
			best = max(best, digit-1+tail)
		}
		tail += k - 1
	}
	return best
}

// level is a row of the tree. The level of a rank may be cut off; width is that of the
// full one.
type level struct{ depth, start, width int }

// level finds the row of a rank.
func (t kary) level(rank int) level {
	if t.Arity == 1 {
		return level{rank, rank, 1}
	}
	l := level{0, 0, 1}
	for rank >= l.start+l.width {
		l = level{l.depth + 1, l.start + l.width, l.width * t.Arity}
	}
	return l
}
