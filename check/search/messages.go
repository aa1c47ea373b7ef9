package search

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// Bounds say how much may happen in one schedule of an exploration.
type Bounds struct {
	Faults     int `json:"faults"`               // ranks that fail, come back or are cut off
	Delays     int `json:"delays,omitempty"`     // messages that are late
	Losses     int `json:"losses,omitempty"`     // messages that are lost
	Duplicates int `json:"duplicates,omitempty"` // messages that arrive twice
}

// ofMessages reports whether anything may happen to messages.
func (b Bounds) ofMessages() bool { return b.Delays+b.Losses+b.Duplicates > 0 }

// sum is how many items a schedule has at most.
func (b Bounds) sum() int { return b.Faults + b.Delays + b.Losses + b.Duplicates }

// without is what is left after a schedule.
func (b Bounds) without(s faults.Schedule) Bounds {
	for i := range s {
		*b.of(s[i].Kind)--
	}
	return b
}

// of is the bound that counts for a kind.
func (b *Bounds) of(kind faults.Kind) *int {
	switch kind {
	case faults.Late:
		return &b.Delays
	case faults.Lose:
		return &b.Losses
	case faults.Twice:
		return &b.Duplicates
	}
	return &b.Faults
}

// check refuses bounds that make no sense.
func (b Bounds) check() error {
	for _, kind := range []faults.Kind{faults.Crash, faults.Late, faults.Lose, faults.Twice} {
		if n := *b.of(kind); n < 0 {
			return fmt.Errorf("search: schedules of up to %d %s, want 0 or more", n, kind)
		}
	}
	if b.sum() == 0 {
		return fmt.Errorf("search: schedules of up to 0 faults, want 1 or more")
	}
	return nil
}

// messages lists what may happen to the messages of a run, as far as a schedule has not used up the bounds. Nobody notices
// before the message would have arrived, but it is told apart from others by when it leaves its sender.
func (x *explorer) messages(rep *report.Report, left Bounds) []candidate {
	var all []candidate
	sent := make([]int, len(rep.Ranks))
	for i := range rep.Events {
		e := &rep.Events[i]
		if e.Kind != report.EventSend {
			continue
		}
		sent[e.Rank]++
		if x.options.Before > 0 && e.Time >= x.options.Before {
			continue
		}
		for _, kind := range []faults.Kind{faults.Late, faults.Lose, faults.Twice} {
			if *left.of(kind) > 0 {
				fault := faults.Fault{Kind: kind, Rank: e.Rank, At: faults.DuringNthSend(sent[e.Rank])}
				all = append(all, candidate{fault, e.Time + overheadOf(rep, i), 1})
			}
		}
	}
	return all
}

// sendOf is the event of the send whose message a fault is about; not ok if the rank never gets to it.
func sendOf(rep *report.Report, f *faults.Fault) (event int, ok bool) {
	n := 0
	for i := range rep.Events {
		if e := &rep.Events[i]; e.Kind == report.EventSend && e.Rank == f.Rank {
			if n++; n == f.At.N {
				return i, true
			}
		}
	}
	return 0, false
}

// lastInstant is when all has come to rest.
func lastInstant(rep *report.Report) clock.Time {
	last := rep.Quiescence
	if n := len(rep.Events); n > 0 {
		last = max(last, rep.Events[n-1].Time)
	}
	return last
}

// additions lists what can be added to a schedule that has been run, all that shows later than what it has.
func (x *explorer) additions(rep *report.Report, s *step) []candidate {
	left := x.bounds.without(s.schedule)
	var all []candidate
	if left.Faults > 0 {
		for _, c := range x.candidates(rep) {
			if x.shows(&c) {
				all = append(all, c)
			}
		}
	}
	all = append(all, x.messages(rep, left)...)
	slices.SortStableFunc(all, func(a, b candidate) int { return a.compareShows(&b) })
	for i := range s.schedule {
		had := candidate{fault: s.schedule[i], shows: s.shows[i]}
		if had.fault.Kind.OfMessages() {
			if send, ok := sendOf(rep, &had.fault); ok {
				had.shows = rep.Events[send].Time + overheadOf(rep, send)
			}
		}
		all = slices.DeleteFunc(all, func(c candidate) bool { return c.compareShows(&had) <= 0 })
	}
	return all
}
