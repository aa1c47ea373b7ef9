package proctest

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// course is what must become of a victim.
type course struct {
	done    []string // what it does, in this order
	spans   []span   // how long it takes for each of that
	asked   []int64  // the requests that its peer receives
	outcome report.Outcome
	unfired faults.Schedule
}

// span is how long a victim takes for something.
type span struct {
	factor int        // how slow it is; 0: it takes no time, or nobody asks how much
	late   clock.Time // so many units more
}

// forecast works out what a schedule must do to a victim. It goes through all that the victim does, and
// through the whole schedule at each point; it shares nothing with what machines read schedules with.
type forecast struct {
	course
	schedule faults.Schedule
	happened []bool
	life     int
	began    clock.Time // the present life, in units as all times here
	now      clock.Time
	network  *network
	requests []mail // in the order in which they leave
	read     int    // how many answers are no longer to come, or to be read
	receives int
	steps    map[string]int
	factor   int
	ended    clock.Time // when its present life did
	dead     clock.Time // when it crashed in its present life
}

// mail is a request or an answer, and how it arrives.
type mail struct {
	value int64
	arrival
}

// foresee says what must become of a victim with this schedule.
func foresee(s faults.Schedule) course {
	v := &forecast{schedule: s, happened: make([]bool, len(s)), steps: make(map[string]int), factor: 1, dead: clock.Never, network: newNetwork(s)}
	v.live()
	for _, t := range []clock.Time{back, backAgain} {
		if i := v.find(faults.Rejoin, t); i >= 0 && v.outcome.Failed() && v.ended < t {
			v.happened[i] = true
			v.slowDown(v.ended, t)
			v.life, v.began, v.now, v.dead = v.life+1, t, t, clock.Never
			v.forget()
			v.live()
		}
	}
	if v.outcome == report.Hung { // it may still crash
		v.clock(v.ended, overAt, faults.Crash)
	}
	for _, r := range arriving(v.requests) {
		v.asked = append(v.asked, r.value)
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
		if round == 3 && !v.waitUntil(goesOn) {
			return
		}
		if !v.step("a", round) || !v.ask(round) || !v.hear(round) || !v.step("b", round) {
			return
		}
	}
	v.end(report.Finished, v.now)
}

// waitUntil lets time pass. Like all that a victim does it says whether the victim gets past it.
func (v *forecast) waitUntil(t clock.Time) bool {
	if v.clock(v.now, t, failures...) {
		return false
	}
	v.now = max(v.now, t)
	return true
}

// step passes a step.
func (v *forecast) step(name string, round int) bool {
	v.steps[name]++
	return v.pass(faults.OnStep(name, v.steps[name])) && v.does(name, round, 0, span{})
}

// ask sends a request.
func (v *forecast) ask(round int) bool {
	n := v.network.sends[0] + 1
	if !v.pass(faults.BeforeNthSend(n)) || !v.pass(faults.DuringNthSend(n)) {
		return false
	}
	for _, a := range v.network.carry(0, 1, v.now, 0) {
		v.requests = append(v.requests, mail{int64(request(v.life, round)), a})
	}
	factor := v.factor // what comes after the send does not change it
	return v.pass(faults.AfterNthSend(n)) && v.does("send", round, 0, span{factor: factor})
}

// hear receives the next answer, which may be to an earlier request.
func (v *forecast) hear(round int) bool {
	answers := v.answers()
	if v.read == len(answers) { // there is none
		if !v.clock(v.now, overAt, failures...) {
			v.end(report.Deadlocked, overAt)
		}
		return false
	}
	a := answers[v.read]
	if !v.waitUntil(a.at) {
		return false
	}
	v.read++
	v.receives++
	took := span{factor: v.factor, late: a.late}
	if a.value != int64(request(v.life, round)) || a.held || a.copy {
		took = span{} // it may have been there for a while
	}
	return v.pass(faults.OnNthRecv(v.receives)) && v.does(receiving, round, a.value, took)
}

// answers are those to all requests up to now, in the order in which they arrive. The peer answers at once.
func (v *forecast) answers() (all []mail) {
	way := newNetwork(v.schedule)
	for _, r := range arriving(v.requests) {
		for _, a := range way.carry(1, 0, r.at, 0) {
			a.late, a.held, a.copy = a.late+r.late, a.held || r.held, a.copy || r.copy
			all = append(all, mail{r.value, a})
		}
	}
	return arriving(all)
}

// forget is about answers that have arrived before the present life.
func (v *forecast) forget() {
	for _, a := range v.answers()[v.read:] {
		if a.at < v.began {
			v.read++
		}
	}
}

// arriving sorts mail of one sender by arrival.
func arriving(all []mail) []mail {
	return slices.SortedStableFunc(slices.Values(all), func(a, b mail) int { return cmp.Compare(a.at, b.at) })
}

func (v *forecast) does(what string, round int, answer int64, took span) bool {
	v.done = append(v.done, named(v.life, what, round, answer))
	v.spans = append(v.spans, took)
	return true
}

// pass lets those faults happen that are tied to a point, in the order of the schedule and each once.
func (v *forecast) pass(point faults.Point) bool {
	for i, f := range v.schedule {
		if f.At != point || v.happened[i] || f.Kind >= faults.Late {
			continue
		}
		v.happened[i] = true
		if f.Kind != faults.Slow {
			v.fail(f.Kind, v.now)
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

// find is where in the schedule such a fault is; -1 if there is none.
func (v *forecast) find(kind faults.Kind, t clock.Time) int {
	return slices.IndexFunc(v.schedule, func(f faults.Fault) bool { return f.Kind == kind && f.At == faults.OnTime(t) })
}

// listUnfired lists what has not happened. A slow-down by the clock happens to whoever has not crashed by
// then, what happens to a message if that was sent, and what happens to links in any case.
func (v *forecast) listUnfired() {
	for i, f := range v.schedule {
		slowed := f.Kind == faults.Slow && f.At.Anchor == faults.AtTime && f.At.Time <= v.dead
		sent := f.Kind >= faults.Late && f.At.N <= v.network.sends[0]
		if !v.happened[i] && !slowed && !sent && f.Right == "" {
			v.unfired = append(v.unfired, f)
		}
	}
}
