package emu

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// events returns the whole trace, ordered by time, then rank. What a rank receives at an
// instant comes before what it does.
func (m *Machine) events() []report.Event {
	count := 0
	first, last := clock.Never, clock.Time(0)
	for events := range m.eventsByRank {
		count += len(events)
		for i := range events {
			first, last = min(first, events[i].Time), max(last, events[i].Time)
		}
	}
	all := make([]report.Event, count) // gigabytes on large machines: not to be copied as it grows
	if count == 0 {
		return all
	}
	if span := last - first; span <= instantsPerEvent*clock.Time(count) {
		m.distribute(all, first, int(span)+1)
	} else {
		m.sort(all)
	}
	return all
}

// instantsPerEvent is how many instants an event may come with for all of them to have a place of their own.
const instantsPerEvent = 4

// eventsByRank yields what each rank has noted, which is not always in the order of time.
func (m *Machine) eventsByRank(yield func([]report.Event) bool) {
	for i := range m.ranks {
		if x := m.ranks[i].extra; x != nil && !yield(x.events) {
			return
		}
	}
}

// distribute orders events that lie close together, in linear time: it counts those of each instant, and
// so knows where they go.
func (m *Machine) distribute(all []report.Event, first clock.Time, instants int) {
	next := make([]int, instants+1) // where the next event of an instant goes
	for events := range m.eventsByRank {
		for i := range events {
			next[events[i].Time-first+1]++
		}
	}
	for i := range instants {
		next[i+1] += next[i]
	}
	for events := range m.eventsByRank {
		for i := range events {
			at := &next[events[i].Time-first]
			all[*at] = events[i]
			*at++
		}
	}
	for len(all) > 0 { // of a rank at an instant there are few
		same := 1
		for same < len(all) && all[same].Rank == all[0].Rank && all[same].Time == all[0].Time {
			same++
		}
		if same > 1 {
			slices.SortStableFunc(all[:same], report.CompareEvents)
		}
		all = all[same:]
	}
}

// sort orders events that are few for the time they are spread over.
func (m *Machine) sort(all []report.Event) {
	at := 0
	for events := range m.eventsByRank {
		at += copy(all[at:], events)
	}
	slices.SortStableFunc(all, report.CompareEvents)
}
