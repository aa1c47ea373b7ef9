package membership

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// unsettled is what has to be settled after the last of some events.
type unsettled struct {
	*Service
	at      clock.Time   // the last event
	once    bool         // all events are at that instant, and all was calm before
	events  []Event      // in order
	stays   []bool       // members before who have not left
	lost    map[int]lost // who has left, even if it has come back
	comes   map[int]bool // who has come, or come back, and not left since
	roots   int          // how many of those come before all who stay
	before  int          // ranks that had ever left or come
	changes int          // the same, afterwards
}

// lost is somebody who has left: the last one before it in the list who stays, and how many have left from there to it.
type lost struct{ asker, place int }

func (s *Service) unsettled(earlier, events []Event) *unsettled {
	u := &unsettled{
		Service: s, at: events[len(events)-1].At, once: true, events: events,
		stays: make([]bool, s.group.Ranks), lost: make(map[int]lost), comes: make(map[int]bool),
	}
	for rank := range s.group.Members {
		u.stays[rank] = true
	}
	changed := make(map[int]bool)
	for _, e := range earlier {
		u.stays[e.Rank], changed[e.Rank] = e.Comes, true
	}
	u.before = len(changed)
	for _, e := range events {
		changed[e.Rank] = true
		u.once = u.once && e.At == u.at && e.Early == 0
		if u.comes[e.Rank] = e.Comes; !e.Comes {
			u.lost[e.Rank], u.stays[e.Rank] = lost{}, false
		}
	}
	u.changes = len(changed)
	u.findPlaces()
	return u
}

// findPlaces goes through the list, which begins again at its end.
func (u *unsettled) findPlaces() {
	u.roots = 0
	asker, place := 0, 0
	for i := range 2 * len(u.stays) {
		rank := i % len(u.stays)
		_, left := u.lost[rank]
		switch {
		case u.stays[rank]:
			asker, place = rank, 0
		case left:
			place++
			u.lost[rank] = lost{asker, place}
		}
	}
	if first := slices.Index(u.stays, true); first > 0 {
		for rank := range u.lost {
			if rank < first {
				u.roots++
			}
		}
	}
}

func (u *unsettled) height() int { return u.group.Height(u.group.Ranks) }

// detection is until a root begins a view change because somebody has left: an inquiry without an
// answer, and a report, for which those roots that have left as well give no receipt. If not all
// happens at once, a view change may be under way, which has to come to its end first.
func (u *unsettled) detection() clock.Time {
	told := u.early().Times(2+2*u.roots) + u.swift(1)
	if u.once {
		return u.inquiry() + told
	}
	return max(u.options.Every+told, u.level(u.changes).Times(u.height()))
}

// inquiry is until the first of those that have left is asked how it is.
func (u *unsettled) inquiry() clock.Time {
	wait := u.options.Every
	for _, l := range u.lost {
		if l.place == 1 {
			wait = min(wait, u.nextTurn(l.asker, u.at)-u.at)
		}
	}
	return wait
}

// early is how long an answer from one level below may take while the first view change goes on. Who
// takes part in it knows of the changes before, of the roots that have left, and of what its
// neighbours have found meanwhile. That may be all if not everything happens at once, or if inquiries
// follow on each other so slowly that each passes on what the one before it has told.
func (u *unsettled) early() clock.Time {
	const neighbours = 4
	if slowly := u.options.Every/clock.Time(u.group.Ranks) >= u.options.Delivery; slowly || !u.once {
		return u.level(u.changes)
	}
	return u.level(min(u.changes, u.before+(1+neighbours)*(1+u.roots)))
}

// searches is until the root knows of everybody who has left, if the first view change begins after
// some time. Each finds all whose parents are there, and waits for them in vain; the next one finds
// those below. Inquiries go on meanwhile: they find one after another of those that are neighbours
// in the list.
func (u *unsettled) searches(time clock.Time) clock.Time {
	hidden := make(map[int]bool)
	for rank, l := range u.lost {
		hidden[rank] = l.place > 1 || len(u.lost) > 1
	}
	for patience := u.early(); ; patience = u.level(u.changes) {
		highest := u.height()
		next := make(map[int]bool)
		for rank := range hidden {
			if u.hasAbove(rank, hidden) {
				next[rank] = true
			} else {
				highest = min(highest, u.group.Level(rank))
			}
		}
		if len(hidden) == 0 {
			return time
		}
		time += patience.Times(u.height()-highest) + u.plain().Times(highest)
		for rank := range next {
			if u.inquired(rank) <= time {
				delete(next, rank)
			}
		}
		hidden = next
	}
}

// inquired is when inquiries have found somebody, and the root knows.
func (u *unsettled) inquired(rank int) clock.Time {
	return (u.options.Every + u.level(u.changes).Times(2)).Times(u.lost[rank].place) + u.swift(1)
}

// hasAbove reports whether a rank is below another one of these.
func (u *unsettled) hasAbove(rank int, others map[int]bool) bool {
	for rank > 0 {
		if rank = u.group.Parent(rank); others[rank] {
			return true
		}
	}
	return false
}

// swift is how long an answer takes that has to come up so many levels if nobody fails meanwhile. Those
// who have left make for more children somewhere on the way, but not on every level.
func (u *unsettled) swift(levels int) clock.Time {
	return (u.options.UsualTimeout() + u.bytes(u.changes)).Times(levels) + u.families(u.changes)
}

// down is how long a view change takes until it has come to the last level: an answer takes twice as long.
func (u *unsettled) down() clock.Time {
	o := &u.options
	level := o.Delivery + 2*o.Compute + o.Spacing.Times(2*(o.Children+2)) + u.bytes(u.changes)
	return level.Times(u.height()) + u.families(u.changes)
}

// plain is how long an answer from one level below may take where nobody has more children than usual.
func (u *unsettled) plain() clock.Time { return u.options.Timeout + u.bytes(u.changes) }
