package emu_test

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// refDetectorState is the failure detector of the reference machine. It notices failures when they
// happen, and looks through all of them for each answer.
type refDetectorState struct {
	emu.Detection
	failures []refFailure // in the order in which they happened
	watches  []refWatch   // without an answer so far
}

type refFailure struct {
	known clock.Time
	rank  int
}

// refWatch is a call of Watch, or of WatchNext.
type refWatch struct {
	watcher, what int
	next          bool
	at            clock.Time
}

// startDetector notes who is down, or slow, before the run.
func (m *reference) startDetector(d emu.Detection) {
	m.detector.Detection = d
	for _, r := range m.ranks {
		r.suspect = clock.Never
		before := r.nextOnTime(faults.Crash) == 0 || d.Hangs && r.nextOnTime(faults.Hang) == 0 || d.Slow && r.nextOnTime(faults.Slow) == 0
		if before && d.Delay > 0 {
			r.suspect = 0
			m.detector.failures = append(m.detector.failures, refFailure{0, r.id})
		}
	}
}

// nextDetection is when the detector has to look at something.
func (m *reference) nextDetection() clock.Time {
	t := clock.Never
	if m.detector.Delay == 0 {
		return t
	}
	for _, f := range m.detector.failures {
		if arrival := f.known - m.logp.Overhead; arrival > m.now {
			t = min(t, arrival)
		}
	}
	for _, r := range m.ranks {
		if r.deadAt > m.now {
			t = min(t, r.deadAt)
		}
		for _, f := range r.faults {
			if f.At.Anchor == faults.AtTime && f.Kind == faults.Slow && f.At.Time > m.now {
				t = min(t, f.At.Time)
			}
		}
	}
	return t
}

// detect notices what the clock does to ranks now, whatever has become of their programs.
func (m *reference) detect() {
	for _, r := range m.ranks {
		if r.deadAt == m.now {
			r.fall()
		}
		for _, f := range r.faults {
			if m.detector.Slow && f.Kind == faults.Slow && f.At == faults.OnTime(m.now) {
				r.fall()
			}
		}
	}
	m.answerWatches()
}

// fall has the detector take notice that the rank fails now.
func (r *refRank) fall() {
	m := r.m
	if m.detector.Delay == 0 || r.suspect != clock.Never {
		return
	}
	sign := m.now
	for period := m.detector.Period; period > 0 && sign > max(0, r.upSince); {
		if sign--; sign%period == 0 {
			break
		}
	}
	r.suspect = sign + m.detector.Delay
	m.detector.failures = append(m.detector.failures, refFailure{r.suspect, r.id})
	m.answerWatches()
}

// known lists the failures that are known at an instant.
func (m *reference) known(at clock.Time) []refFailure {
	list := slices.Clone(m.detector.failures)
	list = slices.DeleteFunc(list, func(f refFailure) bool { return f.known > at })
	slices.SortFunc(list, func(a, b refFailure) int {
		return cmp.Or(cmp.Compare(a.known, b.known), cmp.Compare(a.rank, b.rank))
	})
	return list
}

// answerWatches puts notices under way. What becomes known as soon as a receive takes cannot
// change any more: failures take longer to be known.
func (m *reference) answerWatches() {
	least, _ := clock.Overheads(m.logp, m.network)
	known := m.known(m.now + least)
	m.detector.watches = slices.DeleteFunc(m.detector.watches, func(w refWatch) bool {
		var f refFailure
		switch {
		case w.next && w.what < len(known):
			f = known[w.what]
		case !w.next && m.ranks[w.what].suspect != clock.Never:
			f = refFailure{m.ranks[w.what].suspect, w.what}
		default:
			return false
		}
		m.arrivals = append(m.arrivals, refArrival{
			at:   max(w.at+m.detector.Delay, f.known) - least,
			from: f.rank, to: w.watcher, order: 1 << 40, // behind what that rank has sent
			msg: mailbox.Message{Kind: protocols.Failed},
		})
		return true
	})
}

// busy notes an instant of a message that somebody has sent.
func (m *reference) busy(t clock.Time, msg mailbox.Message) {
	if msg.Kind != protocols.Failed {
		m.quiescence = max(m.quiescence, t)
	}
}

// lose notes a message that disappears now.
func (m *reference) lose(r *refRank, from int, msg mailbox.Message) {
	if msg.Kind != protocols.Failed {
		m.note(m.now, r.id, report.EventLost, from, msg)
	}
}

func receipt(msg mailbox.Message) report.EventKind {
	if msg.Kind == protocols.Failed {
		return report.EventNotice
	}
	return report.EventReceive
}

// Detector returns the rank as the user of the failure detector.
func (r *refRank) Detector() protocols.Detector {
	if r.m.detector.Delay == 0 {
		return nil
	}
	return (*refDetector)(r)
}

type refDetector refRank

func (d *refDetector) Suspects(rank int) bool {
	r := (*refRank)(d)
	r.wait(r.now, mailbox.None)
	return r.m.ranks[rank].suspect <= r.now
}

func (d *refDetector) Known(n int) (int, bool) {
	r := (*refRank)(d)
	r.wait(r.now, mailbox.None)
	known := r.m.known(r.now)
	if n >= len(known) {
		return 0, false
	}
	return known[n].rank, true
}

func (d *refDetector) Watch(rank int)  { (*refRank)(d).ask(rank, false) }
func (d *refDetector) WatchNext(n int) { (*refRank)(d).ask(n, true) }

func (r *refRank) ask(what int, next bool) {
	r.wait(r.now, mailbox.None)
	r.m.detector.watches = append(r.m.detector.watches, refWatch{r.id, what, next, r.now})
	r.m.answerWatches()
}
