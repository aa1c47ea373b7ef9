package proctest_test

import (
	"maps"
	"runtime"
	"slices"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
)

// storageFlaws are what can be wrong with stable storage.
type storageFlaws struct {
	noStorage, oneForAll, keptForNextRun bool
	unsortedNames, undyingRecords        bool
	losesSynced, keepsUnsynced           bool
	keepsNothing, keptFromZero           bool // what a schedule keeps is lost, or numbered from 0
	keptBackwards                        bool // what is kept is numbered from the last change on
	syncedAtOnce                         bool // a sync in which the rank fails has made all safe
	losesUnderway                        bool // a change in which the rank fails is not kept, whatever the schedule says
	failedCounts                         bool // a change or a sync in which the rank fails counts
	countsEachLife                       bool // changes and syncs are counted from 1 in each life
	returnsFirst                         bool // a rank fails after its sync when that has returned
	deletesAreFree                       bool // removing a record is no change for faults
	hangsKeepAll                         bool
	returnedKeepAll                      bool // a rank that crashes after its program has returned
	nothingIsFree                        bool // removing a record that is not there is no change for faults
	keepsInOneTable                      bool // changes that are kept make all before them safe
}

// plainDisk is what a rank keeps: what is safe, and what was changed since.
type plainDisk struct {
	safe    map[string]string
	changes []plainChange
}

type plainChange struct {
	name, value string
	deleted     bool
}

func (c plainChange) apply(to map[string]string) {
	if c.deleted {
		delete(to, c.name)
	} else {
		to[c.name] = c.value
	}
}

// leftovers are what runs leave behind of which one machine is to know nothing.
var leftovers = make(map[int]*plainDisk)

// plainStorage is the storage of a rank of plain.
type plainStorage struct{ *plainRank }

// Storage is that of the rank.
func (r *plainRank) Storage() protocols.Storage {
	if r.m.noStorage {
		return nil
	}
	return plainStorage{r}
}

// disk is where the records of the rank are.
func (r *plainRank) disk() *plainDisk {
	owner := r
	if r.m.oneForAll {
		owner = r.m.ranks[0]
	}
	if r.m.keptForNextRun && leftovers[r.id] != nil {
		owner.kept = leftovers[r.id]
	}
	if owner.kept == nil {
		owner.kept = &plainDisk{safe: make(map[string]string)}
	}
	if r.m.keptForNextRun {
		leftovers[r.id] = owner.kept
	}
	return owner.kept
}

// seen is what the program sees.
func (d *plainDisk) seen() map[string]string {
	all := maps.Clone(d.safe)
	for _, c := range d.changes {
		c.apply(all)
	}
	return all
}

func (s plainStorage) Write(name, value string) { s.change(plainChange{name: name, value: value}) }

func (s plainStorage) Delete(name string) {
	if s.m.undyingRecords {
		return
	}
	if _, there := s.disk().seen()[name]; s.m.deletesAreFree || s.m.nothingIsFree && !there {
		s.waitOn(s.now)
		s.disk().changes = append(s.disk().changes, plainChange{name: name, deleted: true})
		return
	}
	s.change(plainChange{name: name, deleted: true})
}

func (s plainStorage) change(c plainChange) {
	s.begin(faults.BeforeWrite)
	d := s.disk()
	if !s.m.losesUnderway {
		d.changes = append(d.changes, c)
	}
	s.passMiddleOf(faults.MidWrite, (*faults.Tracker).Wrote)
	if s.m.losesUnderway {
		d.changes = append(d.changes, c)
	}
	s.end(faults.AfterWrite, (*faults.Tracker).Wrote)
}

func (s plainStorage) Sync() {
	s.begin(faults.BeforeSync)
	d := s.disk()
	if s.m.syncedAtOnce {
		d.safe, d.changes = d.seen(), nil
	}
	s.passMiddleOf(faults.MidSync, (*faults.Tracker).Synced)
	d.safe, d.changes = d.seen(), nil
	if s.m.returnsFirst && s.tracker != nil {
		s.tracker.Synced()
		if f := s.tracker.Next(faults.AfterSync, "", s.now); f != nil && f.Kind != faults.Slow {
			s.late = f
			return
		}
		s.passPoint(faults.AfterSync, "")
		return
	}
	s.end(faults.AfterSync, (*faults.Tracker).Synced)
}

// begin passes the point before an operation.
func (s plainStorage) begin(at faults.Anchor) {
	s.waitOn(s.now)
	if f := s.late; f != nil {
		s.late = nil
		s.fail(f, s.now)
		runtime.Goexit()
	}
	s.passPoint(at, "")
}

// passMiddleOf passes the point in its middle.
func (s plainStorage) passMiddleOf(at faults.Anchor, count func(*faults.Tracker)) {
	if s.m.failedCounts && s.tracker != nil {
		if f := s.tracker.Next(at, "", s.now); f != nil && f.Kind != faults.Slow {
			defer count(s.tracker)
		}
	}
	s.passPoint(at, "")
}

// end passes the point behind it.
func (s plainStorage) end(at faults.Anchor, count func(*faults.Tracker)) {
	if s.tracker != nil {
		count(s.tracker)
		s.passPoint(at, "")
	}
}

func (s plainStorage) Read(name string) (string, bool) {
	s.waitOn(s.now)
	value, ok := s.disk().seen()[name]
	return value, ok
}

func (s plainStorage) Names() []string {
	s.waitOn(s.now)
	names := slices.Sorted(maps.Keys(s.disk().seen()))
	if s.m.unsortedNames {
		slices.Reverse(names)
	}
	return names
}

// forget is what a failure leaves of storage.
func (r *plainRank) forget(f *faults.Fault) {
	if r.kept == nil {
		return
	}
	d := r.kept
	if r.m.losesSynced {
		d.safe = make(map[string]string)
	}
	for i, c := range d.changes {
		n := i + 1
		if r.m.keptFromZero {
			n = i
		}
		if r.m.keptBackwards {
			n = len(d.changes) - i
		}
		kept := f.Keeps(n) && !r.m.keepsNothing || r.m.keepsUnsynced || r.m.hangsKeepAll && f.Kind == faults.Hang
		for later := n; r.m.keepsInOneTable && later <= len(d.changes); later++ {
			kept = kept || f.Keeps(later)
		}
		if kept {
			c.apply(d.safe)
		}
	}
	d.changes = nil
}
