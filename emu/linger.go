package emu

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// A rank that lingers waits as in Recv. Only at the end of a run does it make a difference: it
// has finished. Runs in which nobody lingers must not pay for a look at all ranks, so the first
// one that does leaves a mark.

// Linger waits for a message until the end of the run.
func (r *rank) Linger(want mailbox.Want) (from int, m mailbox.Message) {
	if !r.m.lingering.Load() {
		r.m.lingering.Store(true)
	}
	return r.take(r.find(callLinger, want, clock.Never))
}

// finishLingering notes that the ranks have finished that linger when a run is over.
func (m *Machine) finishLingering() {
	if !m.lingering.Load() {
		return
	}
	m.share(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			if r := &m.ranks[i]; r.state == alive && r.call == callLinger {
				r.markFinished()
			}
		}
	})
}

// lingered reports whether the rank has finished in Linger, where its goroutine still waits.
func (r *rank) lingered() bool { return r.state == finished && r.call == callLinger }
