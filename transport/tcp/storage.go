package tcp

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/journal"
	"github.com/mangrove-emu/mangrove/internal/records"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// storage is what a rank has that outlives its program: a journal in the folder of the run. What is not safe is in the memory of the process
// only. What a process has written stays with its host when the process is killed, so what a crash is to lose must not be written before; what
// it is to keep is written when the rank fails.
type storage struct {
	rank    *rank
	journal *journal.Journal

	// Guarded by the lock of the rank, as that may fail at any time.
	known records.Records
	busy  underway
}

// underway is an operation that has begun and not ended.
type underway struct {
	*operation // nil: there is none
	t          clock.Time
	at         time.Duration
	name       string
}

var _ protocols.Storage = (*storage)(nil)

// Storage returns the storage of the rank, if the process has a folder for it. The first call of a life reads what is there.
func (r *rank) Storage() protocols.Storage {
	if r.node.cfg.Storage == "" {
		return nil
	}
	if r.storage == nil {
		r.openStorage()
	}
	return r.storage
}

func (r *rank) openStorage() {
	s := &storage{rank: r, journal: r.node.journal(r.id)}
	s.check(s.read())
}

// read takes over what former lives have left. A rank that has failed must not do so: its next life may be writing there, and half of a batch would be
// cut off.
func (s *storage) read() error {
	defer s.rank.lock()()
	s.rank.storage = s
	return s.journal.Read(&s.known)
}

// journal is that of a rank. It is of this run only.
func (n *Node) journal(rank int) *journal.Journal {
	return journal.New(n.journalPath(rank), fmt.Sprintf("rank %d of run %s", rank, n.cfg.Job.Job))
}

func (n *Node) journalPath(rank int) string {
	return filepath.Join(n.cfg.Storage, fmt.Sprintf("rank-%d", rank))
}

// checkStorage makes sure that the ranks of a process can keep something where they are told to, and find there nothing that they have not left themselves.
func (n *Node) checkStorage() error {
	if n.cfg.Storage == "" {
		return nil
	}
	probe, err := os.CreateTemp(n.cfg.Storage, ".probe-")
	if err != nil {
		return fmt.Errorf("tcp: ranks of process %d cannot keep anything: %w", n.cfg.Process, err)
	}
	probe.Close()
	os.Remove(probe.Name())
	for _, rank := range n.layout.of(n.cfg.Process) {
		if _, err := os.Lstat(n.journalPath(rank)); err == nil && n.cfg.Life == 0 {
			return fmt.Errorf("tcp: %s is there before the run: it is of another one, want a folder without", n.journalPath(rank))
		}
	}
	return nil
}

// lock takes the lock of a rank that has not failed, and returns what gives it back.
func (r *rank) lock() (unlock func()) {
	r.mu.Lock()
	if r.status.outcome.Failed() {
		r.mu.Unlock()
		r.end()
	}
	return r.mu.Unlock
}

// check ends the process if its disk does not do what it should: nobody knows what is on it then, and a second attempt may well seem to succeed. To
// others the process has failed.
func (s *storage) check(err error) {
	if err == nil {
		return
	}
	s.rank.lock()() // who has failed meanwhile has no use for it
	s.rank.alive()
	s.rank.node.finish(s.lost(err))
	runtime.Goexit()
}

func (s *storage) lost(err error) error {
	return fmt.Errorf("tcp: rank %d has lost its storage: %w", s.rank.id, err)
}

// operation is something that storage does in whose course the rank may fail.
type operation struct {
	before, middle, after faults.Anchor
	lost                  report.EventKind
	count                 func(*faults.Tracker)
}

var (
	writing = operation{faults.BeforeWrite, faults.MidWrite, faults.AfterWrite, report.EventWriteLost, (*faults.Tracker).Wrote}
	syncing = operation{faults.BeforeSync, faults.MidSync, faults.AfterSync, report.EventSyncLost, (*faults.Tracker).Synced}
)

// Write puts a value under a name.
func (s *storage) Write(name, value string) {
	s.change(report.EventWrite, records.Change{Name: name, Value: value})
}

// Delete removes a record.
func (s *storage) Delete(name string) {
	s.change(report.EventDelete, records.Change{Name: name, Deleted: true})
}

// change makes a change, which is there as soon as it is under way.
func (s *storage) change(done report.EventKind, c records.Change) {
	end := s.begin(&writing, c.Name, s.rank.node.cfg.Disk.Write, func() { s.known.Change(c) })
	s.finish(&writing, done, end(), func() {})
}

// Sync writes all that is not safe to the journal, and has it flushed. While that goes on the rank may fail: then it is taken back.
func (s *storage) Sync() {
	end := s.begin(&syncing, "", s.rank.node.cfg.Disk.Sync, func() {})
	s.check(s.append())
	s.check(s.journal.Flush())
	s.finish(&syncing, report.EventSync, end(), func() {
		s.journal.Keep()
		s.known.Sync()
	})
}

func (s *storage) append() error {
	defer s.rank.lock()()
	if len(s.known.Unsafe()) == 0 {
		return nil
	}
	return s.journal.Append(s.known.Unsafe())
}

// begin passes the first two points of an operation. It returns what says when the operation is to end, for which it must have done its work.
func (s *storage) begin(op *operation, name string, takes clock.Time, effect func()) (end func() clock.Time) {
	r := s.rank
	r.alive()
	r.passPoint(op.before, "")
	start := r.look()
	unlock := r.lock()
	s.busy = underway{op, start, r.recording.instant(), name}
	effect()
	unlock()
	fails := r.faults.next(op.middle, "", start) != nil // what slows the rank down does so now
	end = func() clock.Time { return s.end(start, takes) }
	if fails {
		r.pause((start + end()) / 2)
		r.passPoint(op.middle, "")
	}
	return end
}

// end is when something ends that began then and has been done by now. Without a pace it takes no more time than that, but for what a slow rank adds.
func (s *storage) end(start, takes clock.Time) clock.Time {
	r := s.rank
	factor := r.faults.factorAt(start)
	if r.node.cfg.Pace == Free {
		return r.look() + takes.Times(factor-1)
	}
	return start + takes.Times(factor)
}

// pass waits until something has taken as long as it should, which it may have done already.
func (s *storage) pass(end clock.Time) {
	r := s.rank
	r.pause(end)
	if r.node.cfg.Pace != Free {
		r.late.note(r.now - end)
	}
}

// finish is the end of an operation.
func (s *storage) finish(op *operation, done report.EventKind, end clock.Time, effect func()) {
	r := s.rank
	s.pass(end)
	unlock := r.lock()
	effect()
	r.faults.with(op.count)
	s.note(done, r.now)
	unlock()
	r.passPoint(op.after, "")
}

// note records the operation that is under way: how it ended says the kind. The caller holds the lock of the rank.
func (s *storage) note(kind report.EventKind, end clock.Time) {
	b := s.busy
	s.busy = underway{}
	s.rank.recording.storage(kind, b.t, b.name, max(0, end-b.t), b.at)
}

// Read returns the value under a name.
func (s *storage) Read(name string) (value string, ok bool) {
	s.look(name, func() { value, ok = s.known.Read(name) })
	return value, ok
}

// Names lists the names of all records.
func (s *storage) Names() (all []string) {
	s.look("", func() { all = s.known.Names() })
	return all
}

// look reads, and takes as long as that should.
func (s *storage) look(name string, read func()) {
	r := s.rank
	r.alive()
	start, at := r.look(), r.recording.instant()
	unlock := r.lock()
	read()
	unlock()
	s.pass(s.end(start, r.node.cfg.Disk.Read))
	r.alive()
	r.recording.storage(report.EventRead, start, name, r.now-start, at)
}

// interrupt is about what the rank has not come to the end of when it fails. The caller holds its lock, here and below.
func (s *storage) interrupt(t clock.Time) {
	if s != nil && s.busy.operation != nil {
		s.note(s.busy.lost, t)
	}
}

// forget is the end of a life: the rank has failed by this fault, and loses what is not safe.
func (s *storage) forget(f *faults.Fault, t clock.Time) {
	if s == nil {
		return
	}
	var kept []records.Change
	for i, c := range s.known.Unsafe() {
		if f.Keeps(i + 1) {
			kept = append(kept, c)
		}
	}
	lost := s.known.Fail(f.Keeps)
	if err := s.leave(kept); err != nil {
		s.rank.node.logf("%v", s.lost(err)) // the process may not be there to say so any more
		s.rank.node.finish(s.lost(err))
	}
	if lost > 0 {
		s.rank.recording.forget(lost, t)
	}
}

// leave takes back what a sync was to make safe, and writes what is kept in its place.
func (s *storage) leave(kept []records.Change) error {
	defer s.journal.Close()
	if err := s.journal.Rollback(); err != nil || len(kept) == 0 {
		return err
	}
	if err := s.journal.Append(kept); err != nil {
		return err
	}
	s.journal.Keep()
	return s.journal.Flush()
}

// closeStorage closes the journals here, when nobody will write to them any more.
func (n *Node) closeStorage() {
	for i := range n.ranks {
		r := n.ranks[i].Load()
		r.mu.Lock()
		if r.storage != nil {
			r.storage.journal.Close()
		}
		r.mu.Unlock()
	}
}
