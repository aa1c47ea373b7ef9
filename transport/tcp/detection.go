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

// failureList is what is known of failures. The coordinator decides in which order they become known, so
// that all processes have the same list, or the beginning of it. That is more than protocols.Detector asks for: a
// rank that is back in another process goes on with the list that it had.
type failureList struct {
	Ranks     []int        // in the order in which their failures became known
	Suspected map[int]bool // those that have not come back
}

func (l *failureList) add(rank int) {
	l.Ranks = append(l.Ranks, rank)
	l.Suspected[rank] = true
}

func (l *failureList) trust(rank int) { delete(l.Suspected, rank) }

// beatsPerTimeout is how many signs of life a process gives within the timeout.
const beatsPerTimeout = 5

// usualBeat is how often a process gives a sign of life that no failure detector waits for: should the run not come to its end, somebody wants to know
// since when it is silent.
const usualBeat = 500 * time.Millisecond

// startGrace is how many signs of life a process may leave out before its first one.
const startGrace = 10 * beatsPerTimeout

// minTimeout is the least that a timeout can be.
const minTimeout = time.Millisecond

// knowFromStart is about ranks that fail before the run: they are known to have failed, unless
// they hang and that is not noticed.
func (c *Coordinator) knowFromStart() {
	for _, f := range c.cfg.Faults {
		if f.At != faults.OnTime(0) || !f.Kind.Stops() || f.Kind == faults.Hang && c.cfg.Timeout == 0 {
			continue
		}
		if c.cfg.Offered && !c.known.Suspected[f.Rank] {
			c.known.add(f.Rank)
		}
	}
	slices.Sort(c.known.Ranks)
}

// announce lets the failure detector tell of ranks that have failed.
func (c *Coordinator) announce(after *sentBy, ranks ...int) {
	if !c.cfg.Offered {
		return
	}
	ranks = slices.DeleteFunc(ranks, func(rank int) bool { return c.known.Suspected[rank] })
	if len(ranks) == 0 {
		return
	}
	for _, rank := range ranks {
		c.known.add(rank)
	}
	c.publish(change{Failed: ranks, After: after})
}
