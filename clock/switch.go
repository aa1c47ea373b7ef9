package clock

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Switch is a network whose messages all go through one switch, which serves one at a time.
// A message that has left its sender at t reaches the switch at t+In. It is served, for
// Service, when the switch is done with all that have reached it before, and arrives Out
// later. Of messages that reach the switch at the same time, that of the lower rank is first.
type Switch struct {
	In      Time // from the sender to the switch, 0 or more
	Service Time // how long the switch is busy with a message, at least 1
	Out     Time // from the switch to the receiver, 0 or more
}

var _ Contended = Switch{}

// Validate returns an error that lists every parameter out of range, or nil.
func (s Switch) Validate() error {
	var wrong problems.List
	problems.Range(&wrong, "time to the switch", s.In, 0, MaxCost, "ticks")
	problems.Range(&wrong, "service time", s.Service, 1, MaxCost, "ticks")
	problems.Range(&wrong, "time from the switch", s.Out, 0, MaxCost, "ticks")
	if wrong == nil {
		problems.Range(&wrong, "latency", s.MinLatency(), 1, MaxCost, "ticks")
	}
	return wrong.Err("clock")
}

// Latency is that of a message that need not wait.
func (s Switch) Latency(from, to int) Time { return s.In + s.Service + s.Out }

// MinLatency is the same for all pairs.
func (s Switch) MinLatency() Time { return s.In + s.Service + s.Out }

// Bottleneck is how long a message takes to the switch, in it and from it.
func (s Switch) Bottleneck() (before, service, after Time) { return s.In, s.Service, s.Out }

// Burst is the latency of the last of so many messages that leave their senders at the same
// time, at least one.
func (s Switch) Burst(messages int) Time { return s.In + s.Service.Times(messages) + s.Out }

// String names the model with all parameters.
func (s Switch) String() string {
	return fmt.Sprintf("one switch, %d to it, %d in it, %d from it", s.In, s.Service, s.Out)
}
