package tree

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// NewOptimal returns the tree of the least latency on a machine, in either numbering: the
// next rank always goes to the message that would be delivered first (Corrected Trees,
// section 3.2.3, after Karp et al.). It has one rank for each of the machine.
//
// The paper gives T_t = T_(t-o) • T_(t-2o-L); with a gap, a rank sends every max(o,g) ticks
// instead. The paper's numbering is for o = 1; here numbers follow the order of delivery
// for any o. If max(o,g) does not divide 2o+L, ranks do not all send at the same instants,
// and large trees miss being interleaved (see Interleaved) where their sends meet.
func NewOptimal(machine clock.LogP, n Numbering) (Tree, error) {
	if err := machine.Validate(); err != nil {
		return nil, err
	}
	var bad problems.List
	checkNumbering(&bad, n)
	checkListed(&bad, machine.Ranks)
	if err := bad.Err("tree"); err != nil {
		return nil, err
	}
	return newGrown("optimal", machine.Ranks, machine.Costs().Spacing, machine.Delivery(), n), nil
}
