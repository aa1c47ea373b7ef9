package tuning

import (
	"math"
	"sort"
)

// Ring is what gossip leaves behind: ranks on a ring, each of which is a g-node with the
// same chance (Corrected Gossip, section III-A1). A gap is a run of ranks between two
// g-nodes that are not coloured.
type Ring struct {
	ranks   int     // N
	reached float64 // q, the chance that a rank is a g-node; above 0, for the root is one
	missed  float64 // 1-q, kept apart for its precision near 0
}

// Nodes is the expected number of g-nodes, c(T+L+o).
func (r Ring) Nodes() float64 { return r.reached * float64(r.ranks) }

// GapBound is the smallest number of ranks, at most N-1, such that the chance of a longer
// gap is below delta, the paper's K-bar.
func (r Ring) GapBound(delta float64) int {
	return sort.Search(r.ranks-1, func(gap int) bool { return r.GapTail(gap) < delta })
}

// GapTail is the chance that the longest gap has more than that many ranks.
//
// A rank starts a gap of exactly i ranks with chance p(i) = q²(1-q)^i, some rank does with
// chance alpha_i = 1-(1-p(i))^N, and the longest gap has K ranks with chance p_K = alpha_K
// times all 1-alpha_i with i > K (equation 2). The sum of p_i over all i > K telescopes: it
// is 1 minus the product of 1-alpha_i over the same i.
//
// Equation 2 gives no chance to a ring without g-nodes, which its assumption of
// independence allows. We count that as the longest gap. It matters only where gossip has
// reached a handful of ranks: without it, the gaps around a lone root would be short.
func (r Ring) GapTail(gap int) float64 {
	switch {
	case gap < 0:
		return 1
	case gap >= r.ranks-1:
		return 0
	}
	nobody := math.Exp(float64(r.ranks) * r.logMissed())
	return -math.Expm1(float64(r.ranks)*r.logNoGap(gap+1, r.ranks-1) + math.Log1p(-nobody))
}

// logNoGap is the sum of log(1-p(i)) for i = from to to, where from is at least 1. Each
// logarithm is a power series in p(i), and the m-th powers of all p(i) are a geometric
// series. As p(i) is at most 4/27, some twenty powers are all that matter.
func (r Ring) logNoGap(from, to int) float64 {
	logMissed := r.logMissed()
	first := r.reached * r.reached * math.Exp(float64(from)*logMissed)
	count := float64(to - from + 1)
	sum, power := 0.0, 1.0
	for m := 1.0; ; m++ {
		power *= first
		term := power / m * math.Expm1(m*count*logMissed) / math.Expm1(m*logMissed)
		sum -= term
		if !(term > -sum*0x1p-54) {
			return sum
		}
	}
}

// logMissed is log(1-q), from the smaller of q and 1-q.
func (r Ring) logMissed() float64 {
	if r.reached < r.missed {
		return math.Log1p(-r.reached)
	}
	return math.Log(r.missed)
}
