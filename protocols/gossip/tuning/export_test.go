package tuning

// NewRing has so many g-nodes expected among its ranks.
func NewRing(ranks int, nodes float64) Ring {
	return Ring{ranks: ranks, reached: nodes / float64(ranks), missed: (float64(ranks) - nodes) / float64(ranks)}
}

var SpanMessages = spanMessages
