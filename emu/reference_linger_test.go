package emu_test

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// Linger waits like Recv, and says so.
func (r *refRank) Linger(want mailbox.Want) (int, mailbox.Message) {
	r.lingers = true
	from, msg := r.Recv(want)
	r.lingers = false
	return from, msg
}

// finishLingering tells those who linger when the run is over from those who wait for ever.
func (m *reference) finishLingering() {
	for _, r := range m.ranks {
		switch {
		case r.stopped:
		case r.lingers:
			m.note(r.now, r.id, report.EventExit, -1, mailbox.Message{})
		default:
			r.waits = true
		}
	}
}

// deadlocked lists the ranks that waited for ever.
func (m *reference) deadlocked() (ranks []int) {
	for _, r := range m.ranks {
		if r.waits {
			ranks = append(ranks, r.id)
		}
	}
	return ranks
}
