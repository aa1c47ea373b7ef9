package scenarios

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
)

// Timing is what an experiment takes for granted about how long messages are under way. It
// decides on which networks a line can be run. The zero Timing is the most careful one.
type Timing struct {
	Assumes Assumption
	// Because says what would go wrong otherwise, in words that follow "and". Optional.
	Because string
	// Untimed says that ranks never look at the clock, and ask no failure detector: however late a message comes, the same is
	// promised. Only matters with NoLatency.
	Untimed bool
}

// Assumption is about the latency of messages.
type Assumption uint8

const (
	// SameLatency goes with the uniform network only.
	SameLatency Assumption = iota
	// LongestLatency goes with all networks on which no message takes longer than the latency
	// of [line.Settings.LogP], which is the longest there. There are deadlines that must not come too
	// early, for example; that others are faster does no harm.
	LongestLatency
	// NoLatency goes with all networks.
	NoLatency
)

// check says why a network is not for this experiment. Nil: it is.
func (t Timing) check(n clock.Network) error {
	because := t.Because
	if because == "" {
		because = "the protocol may rely on L for all"
	}
	_, bounded := n.(clock.Bounded)
	switch {
	case n == nil, t.Assumes == NoLatency, t.Assumes == LongestLatency && bounded:
		return nil
	case t.Assumes == SameLatency:
		want := "network=uniform"
		if _, shared := n.(clock.Nodes); shared {
			want += " and nodes=none"
		}
		return fmt.Errorf("latencies differ there, and %s; want %s", because, want)
	default:
		return fmt.Errorf("messages may have to wait there without limit, and %s; want uniform, torus, mesh or fattree", because)
	}
}
