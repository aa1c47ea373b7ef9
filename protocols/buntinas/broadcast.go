package buntinas

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Broadcast sends one message from the root to everybody. It needs a failure detector.
type Broadcast struct {
	Options
	machine clock.LogP
}

// New returns a broadcast on the machine. If messages take different times between different
// ranks, the machine's Latency must be the longest, or there must be a Linger.
func New(machine clock.LogP, o Options) (*Broadcast, error) {
	if err := o.validate(machine); err != nil {
		return nil, err
	}
	b := &Broadcast{Options: o, machine: machine}
	if b.lingering(0) >= clock.Forever {
		return nil, fmt.Errorf("buntinas: ranks would linger for %d ticks or more; want lower costs, fewer ranks or a Linger", clock.Forever)
	}
	return b, nil
}

// Result is how a broadcast went for one rank.
type Result struct {
	Message  mailbox.Message // as the root has passed it in, with this package's kind and the epoch
	At       clock.Time      // when the rank got it
	Attempts int             // the last attempt that the rank took part in, counted from 1
	Complete clock.Time      // when the root knew that all live ranks have the message; clock.Never on others
}

// Program returns the broadcast of a message as a program of its own. Each rank calls done with
// what Run returns; ranks do so at the same time.
func (b *Broadcast) Program(msg mailbox.Message, done func(rank int, result Result)) protocols.Program {
	return protocols.Program{
		Main:       func(p protocols.Proc) { done(p.Rank(), b.Run(p, msg)) },
		Initiators: []int{b.Root},
		KindName:   KindName,
	}
}

// Run does this rank's part. The root returns when all live ranks have the message, others
// when they have lingered; what others than the root pass in does not matter. Run panics with
// protocols.ErrNoDetector if the machine has no failure detector.
func (b *Broadcast) Run(p protocols.Proc, msg mailbox.Message) Result {
	m := &member{Broadcast: b, p: p}
	m.result.Complete = clock.Never
	if p.Rank() == b.Root {
		m.lead(msg)
	} else {
		m.follow()
	}
	m.result.Attempts = m.attempt
	return m.result
}

// place counts a rank from the root.
func (b *Broadcast) place(rank int) int {
	return (rank - b.Root + b.machine.Ranks) % b.machine.Ranks
}

// rank is the rank at a place.
func (b *Broadcast) rank(place int) int { return (place + b.Root) % b.machine.Ranks }
