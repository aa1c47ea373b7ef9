package scale

import "math"

// The broadcast is the one that 'mangrove run broadcast P=2^levels' runs: an interleaved binomial tree, then synchronized checked correction,
// with L=2 and o=1. Rank r with highest bit h and c bits set gets its message h+1 sends and c flights after the start, that is
// after (h+1)o + c(L+o) ticks. A window is L+2o ticks long.
const (
	latency  = 2
	overhead = 1
	window   = latency + 2*overhead
	// A rank sends five messages in the correction, and all but the root get one from the tree.
	correctionMessages = 5
	// The tree takes a window a level; two windows are for the correction and one is for the end.
	moreWindows = 3
)

// windows is how many windows the broadcast takes.
func windows(levels int) int { return levels + moreWindows }

// messages is how many messages the broadcast takes.
func messages(levels int) int64 {
	ranks := int64(1) << levels
	return ranks - 1 + correctionMessages*ranks
}

// reached says which share of its ranks a part reaches in which window of the tree. Parts are 2^q blocks of ranks, so the highest q bits of
// a rank are those of its part.
func reached(levels, q, part int) []float64 {
	shares := make([]float64, levels+1)
	low := levels - q // bits that differ within a part
	put := func(highest, bits int, ways float64) {
		at := (highest+1)*overhead + bits*(latency+overhead)
		shares[at/window] += ways / float64(int(1)<<low)
	}
	if part > 0 {
		highest, bits := low, 0
		for rest := part; rest > 0; rest >>= 1 {
			bits += rest & 1
			if rest > 1 {
				highest++
			}
		}
		for c := range low + 1 {
			put(highest, bits+c, choose(low, c))
		}
		return shares
	}
	put(-1, 0, 1) // the root
	for highest := range low {
		for c := range highest + 1 {
			put(highest, c+1, choose(highest, c))
		}
	}
	return shares
}

// choose is the number of ways to choose k of n.
func choose(n, k int) float64 {
	ways := 1.0
	for i := range k {
		ways = ways * float64(n-i) / float64(i+1)
	}
	return math.Round(ways)
}
