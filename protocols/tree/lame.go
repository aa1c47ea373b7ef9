package tree

import "github.com/mangrove-emu/mangrove/clock"

// NewLame returns the Lamé tree of order k, T_t = T_(t-1) • T_(t-k), in either numbering
// (Corrected Trees, section 3.2.2). Order 1 is the binomial tree; order k is optimal on
// machines with o = 1 and 2o+L = k.
func NewLame(ranks, order int, n Numbering) (Tree, error) {
	var bad problems
	bad.ranks(ranks)
	bad.within("Lamé order", order, 1, int(clock.MaxCost))
	bad.numbering(n)
	if err := bad.err(); err != nil {
		return nil, err
	}
	return numbered(newGrowth("lame", ranks, 1, clock.Time(order)), n), nil
}

// numbered puts ranks into a shape.
func numbered(g *growth, n Numbering) Tree {
	if n == InOrder {
		return newInOrderGrown(g)
	}
	return newGrown(g)
}
