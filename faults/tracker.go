package faults

import "github.com/mangrove-emu/mangrove/clock"

// Tracker follows one rank through a schedule, over all its lives: it counts what the rank does,
// says what happens to it where it is, and keeps what has happened. Machines read schedules
// through trackers only, so all read them in the same way. A tracker decides, the machine acts:
// it lets take effect what [Tracker.Next] returns, and says so with [Tracker.Happens].
//
//  1. Sends, receives, passages of steps, and changes and syncs of storage are counted over all lives. A send, a change and a
//     sync count when they are complete.
//  2. Of the faults tied to one point, all happen that can, in the order of the schedule. Each
//     happens once: if a rank comes back and does again what it failed in, it gets past it.
//  3. A failure by the clock comes before all that is tied to the program at its instant or
//     later. Of two at one instant a crash comes before a hang.
//  4. What happens to a message is up to whoever carries it: [Tracker.Message] says what.
//  5. In a further life those failures by the clock count that lie after its beginning. A rank
//     that was slow stays slow.
//
// A rank that the schedule does not name needs no tracker. A tracker is not safe for use by
// several goroutines at once, and must not be copied.
type Tracker struct {
	faults    []Scheduled // of the rank, in the order of the schedule
	history   History
	slow      Slowdowns // by the clock, whenever, and at points that were passed
	life      int
	began     clock.Time // when its present life did; the first one has always been there
	stopsAt   clock.Time
	deadAt    clock.Time
	stoppedAt clock.Time // when its program was stopped

	// Most ranks that fail have one fault. It needs no memory of its own, and when it happens, no allocation makes
	// the small stack of a rank grow.
	oneFault     [1]Scheduled
	oneHappening [1]Happening
}

// Scheduled is a fault and its place in the schedule, from 0.
type Scheduled struct {
	*Fault
	Place int
}

// ByClock reports whether the fault happens at a time, whatever the program does.
func (s *Scheduled) ByClock() bool { return s.At.Anchor == AtTime }

// NewTracker returns a tracker for a rank at the beginning of a run, or nil if the schedule,
// which must be explicit, does not name the rank.
func NewTracker(s Schedule, rank int) *Tracker {
	var t *Tracker
	for place := range s {
		if f := &s[place]; !f.OfLinks() && f.Rank == rank {
			if t == nil {
				t = new(Tracker)
			}
			t.Add(place, f)
		}
	}
	return t
}

// Add has the tracker heed one more fault of its rank. This is for those who make trackers for
// many ranks in one pass through the schedule, before the run.
func (t *Tracker) Add(place int, f *Fault) {
	if t.faults == nil {
		t.faults, t.history.Happened = t.oneFault[:0], t.oneHappening[:0]
	}
	t.faults = append(t.faults, Scheduled{f, place})
	if f.Kind == Slow && f.At.Anchor == AtTime {
		t.slow.Add(f.At.Time, f.Factor)
	}
	t.begin()
}

// Sent counts a send that is complete.
func (t *Tracker) Sent() { t.history.Sends++ }

// Received counts a message that the program is about to be handed.
func (t *Tracker) Received() { t.history.Receives++ }

// Wrote counts a change of storage that is complete.
func (t *Tracker) Wrote() { t.history.Writes++ }

// Synced counts a sync of storage that is complete.
func (t *Tracker) Synced() { t.history.Syncs++ }

// Passed counts a passage of a step. Those that no fault is tied to need not be counted.
func (t *Tracker) Passed(step string) {
	for i := range t.faults {
		if t.faults[i].At.Step == step {
			t.history.pass(step)
			return
		}
	}
}

// Next returns what happens next to a rank that is at a point of its program at some instant, or
// nil. Before and in a send that is the send after those that count, after it the last of them, and so with
// changes and syncs; at a receive or a step it is the last one that was counted.
func (t *Tracker) Next(at Anchor, step string, now clock.Time) *Scheduled {
	if t.stopsAt <= now {
		return t.FirstFailure()
	}
	n := t.history.reached(at, step)
	for i := range t.faults {
		s := &t.faults[i]
		if s.At.Anchor == at && s.At.N == n && s.At.Step == step && !s.Kind.OfMessages() && !t.history.has(s.Place) {
			return s
		}
	}
	return nil
}

// Happens says that a fault takes effect now: one that Next or FirstFailure has returned. If the
// clock was to bring it about, the machine may be late; that changes nothing.
func (t *Tracker) Happens(s *Scheduled, now clock.Time) {
	t.history.add(s.Place, now)
	due := now
	if s.ByClock() {
		due = s.At.Time
	}
	switch s.Kind {
	case Slow:
		t.slow.Add(due, s.Factor)
	case Crash:
		t.deadAt = min(t.deadAt, due)
		t.stoppedAt = due
	case Hang:
		t.stoppedAt = due
	}
}

// FactorAt is how many times as long an operation of the rank's ports takes that starts at t.
func (t *Tracker) FactorAt(now clock.Time) int { return t.slow.FactorAt(now) }
