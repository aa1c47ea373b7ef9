package emu

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// checkNetwork looks at the network, by itself and for so many ranks. What the network says of
// itself is the error.
func (c Config) checkNetwork(own *problems.List) error {
	if c.Network == nil {
		return nil // that of the LogP parameters, which have their own checks
	}
	if n, ok := c.Network.(interface{ Validate() error }); ok {
		if err := n.Validate(); err != nil {
			return err // the rest would follow from it
		}
	}
	problems.Range(own, "smallest network latency", c.Network.MinLatency(), 1, clock.MaxCost, "ticks")
	if n, ok := c.Network.(clock.Sized); ok && c.Ranks > n.Nodes() {
		own.Add("ranks P = %d ranks, want 1 to %d, the nodes of the network", c.Ranks, n.Nodes())
	}
	if n, ok := c.Network.(clock.Nodes); ok {
		own.Check(n.Ranks == c.Ranks, "ranks P = %d ranks, want %d, which is how many the nodes have", c.Ranks, n.Ranks)
		own.Check(!c.ManyReceives, "ranks that share nodes and receive many messages at once, want one at a time")
	}
	if n, ok := c.Network.(clock.Contended); ok {
		before, service, after := n.Bottleneck()
		if min(before, service, after) < 0 || before+service+after != n.MinLatency() {
			own.Add("%d, %d and %d ticks to, in and from the bottleneck, want 0 or more and the smallest latency of %d together",
				before, service, after, n.MinLatency())
		}
	}
	return nil
}
