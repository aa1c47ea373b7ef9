package emu_test

import (
	"maps"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// refStorage is the storage of a rank of the reference machine: what is safe, and the changes since, one by one.
type refStorage struct {
	r      *refRank
	safe   map[string]*string // nil: deleted
	recent []refChange
	writes int
	syncs  int
}

type refChange struct {
	name  string
	value *string
}

func (r *refRank) Storage() protocols.Storage { return r.storage }

// now is what the rank sees.
func (s *refStorage) now() map[string]*string {
	all := maps.Clone(s.safe)
	for _, c := range s.recent {
		all[c.name] = c.value
	}
	maps.DeleteFunc(all, func(_ string, value *string) bool { return value == nil })
	return all
}

// fail keeps what a fault keeps.
func (s *refStorage) fail(f faults.Fault, at clock.Time) {
	lost := 0
	for i, c := range s.recent {
		if f.Keeps(i + 1) {
			s.safe[c.name] = c.value
		} else {
			lost++
		}
	}
	s.recent = nil
	if lost > 0 {
		s.r.m.note(at, s.r.id, report.EventForget, -1, mailbox.Message{A: int64(lost)})
	}
}

func (s *refStorage) Write(name, value string) {
	s.change(report.EventWrite, refChange{name, &value})
}

func (s *refStorage) Delete(name string) { s.change(report.EventDelete, refChange{name, nil}) }

func (s *refStorage) change(kind report.EventKind, c refChange) {
	s.operate(faults.BeforeNthWrite(s.writes+1), s.r.m.disk.Write, kind, report.EventWriteLost, c.name, func() { s.recent = append(s.recent, c) })
	s.writes++
	s.after(faults.AfterNthWrite(s.writes))
}

func (s *refStorage) Sync() {
	s.operate(faults.BeforeNthSync(s.syncs+1), s.r.m.disk.Sync, report.EventSync, report.EventSyncLost, "", func() {})
	s.safe, s.recent = s.now(), nil
	s.syncs++
	s.after(faults.AfterNthSync(s.syncs))
}

// operate passes the first two points of an operation, and lets its time pass; begun is what has happened if the rank fails on the way.
func (s *refStorage) operate(before faults.Point, takes clock.Time, kind, lost report.EventKind, name string, begun func()) {
	r := s.r
	r.wait(r.now, mailbox.None)
	start := r.now
	r.strike(before.Anchor, "", before.N)
	middle := faults.Point{Anchor: before.Anchor + 1, N: before.N}
	for _, f := range r.faults {
		switch {
		case f.At != middle || r.fired[f]:
		case f.Kind == faults.Slow:
			r.fired[f] = true
			r.suffer(f)
		default:
			half := min(start+r.slowed(takes)/2, r.stopTime())
			s.note(start, lost, name, half-start)
			begun()
			r.wait(start+r.slowed(takes)/2, mailbox.None)
			r.fired[f] = true
			r.fail(f)
			r.stop()
		}
	}
	end := start + r.slowed(takes)
	begun()
	if stop := r.stopTime(); stop < end {
		s.note(start, lost, name, stop-start)
		r.wait(end, mailbox.None) // it will not get there
	}
	s.note(start, kind, name, end-start)
	r.now = end
}

// slowed is how long something takes that begins now.
func (r *refRank) slowed(takes clock.Time) clock.Time {
	factor, from := 1, clock.Time(-1)
	for _, f := range slices.Concat(r.faults, r.slow) {
		if f.At.Anchor == faults.AtTime && f.Kind == faults.Slow && f.At.Time <= r.now && f.At.Time >= from {
			factor, from = f.Factor, f.At.Time
		}
	}
	return takes * clock.Time(factor)
}

func (s *refStorage) after(p faults.Point) {
	if s.r.hasPoint(p) {
		s.r.wait(s.r.now, mailbox.None)
		s.r.strike(p.Anchor, "", p.N)
	}
}

func (s *refStorage) note(t clock.Time, kind report.EventKind, name string, took clock.Time) {
	s.r.m.events = append(s.r.m.events, report.Event{Time: t, Rank: s.r.id, Kind: kind, Peer: -1, Step: name, A: int64(took)})
}

func (s *refStorage) Read(name string) (string, bool) {
	s.look(name)
	if value, ok := s.now()[name]; ok {
		return *value, true
	}
	return "", false
}

func (s *refStorage) Names() []string {
	s.look("")
	return slices.Sorted(maps.Keys(s.now()))
}

func (s *refStorage) look(name string) {
	r := s.r
	r.wait(r.now, mailbox.None)
	takes := r.slowed(r.m.disk.Read)
	s.note(r.now, report.EventRead, name, takes)
	r.wait(r.now+takes, mailbox.None)
}

// byClock is the fault that stops the rank by the clock now: a crash before a hang, then in the order of the schedule.
func (r *refRank) byClock(now clock.Time) (first faults.Fault, found bool) {
	for _, kind := range []faults.Kind{faults.Hang, faults.Crash} {
		for _, f := range slices.Backward(r.faults) {
			if f.At.Anchor == faults.AtTime && f.Kind == kind && f.At.Time <= now && f.At.Time > r.upSince {
				first, found = f, true
			}
		}
	}
	return first, found
}

// crashedLate is about a rank whose program had returned before it crashed.
func (r *refRank) crashedLate() {
	for _, f := range r.faults {
		if f.Kind == faults.Crash && f.At == faults.OnTime(r.deadAt) {
			r.storage.fail(f, r.deadAt)
		}
	}
}
