package emu

import (
	"math"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Detection describes a machine's failure detector: it takes time, and it is never wrong unless
// told to be.
type Detection struct {
	// Delay is how long it takes until a failure is known. 0: there is no detector. It cannot
	// be shorter than the way of the shortest message, 2o+L.
	Delay clock.Time
	// Spread makes that differ from observer to observer, and from failure to failure: it takes any
	// time from Delay to Delay + Spread, see [Detection.Lag]. 0: it is the same for all.
	Spread clock.Time
	// Hangs says that ranks that hang are noticed like crashes, as by a detector that waits
	// for signs of life. One that watches connections does not notice them.
	Hangs bool
	// Period is how often ranks give signs of life, at multiples of it and when they begin. A
	// failure is known Delay after the last sign before it, as if others waited that long for
	// the next one; so Delay cannot be shorter than Period + 2o+L. Signs cost nothing and are no
	// messages. 0: Delay counts from the failure itself.
	Period clock.Time
	// Slow makes a detector that is wrong: a rank that is slowed down counts as failed from
	// that moment on, although it lives.
	Slow bool
}

// check looks at the detector on a machine.
func (d Detection) check(wrong *problems.List, lookahead clock.Time) {
	if d.Delay == 0 {
		wrong.Check(!d.Hangs, "a detector notices hangs, but has no delay")
		wrong.Check(!d.Slow, "a detector takes slow ranks for failed, but has no delay")
		wrong.Check(d.Period == 0, "detector period = %d ticks, want 0 without a delay", d.Period)
		wrong.Check(d.Spread == 0, "detector spread = %d ticks, want 0 without a delay", d.Spread)
		return
	}
	longest := clock.MaxCost
	if d.Delay < lookahead || d.Delay > clock.MaxCost {
		wrong.Add("detector delay = %d ticks, want 0 for none or %d (2o+L) to %d", d.Delay, lookahead, clock.MaxCost)
	} else {
		longest = d.Delay - lookahead
	}
	wrong.Check(d.Period >= 0 && d.Period <= longest, "detector period = %d ticks, want 0 for none to %d (delay less 2o+L)", d.Period, longest)
	most := clock.MaxCost - min(max(0, d.Delay), clock.MaxCost)
	wrong.Check(d.Spread >= 0 && d.Spread <= most, "detector spread = %d ticks, want 0 for none to %d", d.Spread, most)
}

// Detector returns the rank's view of the machine's failure detector.
func (r *rank) Detector() protocols.Detector {
	if r.m.cfg.Detection.Delay == 0 {
		return nil
	}
	return (*detector)(r)
}

// detector is a rank as the user of its failure detector.
type detector rank

// Suspects reports what is known of a rank by now.
func (d *detector) Suspects(target int) bool {
	r := d.look(callSuspects)
	protocols.CheckTarget("Suspects", target, r.m.cfg.Ranks)
	k, suspected := r.m.detector.known[int32(target)]
	suspected = suspected && r.m.knownTo(r.id, k) <= r.now
	if r.m.deciding {
		r.decideKnown(target, suspected)
	}
	return suspected
}

// Known reports what is known of the n-th failure by now.
func (d *detector) Known(n int) (rank int, ok bool) {
	r := d.look(callKnown)
	protocols.CheckNumber("Known", n)
	if k, there := r.m.nth(r.id, n); there && r.m.knownTo(r.id, k) <= r.now {
		rank, ok = int(k.rank), true
	}
	if r.m.deciding && !(ok && r.toldBefore(n)) {
		r.decideKnown(rank, ok)
	}
	return rank, ok
}

// Failures counts those of a rank among the first of the list. What a rank has been told of does not
// change any more, so it need not look.
func (d *detector) Failures(target, among int) (count int) {
	r := (*rank)(d)
	protocols.CheckTarget("Failures", target, r.m.cfg.Ranks)
	protocols.CheckNumber("Failures", among)
	return r.m.countFailures(r.id, int32(target), among)
}

// look makes sure that all is known that a rank can know by now. A send may have taken it past
// the end of its window, beyond which the machine does not know yet itself.
func (d *detector) look(c call) *rank {
	r := (*rank)(d)
	if r.stopAt != unreceived {
		r.reach(r.now, c)
	}
	r.stall()
	return r
}

// Watch asks for a notice of a rank's failure.
func (d *detector) Watch(target int) {
	r := (*rank)(d)
	protocols.CheckTarget("Watch", target, r.m.cfg.Ranks)
	r.ask(callWatch, &r.m.detector.asked, target)
}

// WatchNext asks for a notice of the n-th failure.
func (d *detector) WatchNext(n int) {
	protocols.CheckNumber("WatchNext", n)
	r := (*rank)(d)
	r.ask(callWatchNext, &r.m.detector.askedNext, min(n, math.MaxInt32)) // no run has as many
}

// ask puts a call to those that are dealt with at the end of the window.
func (r *rank) ask(c call, asked *pile[watch], what int) {
	r.reach(r.now, c)
	r.stall()
	d := &r.m.detector
	d.mu.Lock()
	defer d.mu.Unlock()
	asked.add(watch{watcher: r.id, what: int32(what), at: r.now})
}
