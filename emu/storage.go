package emu

import (
	"hash/crc32"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/records"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// storage is what a rank has that outlives its program. It is the rank's alone, so an operation needs nobody: like a send it
// takes the rank to its end at once, or to the instant at which the rank fails.
type storage struct {
	rank *rank
	records.Records
}

var _ protocols.Storage = (*storage)(nil)

// Storage returns the storage of the rank.
func (r *rank) Storage() protocols.Storage {
	x := r.more()
	if x.storage == nil {
		x.storage = &storage{rank: r}
	}
	return x.storage
}

// operation is something that storage does in whose course the rank may fail.
type operation struct {
	call                  call
	before, middle, after faults.Anchor
	lost                  report.EventKind
	effect                func(*records.Records, records.Change)
	count                 func(*faults.Tracker)
}

var (
	writing = operation{
		callWrite, faults.BeforeWrite, faults.MidWrite, faults.AfterWrite, report.EventWriteLost,
		(*records.Records).Change, (*faults.Tracker).Wrote,
	}
	syncing = operation{
		callSync, faults.BeforeSync, faults.MidSync, faults.AfterSync, report.EventSyncLost,
		func(r *records.Records, _ records.Change) { r.Sync() }, (*faults.Tracker).Synced,
	}
)

// Write puts a value under a name.
func (s *storage) Write(name, value string) {
	s.operate(&writing, report.EventWrite, s.rank.m.cfg.Disk.Write, records.Change{Name: name, Value: value})
}

// Delete removes a record.
func (s *storage) Delete(name string) {
	s.operate(&writing, report.EventDelete, s.rank.m.cfg.Disk.Write, records.Change{Name: name, Deleted: true})
}

// Sync makes all changes safe.
func (s *storage) Sync() {
	s.operate(&syncing, report.EventSync, s.rank.m.cfg.Disk.Sync, records.Change{})
}

// operate does something that takes so long if the rank is not slow.
func (s *storage) operate(op *operation, done report.EventKind, takes clock.Time, c records.Change) {
	r := s.rank
	r.reach(r.now, op.call)
	if r.faulty {
		takes = s.faultsBefore(op, takes, c)
	}
	if r.now+takes > r.stopAt {
		s.failIn(op, c, r.stopAt)
	}
	op.effect(&s.Records, c)
	if r.m.tracing {
		r.recordStorage(done, takes, &c)
	}
	s.pass(takes)
	if r.faulty {
		op.count(&r.extra.faults.Tracker)
		if r.now < r.stopAt {
			r.passPoint(op.after, "")
		}
	}
}

// pass lets time pass for the rank. An operation that takes none is a call without progress.
func (s *storage) pass(takes clock.Time) {
	r := s.rank
	if takes == 0 {
		r.stall()
		return
	}
	r.now, r.stalled = r.now+takes, 0
}

// faultsBefore applies faults before and in the middle of an operation, and returns how long that takes a rank which may be slow.
func (s *storage) faultsBefore(op *operation, takes clock.Time, c records.Change) clock.Time {
	r := s.rank
	r.passPoint(op.before, "")
	f := r.extra.faults
	for x := f.Next(op.middle, "", r.now); x != nil; x = f.Next(op.middle, "", r.now) {
		if x.Kind != faults.Slow {
			s.failIn(op, c, min(r.now+s.slowed(takes)/2, r.stopAt))
		}
		r.slowDown(x)
	}
	return s.slowed(takes)
}

// slowed is how long something takes that begins now.
func (s *storage) slowed(takes clock.Time) clock.Time {
	if !s.rank.faulty {
		return takes
	}
	return takes * clock.Time(s.rank.extra.faults.FactorAt(s.rank.now))
}

// failIn ends the rank at t, in the course of an operation that began now. A change that was under way is one that is not safe.
func (s *storage) failIn(op *operation, c records.Change, t clock.Time) {
	r := s.rank
	if op == &writing {
		s.Change(c)
	}
	if r.m.tracing {
		r.recordStorage(op.lost, t-r.now, &c)
	}
	r.stop(r.extra.faults.Next(op.middle, "", t), t)
}

// Read returns the value under a name.
func (s *storage) Read(name string) (value string, ok bool) {
	s.look(name)
	return s.Records.Read(name)
}

// Names lists the names of all records.
func (s *storage) Names() []string {
	s.look("")
	return s.Records.Names()
}

// look lets the time pass that it takes to read.
func (s *storage) look(name string) {
	r := s.rank
	r.reach(r.now, callRead)
	takes := s.slowed(r.m.cfg.Disk.Read)
	if r.m.tracing {
		r.recordStorage(report.EventRead, takes, &records.Change{Name: name})
	}
	if takes == 0 {
		r.stall()
	}
	r.reach(r.now+takes, callRead)
}

// forget is the end of a life: the rank has failed by this fault, and loses what is not safe.
func (r *rank) forget(f *faults.Fault, at clock.Time) {
	if r.extra.storage == nil {
		return
	}
	if lost := r.extra.storage.Fail(f.Keeps); lost > 0 && r.m.tracing {
		r.note(&report.Event{Time: at, Rank: int(r.id), Kind: report.EventForget, Peer: report.NoPeer, A: int64(lost)})
	}
}

// recordStorage notes an operation that begins now. What is written counts in the hash, but is not kept in the event.
func (r *rank) recordStorage(kind report.EventKind, takes clock.Time, c *records.Change) {
	r.note(&report.Event{Time: r.now, Rank: int(r.id), Kind: kind, Peer: report.NoPeer, Step: c.Name, A: int64(takes)})
	if c.Value != "" {
		sum := crc32.Checksum([]byte(c.Value), castagnoli)
		r.m.hashes[r.place()] += mix(mix(uint64(r.now), uint64(r.id)), uint64(len(c.Value))<<32|uint64(sum))
	}
}
