package proctest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Schedules about storage are tried on ranks that do the same in each of their lives: they say what they find, change some records, sync, change
// some more and wait. It is then that things happen by the clock. Afterwards they sync, change two records, and sync again.
//
// What must become of them is worked out by a small model that shares nothing with what machines keep records with.

// ledger is what such a rank has noted down.
type ledger struct{ Done []string }

// triedOnStorage is a case that tries schedules on ranks with storage.
func triedOnStorage(name string, schedules []faults.Schedule) Case {
	machine := clock.LogP{Ranks: len(schedules) + 1, Latency: 5, Overhead: 4}
	return Case{Name: name, Storage: true, on: []clock.LogP{machine}, check: func(c *checker) { c.tryStorage(schedules) }}
}

// deeds are what a rank does in a life. The machine and the model do what they are told, and say whether the rank gets past it.
type deeds struct {
	find          func() bool
	change        func(name, value string, deleted bool) bool
	sync          func() bool
	wait          func() bool
	life, changed int
}

func (d *deeds) live() bool {
	value := func() string { d.changed++; return fmt.Sprint(d.life, ".", d.changed) }
	return d.find() &&
		d.change("a", value(), false) && d.change("b", value(), false) && d.sync() && d.change("a", value(), false) && d.change("b", "", true) &&
		d.wait() && d.sync() && d.change("c", value(), false) && d.change("none", "", true) && d.sync() // to delete what is not there is a change, too
}

// storageSample is how many schedules are tried where time is real, as so many ranks make a machine late.
const storageSample = 50

func (c *checker) tryStorage(schedules []faults.Schedule) {
	if !c.machine.exact() { // drawn, as any stride leaves out some combinations of kinds and points
		var some []faults.Schedule
		for _, i := range rand.New(rand.NewPCG(1, uint64(c.attempt))).Perm(len(schedules))[:min(storageSample, len(schedules))] {
			some = append(some, schedules[i])
		}
		schedules = some
	}
	unit := max(300, 200+c.machine.Late/4)
	c.Ranks = len(schedules) + 1
	var all faults.Schedule
	for rank, s := range schedules {
		for _, f := range scaled(s, unit) {
			f.Rank = rank
			all = append(all, f)
		}
	}
	seen := run(c, setup{seed: 1, faults: all}, func(p protocols.Proc, remember func(func(own *ledger))) {
		if p.Rank() == len(schedules) {
			p.WaitUntil(overAt * unit)
			return
		}
		beRelic(p, unit, func(format string, args ...any) bool {
			remember(func(own *ledger) { own.Done = append(own.Done, fmt.Sprintf(format, args...)) })
			return true
		})
	})
	if c.judge(seen.aftermath, c.Ranks-1); c.broken {
		return
	}
	unfired := make(map[string]bool)
	for _, f := range seen.Unfired {
		unfired[f] = true
	}
	for rank, s := range schedules {
		want := newRelic(s)
		want.run()
		var missed faults.Schedule
		for i, f := range scaled(s, unit) {
			if f.Rank = rank; unfired[f.String()] {
				missed = append(missed, s[i])
			}
		}
		differs := c.tooLate // perhaps: all of them come back by the clock
		if c.machine.exact() {
			differs = c.errorf
		}
		switch {
		case !slices.Equal(seen.by[rank].Done, want.done):
			differs("%s: rank %d has done %q, want %q", s, rank, seen.by[rank].Done, want.done)
		case seen.Outcomes[rank] != want.outcome:
			differs("%s: rank %d has %s, want %s", s, rank, seen.Outcomes[rank], want.outcome)
		case !slices.Equal(missed, want.unfired()):
			differs("%s: %s did not happen, want %s, in units", s, missed, want.unfired())
		}
		if len(c.found) == enough {
			return
		}
	}
}

// beRelic is what such a rank does on a machine.
func beRelic(p protocols.Proc, unit clock.Time, note func(format string, args ...any) bool) {
	disk, life := p.Storage(), p.Life()
	d := deeds{life: life}
	d.find = func() bool {
		found := ""
		for _, name := range disk.Names() {
			value, _ := disk.Read(name)
			found += " " + name + "=" + value
		}
		return note("life %d finds%s", life, found)
	}
	d.change = func(name, value string, deleted bool) bool {
		if deleted {
			disk.Delete(name)
		} else {
			disk.Write(name, value)
		}
		return note("life %d changes %s", life, name)
	}
	d.sync = func() bool {
		disk.Sync()
		return note("life %d syncs", life)
	}
	d.wait = func() bool {
		p.WaitUntil(goesOn * unit)
		return true
	}
	d.live()
}

// relic is the model of such a rank.
type relic struct {
	schedule       faults.Schedule
	happened       []bool
	done           []string
	outcome        report.Outcome
	life           int
	now, ended     clock.Time // in units
	changes, syncs int
	safe           [][2]string // in order of names
	recent         []alteration
}

type alteration struct {
	name, value string
	deleted     bool
}

func newRelic(s faults.Schedule) *relic { return &relic{schedule: s, happened: make([]bool, len(s))} }

// run is all its lives.
func (r *relic) run() {
	r.live()
	for _, t := range []clock.Time{back, backAgain} {
		if r.outcome.Failed() && r.ended < t {
			r.happened[slices.IndexFunc(r.schedule, func(f faults.Fault) bool { return f.Kind == faults.Rejoin && f.At.Time == t })] = true
			r.life, r.now = r.life+1, t
			r.live()
		}
	}
	if r.outcome == report.Hung {
		r.clock(r.ended, overAt, faults.Crash)
	}
}

func (r *relic) live() {
	d := deeds{life: r.life, find: r.find, change: r.change, sync: r.sync, wait: func() bool {
		fails := r.clock(r.now, goesOn, faults.Crash, faults.Hang)
		r.now = max(r.now, goesOn)
		return !fails
	}}
	if d.live() {
		r.outcome = report.Finished
	}
}

func (r *relic) did(format string, args ...any) bool {
	r.done = append(r.done, fmt.Sprintf(format, args...))
	return true
}

func (r *relic) find() bool {
	found := ""
	for _, record := range r.safe {
		found += " " + record[0] + "=" + record[1]
	}
	return r.did("life %d finds%s", r.life, found)
}

func (r *relic) change(name, value string, deleted bool) bool {
	n := r.changes + 1
	if !r.pass(faults.BeforeNthWrite(n)) {
		return false
	}
	r.recent = append(r.recent, alteration{name, value, deleted})
	if !r.pass(faults.DuringNthWrite(n)) {
		return false
	}
	r.changes = n
	return r.pass(faults.AfterNthWrite(n)) && r.did("life %d changes %s", r.life, name)
}

func (r *relic) sync() bool {
	n := r.syncs + 1
	if !r.pass(faults.BeforeNthSync(n)) || !r.pass(faults.DuringNthSync(n)) {
		return false
	}
	r.settle(func(int) bool { return true })
	r.syncs = n
	return r.pass(faults.AfterNthSync(n)) && r.did("life %d syncs", r.life)
}

// settle makes those changes safe that are kept, and forgets the others.
func (r *relic) settle(kept func(n int) bool) {
	for i, a := range r.recent {
		if !kept(i + 1) {
			continue
		}
		r.safe = slices.DeleteFunc(r.safe, func(record [2]string) bool { return record[0] == a.name })
		if !a.deleted {
			r.safe = append(r.safe, [2]string{a.name, a.value})
		}
	}
	slices.SortFunc(r.safe, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	r.recent = nil
}

// pass lets those faults happen that are tied to a point, in the order of the schedule and each once.
func (r *relic) pass(at faults.Point) bool {
	for i, f := range r.schedule {
		if f.At != at || r.happened[i] {
			continue
		}
		r.happened[i] = true
		if f.Kind != faults.Slow {
			r.fail(f, r.now)
			return false
		}
	}
	return true
}

// clock has the first of such failures happen that is due after an instant and up to another.
func (r *relic) clock(after, until clock.Time, kinds ...faults.Kind) bool {
	for t := after + 1; t <= until; t++ {
		for _, kind := range kinds {
			for i, f := range r.schedule {
				if f.Kind == kind && f.At == faults.OnTime(t) {
					r.happened[i] = true
					r.fail(f, t)
					return true
				}
			}
		}
	}
	return false
}

func (r *relic) fail(f faults.Fault, t clock.Time) {
	r.outcome, r.ended = report.Crashed, t
	if f.Kind == faults.Hang {
		r.outcome = report.Hung
	}
	kept := map[faults.Group][]int{faults.Others: {1, 2, 3, 4, 5, 6}, "1": {1}, "2": {2}, "1+3": {1, 3}}[f.Kept]
	r.settle(func(n int) bool { return slices.Contains(kept, n) })
}

// unfired are the faults that have not happened. A slow-down by the clock does in any case.
func (r *relic) unfired() (all faults.Schedule) {
	for i, f := range r.schedule {
		if !r.happened[i] && !(f.Kind == faults.Slow && f.At.Anchor == faults.AtTime) {
			all = append(all, f)
		}
	}
	return all
}
