package membership

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// allBack reports whether all who have left have come back. Nobody has to find out that they had left: they say so
// when they ask to become members.
func (u *unsettled) allBack() bool {
	for rank := range u.lost {
		if !u.comes[rank] {
			return false
		}
	}
	return true
}

// anybodyComes reports whether somebody has come who stays.
func (u *unsettled) anybodyComes() bool {
	for _, comes := range u.comes {
		if comes {
			return true
		}
	}
	return false
}

// entries is until a root knows of all who come. Those before the first who stays may be asked in vain, and roots that
// have left be told in vain. Who was let in by one that has left meanwhile waits before it asks again. It may wait as long as a member
// does: a root that asks those who have left how they are tells them of all changes.
func (u *unsettled) entries() clock.Time {
	vain, time := u.unanswered(), u.swift(1)
	if u.abandons() {
		vain, time = u.silent()+u.height()+2, time+u.swift(u.height())
	}
	if !u.onlyOne() {
		vain += u.roots
	}
	return time + u.level(u.changes).Times(2*vain)
}

// abandons reports whether somebody may have left after it has let another one in. Somebody comes.
func (u *unsettled) abandons() bool {
	first := slices.IndexFunc(u.events, func(e Event) bool { return e.Comes })
	return slices.ContainsFunc(u.events[first:], func(e Event) bool { return !e.Comes && e.At > u.events[first].At })
}

// unanswered is how many others one that comes asks in vain: those before the first who stays, or all.
func (u *unsettled) unanswered() (most int) {
	first := slices.Index(u.stays, true)
	if first < 0 {
		first = len(u.stays)
	}
	for rank, comes := range u.comes {
		switch {
		case comes && rank > first:
			most = max(most, first)
		case comes:
			most = max(most, first-1)
		}
	}
	return most
}

// silent is how many ranks in a row do not let anybody in: one that comes is among them itself.
func (u *unsettled) silent() (longest int) {
	run := 0
	for i := range 2 * len(u.stays) {
		if run++; u.stays[i%len(u.stays)] {
			run = 0
		}
		longest = max(longest, run)
	}
	return min(longest, len(u.stays))
}

// underWay is for how long another view change keeps the root from the last one when somebody comes. If several come, it
// may be that of another one. If somebody who has left is back, it may be that of its leaving; if all are, it may wait
// for one that was away when it came.
func (u *unsettled) underWay() clock.Time {
	switch {
	case len(u.events) == 1, u.unnoticed():
		return 0
	case len(u.lost) == 0, u.onlyOne(), !u.allBack():
		return u.swift(u.height())
	}
	return u.level(u.changes).Times(u.height()) + u.swift(u.height())
}

// onlyOne reports whether one rank has left and come back, and nothing else has happened.
func (u *unsettled) onlyOne() bool { return len(u.events) == 2 && len(u.lost) == 1 && u.allBack() }

// unnoticed reports whether such a rank has become a member again before anybody has given up waiting for
// its answer.
func (u *unsettled) unnoticed() bool {
	if !u.onlyOne() {
		return false
	}
	left, back := u.events[0], u.events[1]
	return back.At-left.At+left.Early+u.entries() < u.options.Timeout.Times(2)
}
