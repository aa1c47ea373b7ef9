package proctest

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// course is what must become of a victim.
type course struct {
	done    []string // what it does, in this order
	factors []int    // how slow it is in each of that, as far as it takes time
	asked   []int64  // the requests that its peer receives
	outcome report.Outcome
	unfired faults.Schedule
}

// forecast works out what a schedule must do to a victim. It goes through all that the victim does, and
// through the whole schedule at each point; it shares nothing with what machines read schedules with.
type forecast struct {
	course
	schedule faults.Schedule
	happened []bool
	life     int
	began    clock.Time // the present life, in units as all times here
	sends    int
	receives int
	steps    map[string]int
	factor   int
	ended    clock.Time // when its present life did
	dead     clock.Time // when it crashed in its present life
}

// foresee says what must become of a victim with this schedule.
func foresee(s faults.Schedule) course {
	v := &forecast{schedule: s, happened: make([]bool, len(s)), steps: make(map[string]int), factor: 1, dead: clock.Never}
	v.live()
	for _, t := range []clock.Time{back, backAgain} {
		if i := v.find(faults.Rejoin, t); i >= 0 && v.outcome.Failed() && v.ended < t {
			v.happened[i] = true
			v.slowDown(v.ended, t)
			v.life, v.began, v.dead = v.life+1, t, clock.Never
			v.live()
		}
	}
	if v.outcome == report.Hung { // it may still crash
		v.clock(v.ended, overAt, faults.Crash)
	}
	v.listUnfired()
	return v.course
}

// live is one life of the victim.
func (v *forecast) live() {
	if v.life == 0 && v.clock(-1, 0, failures...) {
		return
	}
	for round := 1; round <= 3; round++ {
		now := v.began
		if round == 3 {
			if v.clock(v.began, goesOn, failures...) {
				return
			}
			now = goesOn
		}
		if !v.step("a", round, now) || !v.ask(round, now) || !v.hear(round, now) || !v.step("b", round, now) {
			return
		}
	}
	v.end(report.Finished, goesOn)
}

// step passes a step. Like all that a victim does it says whether the victim gets past it.
func (v *forecast) step(name string, round int, now clock.Time) bool {
	v.steps[name]++
	return v.pass(faults.OnStep(name, v.steps[name]), now) && v.does(name, round, 0)
}

// ask sends a request.
func (v *forecast) ask(round int, now clock.Time) bool {
	n := v.sends + 1
	if !v.pass(faults.BeforeNthSend(n), now) || !v.pass(faults.DuringNthSend(n), now) {
		return false
	}
	v.sends++
	if !v.isCut(now) {
		v.asked = append(v.asked, int64(request(v.life, round)))
	}
	factor := v.factor // what comes after the send does not change it
	return v.pass(faults.AfterNthSend(n), now) && v.does("send", round, factor)
}

// hear receives the answer.
func (v *forecast) hear(round int, now clock.Time) bool {
	if v.isCut(now) { // there is none
		if !v.clock(now, overAt, failures...) {
			v.end(report.Deadlocked, overAt)
		}
		return false
	}
	v.receives++
	factor := v.factor
	return v.pass(faults.OnNthRecv(v.receives), now) && v.does(receiving, round, factor)
}

func (v *forecast) does(what string, round, factor int) bool {
	v.done = append(v.done, named(v.life, what, round))
	v.factors = append(v.factors, factor)
	return true
}

// pass lets those faults happen that are tied to a point, in the order of the schedule and each once.
func (v *forecast) pass(point faults.Point, now clock.Time) bool {
	for i, f := range v.schedule {
		if f.At != point || v.happened[i] {
			continue
		}
		v.happened[i] = true
		if f.Kind != faults.Slow {
			v.fail(f.Kind, now)
			return false
		}
		v.factor = f.Factor
	}
	return true
}

// failures are how a victim fails, in the order that counts at one instant.
var failures = []faults.Kind{faults.Crash, faults.Hang}

// clock lets slow-downs and these failures happen after one instant and up to another, and says whether the
// victim fails.
func (v *forecast) clock(after, until clock.Time, failures ...faults.Kind) bool {
	for t := after + 1; t <= until; t++ {
		v.slowDown(t-1, t)
		for _, kind := range failures {
			if i := v.find(kind, t); i >= 0 {
				v.happened[i] = true
				v.fail(kind, t)
				return true
			}
		}
	}
	return false
}

// slowDown lets the clock slow the victim down. Of two slow-downs at one instant the later one counts.
func (v *forecast) slowDown(after, until clock.Time) {
	for t := after + 1; t <= until; t++ {
		for _, f := range v.schedule {
			if f.Kind == faults.Slow && f.At == faults.OnTime(t) {
				v.factor = f.Factor
			}
		}
	}
}

func (v *forecast) fail(kind faults.Kind, t clock.Time) {
	outcome := report.Hung
	if kind == faults.Crash {
		outcome, v.dead = report.Crashed, t
	}
	v.end(outcome, t)
}

func (v *forecast) end(outcome report.Outcome, t clock.Time) { v.outcome, v.ended = outcome, t }

func (v *forecast) isCut(now clock.Time) bool {
	return slices.ContainsFunc(v.schedule, func(f faults.Fault) bool { return f.Kind == faults.Cut && f.At.Time <= now })
}

// find is where in the schedule such a fault is; -1 if there is none.
func (v *forecast) find(kind faults.Kind, t clock.Time) int {
	return slices.IndexFunc(v.schedule, func(f faults.Fault) bool { return f.Kind == kind && f.At == faults.OnTime(t) })
}

// listUnfired lists what has not happened. A slow-down by the clock happens to whoever has not crashed by
// then, and a cut in any case.
func (v *forecast) listUnfired() {
	for i, f := range v.schedule {
		slowed := f.Kind == faults.Slow && f.At.Anchor == faults.AtTime && f.At.Time <= v.dead
		if !v.happened[i] && !slowed && f.Kind != faults.Cut {
			v.unfired = append(v.unfired, f)
		}
	}
}
