package tuning

import "github.com/mangrove-emu/mangrove/clock"

// checkedMessages is the expected number of messages that a g-node sends in checked
// correction.
//
// The g-nodes ahead and behind are at distances a and b that have a geometric distribution.
// In turn, the one ahead sends to us in its 2a-th message, the one behind in its 2b-1st. By
// the time we have it we have sent at least as far, so we close that side at once, and go on
// with the other, one message every max(o,g), until that closes too. So we send
//
//	max(2a-1, 2b-2) + ceil((2o+L)/max(o,g))
//
// messages; among g-nodes only that is 3 + ceil(L/o), what Corrected Trees has for trees
// without failures. This is its mean.
//
// It neglects that a g-node with one side closed sends twice as fast to the other, so that
// its message comes sooner than in turn; where gaps are long, the mean is a few per cent too
// high. It also neglects that distances end at N, and that with g > 2o+L a message behind
// may still be due when that side is known.
func (r Ring) checkedMessages(machine clock.LogP) float64 {
	spacing := machine.Costs().Spacing
	delivery := (machine.Delivery() + spacing - 1) / spacing
	farther := 2/r.reached - 1/(1-r.missed*r.missed) // mean of max(a,b)
	behind := r.missed / (1 + r.missed)              // chance that b > a
	messages := 2*farther - 1 - behind + float64(delivery)
	return min(messages, float64(r.ranks)) // then the two sides have met
}
