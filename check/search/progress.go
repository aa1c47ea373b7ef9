package search

import (
	"sync"
	"time"

	"github.com/mangrove-emu/mangrove/check/guarantee"
)

// Progress is how far a search has come.
type Progress struct {
	Runs, Covered int64
	Violations    int
	Done          float64 // an estimate, between 0 and 1
	Elapsed       time.Duration

	// What an exploration that was resumed had done before.
	EarlierRuns int64
	EarlierDone float64
}

// Rate is how many runs were made in a second.
func (p Progress) Rate() float64 {
	return float64(p.Runs-p.EarlierRuns) / max(p.Elapsed.Seconds(), 1e-3)
}

// Left estimates how long the rest takes, from how long it took so far; 0 if nothing is known.
func (p Progress) Left() time.Duration {
	if p.Done <= p.EarlierDone {
		return 0
	}
	left := float64(p.Elapsed) * (1 - p.Done) / (p.Done - p.EarlierDone)
	return time.Duration(min(left, float64(longest)))
}

// longest is what an estimate says at most: a hundred years.
const longest = 100 * 365 * 24 * time.Hour

// reportInterval is how often a search tells its progress.
const reportInterval = 50 * time.Millisecond

// meter adds up how far a search has come, and tells it from time to time.
type meter struct {
	tell  func(Progress)         // nil: nobody wants to know
	done  func(Progress) float64 // how far it has come; nil: the sum of all shares
	began time.Time

	mu     sync.Mutex // guards what follows, and calls of tell
	now    Progress
	broken map[string]bool // names of violations
	last   time.Time
}

func newMeter(tell func(Progress)) *meter {
	return &meter{tell: tell, began: time.Now(), last: time.Now(), broken: make(map[string]bool)}
}

// resume begins with what was found before.
func (m *meter) resume(found *Exploration) {
	m.now.Runs, m.now.Covered = found.Runs, found.Covered
	m.now.EarlierRuns = found.Runs
	m.skip(float64(found.Seed) / float64(found.seeds()))
	for i := range found.Violations {
		m.broken[found.Violations[i].name()] = true
	}
}

// plain counts the run without faults, by which nobody can tell how fast it goes.
func (m *meter) plain(broken []guarantee.Verdict) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.Runs++
	m.now.EarlierRuns++
	m.now.Covered = plus(m.now.Covered, 1)
	m.found(broken)
}

// skip counts a share of the whole that was done before.
func (m *meter) skip(share float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.Done += share
	m.now.EarlierDone += share
}

// ran counts a run, which covers so many schedules and is a share of the whole.
func (m *meter) ran(covered int64, share float64, broken []guarantee.Verdict) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.Runs++
	m.now.Covered = plus(m.now.Covered, covered)
	m.now.Done += share
	m.found(broken)
	m.reportInTime()
}

// reportInTime tells the progress if it is time.
func (m *meter) reportInTime() {
	if time.Since(m.last) >= reportInterval {
		m.report()
	}
}

// advance counts a share of the whole whose runs are made and counted.
func (m *meter) advance(share float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.Done += share
}

// found counts what a run has broken, each class once.
func (m *meter) found(broken []guarantee.Verdict) {
	if len(broken) > 0 {
		v := Violation{Broken: broken}
		m.broken[v.name()] = true
	}
}

// flush tells the progress now.
func (m *meter) flush() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.report()
}

func (m *meter) report() {
	if m.tell == nil {
		return
	}
	m.last = time.Now()
	p := m.now
	p.Violations, p.Elapsed = len(m.broken), time.Since(m.began)
	if m.done != nil {
		p.Done = m.done(p)
	}
	p.Done = min(1, p.Done) // sums of fractions are not exact
	m.tell(p)
}
