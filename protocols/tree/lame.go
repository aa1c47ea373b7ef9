package tree

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// NewLame returns the Lamé tree of order k, T_t = T_(t-1) • T_(t-k), in either numbering
// (Corrected Trees, section 3.2.2). Order 1 is the binomial tree; order k is optimal on
// machines with o = 1 and 2o+L = k.
func NewLame(ranks, order int, n Numbering) (Tree, error) {
	var bad problems.List
	checkRanks(&bad, ranks)
	checkWithin(&bad, "Lamé order", order, 1, int(clock.MaxCost))
	checkNumbering(&bad, n)
	checkListed(&bad, ranks)
	if err := bad.Err("tree"); err != nil {
		return nil, err
	}
	return newGrown("lame", ranks, 1, clock.Time(order), n), nil
}
