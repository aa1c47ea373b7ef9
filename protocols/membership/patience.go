package membership

import "github.com/mangrove-emu/mangrove/clock"

// UsualTimeout is long enough for an answer from one level below if nobody fails: the way there
// and back, a recalculation that is going on and the one that is asked for, and the sends of
// both ranks to their neighbours.
func (o *Options) UsualTimeout() clock.Time {
	return 2*o.Delivery + 2*o.Compute + o.Spacing.Times(4*(o.Children+2))
}

// patience is how long to wait for an answer that has to come up so many levels. A parent waits
// longer than its children do for theirs, so of a rank that is silent and all those above it
// only the rank is suspected. Failures make for more children, and so for more sends.
func (s *Service) patience(levels int, known Changes) clock.Time {
	level := s.options.Timeout + s.options.Spacing.Times(2*s.options.Children*known.Len())
	return level.Times(levels)
}

// answer is how long to wait for somebody to answer who may be busy with a view change.
func (s *Service) answer(known Changes) clock.Time { return s.patience(2, known) }

// Bound is within which time of the last of so many changes (failures, rejoins and joins) all
// live ranks hold the same view, if ranks ask their successors and no live rank is slow. Each
// change may have to be found by an inquiry, told to a root that has failed as well, and handed
// down a tree in which somebody does not answer.
func (s *Service) Bound(changes int) clock.Time {
	level := s.options.Timeout + s.options.Spacing.Times(2*s.options.Children*changes)
	once := s.options.Every + level.Times(s.group.Height(s.group.Ranks)+6)
	return once.Times(changes + 1)
}
