package emu_test

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
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

// refFailure is a failure, and when it is known to those who know it first.
type refFailure struct {
	known clock.Time
	rank  int
	life  int
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
			m.detector.failures = append(m.detector.failures, refFailure{0, r.id, 0})
		}
	}
}

// nextDetection is when the detector has to look at something.
func (m *reference) nextDetection() clock.Time {
	t := clock.Never
	if m.detector.Delay == 0 {
		return t
	}
	least, _ := clock.Overheads(m.logp, m.network)
	for _, w := range m.detector.watches {
		for _, f := range m.detector.failures {
			if arrival := m.knownTo(w.watcher, f) - least; arrival > m.now {
				t = min(t, arrival)
			}
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
	m.detector.failures = append(m.detector.failures, refFailure{r.suspect, r.id, r.lives})
	m.answerWatches()
}

// lag is by how much later than others an observer knows of a failure: any of so many ticks as there are up to the spread and 0, the
// upper half of their product with a number that was drawn.
func (m *reference) lag(observer int, f refFailure) clock.Time {
	if f.known == 0 { // before the run
		return 0
	}
	ofObserver := splitmix.At(m.seed, 0x6465746563740000+uint64(observer))
	ofBoth := splitmix.At(ofObserver, 1+uint64(f.rank))
	ticks, _ := bits.Mul64(splitmix.At(ofBoth, 1+uint64(f.life)), 1+uint64(m.detector.Spread))
	return clock.Time(ticks)
}

// knownTo is when an observer knows of a failure.
func (m *reference) knownTo(observer int, f refFailure) clock.Time {
	return f.known + m.lag(observer, f)
}

// known lists the failures that are known to an observer at an instant.
func (m *reference) known(observer int, at clock.Time) []refFailure {
	list := slices.Clone(m.detector.failures)
	list = slices.DeleteFunc(list, func(f refFailure) bool { return m.knownTo(observer, f) > at })
	slices.SortFunc(list, func(a, b refFailure) int {
		return cmp.Or(cmp.Compare(m.knownTo(observer, a), m.knownTo(observer, b)), cmp.Compare(a.rank, b.rank), cmp.Compare(a.life, b.life))
	})
	return list
}

// suspicion is the failure for which a rank is suspected, or will be.
func (r *refRank) suspicion() refFailure { return refFailure{r.suspect, r.id, r.lives} }

// answerWatches puts notices under way. What becomes known as soon as a receive takes cannot
// change any more: failures take longer to be known.
func (m *reference) answerWatches() {
	least, _ := clock.Overheads(m.logp, m.network)
	m.detector.watches = slices.DeleteFunc(m.detector.watches, func(w refWatch) bool {
		var f refFailure
		known := m.known(w.watcher, m.now+least)
		switch {
		case w.next && w.what < len(known):
			f = known[w.what]
		case !w.next && m.ranks[w.what].suspect != clock.Never:
			f = m.ranks[w.what].suspicion()
		default:
			return false
		}
		m.arrivals = append(m.arrivals, refArrival{
			at:   max(w.at+m.detector.Delay, f.known) + m.lag(w.watcher, f) - least,
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
	f := r.m.ranks[rank].suspicion()
	return f.known != clock.Never && r.m.knownTo(r.id, f) <= r.now
}

func (d *refDetector) Known(n int) (int, bool) {
	r := (*refRank)(d)
	r.wait(r.now, mailbox.None)
	known := r.m.known(r.id, r.now)
	if n >= len(known) {
		return 0, false
	}
	return known[n].rank, true
}

func (d *refDetector) Failures(rank, among int) (count int) {
	r := (*refRank)(d)
	for _, f := range r.m.known(r.id, r.now)[:among] {
		if f.rank == rank {
			count++
		}
	}
	return count
}

func (d *refDetector) Watch(rank int)  { (*refRank)(d).ask(rank, false) }
func (d *refDetector) WatchNext(n int) { (*refRank)(d).ask(n, true) }

func (r *refRank) ask(what int, next bool) {
	r.wait(r.now, mailbox.None)
	r.m.detector.watches = append(r.m.detector.watches, refWatch{r.id, what, next, r.now})
	r.m.answerWatches()
}
