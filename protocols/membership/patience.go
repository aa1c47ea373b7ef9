package membership

import "github.com/mangrove-emu/mangrove/clock"

// UsualTimeout is long enough for an answer from one level below if nobody fails: the way there
// and back, a recalculation that is going on and the one that is asked for, and the sends of
// both ranks to their neighbours.
func (o *Options) UsualTimeout() clock.Time {
	return 2*o.Delivery + 2*o.Compute + o.Spacing.Times(4*(o.Children+2))
}

// level is how long an answer from one level below may take after so many changes. Failures make
// for more children, and so for more sends, and for longer messages.
func (s *Service) level(changes int) clock.Time {
	return s.options.Timeout + s.bytes(changes) + s.families(changes)
}

// long is what the changes cost that a message has to tell.
func (s *Service) long(changes int) clock.Time {
	const ahead = 8 // changes that others may know of, and this rank does not yet
	return s.options.PerByte.Times(recordBytes * (changes + ahead))
}

// bytes is what long messages add to an answer from one level below.
func (s *Service) bytes(changes int) clock.Time {
	return s.long(changes).Times(4 * (s.options.Children + 2))
}

// families is what it takes to send to all children that changes can have added.
func (s *Service) families(changes int) clock.Time {
	more := 2 * s.options.Children * changes
	return s.options.Spacing.Times(more) + s.long(changes).Times(more)
}

// patience is how long to wait for an answer that has to come up so many levels. A parent waits
// longer than its children do for theirs, so of a rank that is silent and all those above it
// only the rank is suspected.
func (s *Service) patience(levels int, known Changes) clock.Time {
	return s.level(known.Len()).Times(levels)
}

// answer is how long to wait for somebody to answer who may be busy with a view change.
func (s *Service) answer(known Changes) clock.Time { return s.patience(2, known) }

// InTurn is how long so many changes take if each is found by an inquiry of its own, told to a
// root that has failed as well, and handed down a tree in which somebody does not answer.
func (s *Service) InTurn(changes int) clock.Time {
	height := s.group.Height(s.group.Ranks)
	return (s.options.Every + s.level(changes).Times(height+6)).Times(changes + 1)
}
