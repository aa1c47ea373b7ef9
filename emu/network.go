package emu

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
)

// networkProblems says what is wrong with the network, by itself and for so many ranks.
func (c Config) networkProblems() (problems []string) {
	if c.Network == nil {
		return nil // that of the LogP parameters, which have their own checks
	}
	if n, ok := c.Network.(interface{ Validate() error }); ok {
		if err := n.Validate(); err != nil {
			return []string{err.Error()} // the rest would follow from it
		}
	}
	if least := c.Network.MinLatency(); least < 1 || least > clock.MaxCost {
		problems = append(problems, fmt.Sprintf("emu: smallest network latency = %d ticks, want 1 to %d", least, clock.MaxCost))
	}
	if n, ok := c.Network.(clock.Sized); ok && c.Ranks > n.Nodes() {
		problems = append(problems, fmt.Sprintf("emu: ranks P = %d ranks, want 1 to %d, the nodes of the network", c.Ranks, n.Nodes()))
	}
	if n, ok := c.Network.(clock.Contended); ok {
		before, service, after := n.Bottleneck()
		if min(before, service, after) < 0 || before+service+after != n.MinLatency() {
			problems = append(problems, fmt.Sprintf("emu: %d, %d and %d ticks to, in and from the bottleneck, want 0 or more and the smallest latency of %d together",
				before, service, after, n.MinLatency()))
		}
	}
	return problems
}
