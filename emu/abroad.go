package emu

import (
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// abroad is what a part has for others.
type abroad struct {
	group parts.Group
	size  int // ranks of all parts
	lost  error
	// stopped says that this part or another one was told to stop, and all know.
	stopped bool

	// The ranks of a batch run at the same time, so their mail has several places. All that one rank sends goes into the same
	// place, as it is to stay in order.
	mail  [mailPlaces]outgoing
	paper stationery
	out   [][]byte // for each part, what goes in one exchange

	reserve cells.Reserve // cells for what arrives

	trackers map[int]*faults.Tracker // of ranks with faults of other parts, when the run is over
}

const mailPlaces = 16

// reservedAbroad is how many cells ranks keep for what they send, if others have ranks, too: what a rank receives from these pays for nothing that it
// sends to them, so that it would soon have as many as it may.
const reservedAbroad = 2

// outgoing is mail for other parts.
type outgoing struct {
	mu sync.Mutex
	to []mailbag // for each part
	_  [24]byte
}

func newAbroad(group parts.Group, ranks int) *abroad {
	a := &abroad{group: group, size: ranks, out: make([][]byte, group.Count()), trackers: make(map[int]*faults.Tracker)}
	for i := range a.mail {
		a.mail[i].to = make([]mailbag, group.Count())
	}
	return a
}

// reset forgets the last run.
func (a *abroad) reset() {
	if a == nil {
		return
	}
	a.lost, a.stopped = nil, false
	a.reserve = cells.Reserve{}
	clear(a.trackers)
	for i := range a.mail {
		for part := range a.mail[i].to {
			a.mail[i].to[part].discard(&a.paper)
		}
	}
}

// min is the smallest of what all parts have. If somebody is gone, it is what this one has: the run ends soon.
func (a *abroad) min(t clock.Time) clock.Time {
	if a.lost != nil {
		return t
	}
	least, err := a.group.Min(t)
	if err != nil {
		a.lost = err
		return t
	}
	return least
}

// postAbroad puts a message under way if it goes to a rank of another part, and reports whether it does. What has to pass a bottleneck
// does so here first. It stays out of the frames of senders, which are to be small.
//
//go:noinline
func (r *rank) postAbroad(to int, arrival clock.Time, msg *mailbox.Message, again bool) bool {
	m := r.m
	if m.bottleneck != nil || m.own(to) != nil {
		return false
	}
	a := m.abroad
	o := &a.mail[r.id%mailPlaces]
	part := parts.Owner(to, a.group.Count(), a.size)
	o.mu.Lock()
	writeLetter(o.to[part].space(letterLength(arrival, msg), &a.paper), to, r.id, arrival, msg, again)
	o.mu.Unlock()
	m.workers[r.worker].expect(arrival)
	return true
}

// deliver puts a message from another part under way to its receiver.
func (m *Machine) deliver(l *letter) (ref cells.Ref, c *cells.Cell) {
	reserve := &m.abroad.reserve
	if reserve.Empty() {
		m.workers[0].pool.Refill(reserve)
	}
	ref = reserve.Take(m.store)
	c = m.store.Put(ref, int32(l.from), l.at, &l.msg)
	c.Again = l.again
	return ref, c
}
