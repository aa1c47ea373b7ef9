package tree

import "github.com/mangrove-emu/mangrove/clock"

// walkLatency is Latency by visiting every rank.
func walkLatency(t Tree, p clock.LogP) clock.Time { return latencyBelow(t, p, t.Root(), 0) }

func latencyBelow(t Tree, p clock.LogP, rank int, reached clock.Time) clock.Time {
	last := reached
	sendPort := clock.SendPort{}
	costs := p.Costs()
	for child := range Children(t, rank) {
		start := sendPort.Start(reached)
		sendPort.Send(start, 1, &costs)
		last = max(last, latencyBelow(t, p, child, start+p.Delivery()))
	}
	return last
}

// walkSubtree is Subtree by visiting every rank below.
func walkSubtree(t Tree, rank int) int {
	ranks := 1
	for child := range Children(t, rank) {
		ranks += walkSubtree(t, child)
	}
	return ranks
}
