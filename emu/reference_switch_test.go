package emu_test

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// refSwitch is the bottleneck of the reference machine. It serves messages at the very instant
// at which they reach it, when all that has been sent before is there.
type refSwitch struct {
	coming []refArrival // with the instant at which they reach it
	free   clock.Time
}

// launch puts a message under way that has left its sender.
func (m *reference) launch(left clock.Time, a refArrival) {
	if n, ok := m.network.(clock.Contended); ok {
		before, _, _ := n.Bottleneck()
		a.at = left + before
		m.bottleneck.coming = append(m.bottleneck.coming, a)
		return
	}
	a.at = left + m.network.Latency(a.from, a.to)
	m.arrivals = append(m.arrivals, a)
}

// nextInstant is when the next message reaches the switch.
func (s *refSwitch) nextInstant() clock.Time {
	t := clock.Never
	for _, a := range s.coming {
		t = min(t, a.at)
	}
	return t
}

// pass serves what reaches the switch now: the lower rank first, and one after the other.
func (m *reference) pass() {
	s := &m.bottleneck
	slices.SortStableFunc(s.coming, func(a, b refArrival) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from), cmp.Compare(a.order, b.order))
	})
	for len(s.coming) > 0 && s.coming[0].at == m.now {
		a := s.coming[0]
		s.coming = s.coming[1:]
		_, service, after := m.network.(clock.Contended).Bottleneck()
		s.free = max(s.free, a.at) + service
		a.at = s.free + after
		m.arrivals = append(m.arrivals, a)
	}
}
