package faults

import (
	"maps"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// History is how far a rank has come in a schedule, over all its lives.
type History struct {
	Sends    int            `json:",omitempty"`
	Receives int            `json:",omitempty"`
	Writes   int            `json:",omitempty"` // changes of storage
	Syncs    int            `json:",omitempty"` // of storage
	Steps    map[string]int `json:",omitempty"` // of those that faults are tied to
	Happened []Happening    `json:",omitempty"` // in this order
}

// Happening is a fault that has happened, by its place in the schedule. Those slow-downs are left
// out that the clock brings about, as nothing can keep them from happening.
type Happening struct {
	Place int
	Time  clock.Time
}

// History returns how far the rank has come.
func (t *Tracker) History() History {
	if t == nil {
		return History{}
	}
	h := t.history
	h.Steps, h.Happened = maps.Clone(h.Steps), slices.Clone(h.Happened)
	return h
}

// Resume has a tracker that has seen nothing yet go on where another one of the same schedule and
// rank was.
func (t *Tracker) Resume(h History) {
	t.history = History{h.Sends, h.Receives, h.Writes, h.Syncs, maps.Clone(h.Steps), t.history.Happened[:0]}
	for _, happened := range h.Happened {
		for i := range t.faults {
			s := &t.faults[i]
			switch {
			case s.Place != happened.Place:
			case s.Kind == Rejoin:
				t.Restart(s.At.Time)
			default:
				t.Happens(s, happened.Time)
			}
		}
	}
}

// Happened says whether a fault has happened, by its place in the schedule, and when.
func (t *Tracker) Happened(place int) (at clock.Time, ok bool) {
	for _, happened := range t.history.Happened {
		if happened.Place == place {
			return happened.Time, true
		}
	}
	return 0, false
}

// reached is which send, receive or passage of a step it is at such a point.
func (h *History) reached(at Anchor, step string) int {
	switch at {
	case BeforeSend, MidSend:
		return h.Sends + 1
	case AfterSend:
		return h.Sends
	case AtRecv:
		return h.Receives
	case AtStep:
		return h.Steps[step]
	case BeforeWrite, MidWrite:
		return h.Writes + 1
	case AfterWrite:
		return h.Writes
	case BeforeSync, MidSync:
		return h.Syncs + 1
	case AfterSync:
		return h.Syncs
	}
	return 0
}

func (h *History) pass(step string) {
	if h.Steps == nil {
		h.Steps = make(map[string]int)
	}
	h.Steps[step]++
}

func (h *History) add(place int, t clock.Time) {
	h.Happened = append(h.Happened, Happening{place, t})
}

func (h *History) has(place int) bool {
	return slices.ContainsFunc(h.Happened, func(x Happening) bool { return x.Place == place })
}
