package tuning

import (
	"math"
	"sort"
)

// A span is the number of ranks from the first to the last of some consecutive g-nodes,
// both included. Failure-proof correction ends when every g-node knows f+1 others on either
// side, so what counts is the longest span of 2f+3 (Corrected Gossip, appendix B). A span of
// two g-nodes is a gap and its two ends.

// SpanBound is the smallest number of ranks, at most N, such that the chance of a longer
// span of that many g-nodes, at least two, is below delta. It is the paper's G-bar with
// V = nodes.
func (r Ring) SpanBound(nodes int, delta float64) int {
	return nodes + sort.Search(r.ranks-nodes, func(more int) bool { return r.SpanTail(nodes, nodes+more) < delta })
}

// SpanTail is the chance that the longest span of that many g-nodes has more than so many
// ranks. A ring with fewer g-nodes counts as the longest span.
//
// A rank starts a span of exactly G ranks with chance q(G,V), and as with gaps the sum of
// the paper's q_G telescopes into the product of (1-q(G,V))^N. Only here its logarithm is
// taken as the sum of -N q(G,V), which has a closed form: the rank is a g-node, and fewer
// than V-1 of the next G-1 ranks are. Where the tail is delta, that is too small by a part
// of about delta/2N at most.
func (r Ring) SpanTail(nodes, span int) float64 {
	switch {
	case span < nodes:
		return 1
	case span >= r.ranks:
		return 0
	}
	longer := r.atMost(nodes-2, span-1) - r.atMost(nodes-2, r.ranks-1)
	tooFew := min(1, r.atMost(nodes-1, r.ranks))
	return -math.Expm1(-r.Nodes()*max(0, longer) + math.Log1p(-tooFew))
}

// atMost is the chance that so many ranks have at most that many g-nodes among them, fewer
// than there are ranks: the sum of the first terms of a binomial distribution. Terms are
// computed as logarithms, because the first is often too small for a float64 when the last
// is not.
func (r Ring) atMost(nodes, ranks int) float64 {
	if r.missed == 0 {
		return 0
	}
	logMissed := r.logMissed()
	logOdds := math.Log(r.reached) - logMissed
	logTerm := float64(ranks) * logMissed
	sum := math.Exp(logTerm)
	for i := 1; i <= nodes; i++ {
		logTerm += math.Log(float64(ranks-i+1)/float64(i)) + logOdds
		sum += math.Exp(logTerm)
	}
	return sum
}
