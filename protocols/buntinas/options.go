package buntinas

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Options are the choices that a broadcast leaves.
type Options struct {
	Root int // the rank whose message is sent

	// DetectorDelay is how long the machine's failure detector takes, at most, until a failure
	// is known. Only the time that ranks linger depends on it.
	DetectorDelay clock.Time
	// Linger is how long a rank stays, once it has answered, for another attempt that may need
	// it. 0: long enough whoever else fails whenever, on a machine with the parameters given to
	// New; see [Longest]. A rank that has left too early keeps the root waiting for ever.
	Linger clock.Time

	// Epoch tells this broadcast's messages from those of others. Ranks take part in one
	// broadcast after the other, in the order of their epochs.
	Epoch uint32
}

// validate returns an error that lists everything wrong with the options on this machine.
func (o *Options) validate(machine clock.LogP) error {
	var wrong problems.List
	err := machine.Validate()
	wrong.Note(err)
	wrong.Check(o.Root >= 0 && (err != nil || o.Root < machine.Ranks), "root %d, want 0 to %d", o.Root, machine.Ranks-1)
	problems.Range(&wrong, "detector delay", o.DetectorDelay, 1, clock.MaxCost, "ticks")
	problems.Range(&wrong, "linger", o.Linger, 0, clock.Forever-1, "ticks")
	return wrong.Err("buntinas")
}
