package tcp

import (
	"slices"
	"time"

	"github.com/mangrove-emu/mangrove/faults"
)

// Detection says how failures are noticed.
type Detection struct {
	// Offered lets programs ask for failures. A crash is noticed by its closed connection.
	Offered bool
	// Timeout after the last sign of life is when a process that hangs counts as failed. 0: hangs
	// are not noticed.
	Timeout time.Duration
}

// beatsPerTimeout is how many signs of life a process gives within the timeout.
const beatsPerTimeout = 5

// minTimeout is the least that a timeout can be.
const minTimeout = time.Millisecond

// knowFromStart is about ranks that fail before the run: they are known to have failed, unless
// they hang and that is not noticed.
func (c *Coordinator) knowFromStart() {
	for _, f := range c.cfg.Faults {
		if f.At != faults.OnTime(0) || !f.Kind.Stops() || f.Kind == faults.Hang && c.cfg.Timeout == 0 {
			continue
		}
		if c.cfg.Offered && !c.suspects[f.Rank] {
			c.suspects[f.Rank] = true
			c.known = append(c.known, f.Rank)
		}
	}
	slices.Sort(c.known)
}

// announce lets the failure detector tell of ranks that have failed.
func (c *Coordinator) announce(after *sentBy, ranks ...int) {
	if !c.cfg.Offered {
		return
	}
	ranks = slices.DeleteFunc(ranks, func(rank int) bool { return c.suspects[rank] })
	if len(ranks) == 0 {
		return
	}
	for _, rank := range ranks {
		c.suspects[rank] = true
		c.present = slices.DeleteFunc(c.present, func(r int) bool { return r == rank })
	}
	c.known = append(c.known, ranks...)
	c.publish(change{Failed: ranks, After: after})
}
