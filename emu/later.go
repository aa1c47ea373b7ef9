package emu

import (
	"math/bits"

	"github.com/mangrove-emu/mangrove/clock"
)

// later is the mail of a word of 64 ranks that is under way but arrives beyond the horizon of the
// window: long messages, or those from far away. It is looked at again when it is due.
type later struct {
	ranks uint64     // a bit for each rank of the word that may have some
	first clock.Time // no arrival is earlier; clock.Never if there is none
}

// add notes that mail of a rank waits for this instant.
func (l *later) add(id int, arrival clock.Time) {
	l.ranks |= 1 << (id & 63)
	l.first = min(l.first, arrival)
}

// takeDue returns the ranks of a word with mail that arrives before the horizon, and forgets
// them.
func (m *Machine) takeDue(word int) (due uint64) {
	l := &m.later[word]
	if l.first >= m.horizon {
		return 0
	}
	waiting := l.ranks
	*l = later{first: clock.Never}
	for ; waiting != 0; waiting &= waiting - 1 {
		bit := bits.TrailingZeros64(waiting)
		id := word<<6 + bit
		ref := m.ranks[id].pending
		if ref == 0 {
			continue // it has come with other mail
		}
		if at := m.store.Cell(ref).At; at < m.horizon {
			due |= 1 << bit
		} else {
			l.add(id, at)
		}
	}
	return due
}

// attention is when the mail of a word that waits needs to be looked at.
func (l *later) attention(overhead clock.Time) clock.Time {
	if l.first == clock.Never {
		return clock.Never
	}
	return l.first + overhead
}
