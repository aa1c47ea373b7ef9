package faults

import "github.com/mangrove-emu/mangrove/clock"

// Life is how often the rank has been started again.
func (t *Tracker) Life() int { return t.life }

// Began is when the rank's present life was to begin: the instant of a rejoin, 0 for the first.
func (t *Tracker) Began() clock.Time { return t.began }

// StopsAt is when the clock stops the rank's program in its present life, or clock.Never. At 0 it
// does not even begin.
func (t *Tracker) StopsAt() clock.Time { return t.stopsAt }

// DeadAt is when the rank's ports stop in its present life, as the clock says or because it has
// crashed at a point of its program; or clock.Never. A hang leaves them alone.
func (t *Tracker) DeadAt() clock.Time { return t.deadAt }

// FirstFailure is the one that the clock stops the rank's program with in its present life, or nil.
func (t *Tracker) FirstFailure() (first *Scheduled) {
	for i := range t.faults {
		s := &t.faults[i]
		if !s.Kind.Stops() || !t.ahead(s) {
			continue
		}
		if first == nil || s.At.Time < first.At.Time || s.At.Time == first.At.Time && s.Kind == Crash {
			first = s
		}
	}
	return first
}

// LateCrash is the crash that the clock has for a rank in its present life whose program may have returned or hung before, or nil.
func (t *Tracker) LateCrash() *Scheduled {
	for i := range t.faults {
		if s := &t.faults[i]; s.Kind == Crash && t.ahead(s) && s.At.Time == t.deadAt {
			return s
		}
	}
	return nil
}

// FailedBefore reports whether the rank was down before an instant, so that it can begin again
// then. A rank whose program had returned may have crashed afterwards.
func (t *Tracker) FailedBefore(at clock.Time) bool { return min(t.stoppedAt, t.deadAt) < at }

// Restart begins the next life of the rank, at an instant of a rejoin before which it has failed.
func (t *Tracker) Restart(at clock.Time) {
	for i := range t.faults {
		s := &t.faults[i]
		if t.crashedSince(s, at) || s.Kind == Rejoin && s.At.Time == at {
			t.history.add(s.Place, s.At.Time)
		}
	}
	t.life++
	t.began = at
	t.begin()
}

// crashedSince reports whether it is by this crash that the rank failed, after its program had
// returned. A rank that hung is taken to have done so until it begins again.
func (t *Tracker) crashedSince(s *Scheduled, at clock.Time) bool {
	return s.Kind == Crash && s.ByClock() && s.At.Time == t.deadAt && t.deadAt < at && t.stoppedAt == clock.Never
}

// begin works out when the clock stops the rank in its present life.
func (t *Tracker) begin() {
	t.stopsAt, t.deadAt, t.stoppedAt = clock.Never, clock.Never, clock.Never
	for i := range t.faults {
		s := &t.faults[i]
		if !s.Kind.Stops() || !t.ahead(s) {
			continue
		}
		t.stopsAt = min(t.stopsAt, s.At.Time)
		if s.Kind == Crash {
			t.deadAt = min(t.deadAt, s.At.Time)
		}
	}
}

// ahead reports whether a fault happens by the clock and lies in the present life. The first life
// has no beginning: what happens at 0 comes before anything runs.
func (t *Tracker) ahead(s *Scheduled) bool {
	return s.ByClock() && (t.life == 0 || s.At.Time > t.began)
}
