package proctest

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

var faultCases = []Case{
	tried("each fault happens at its point, and nowhere else", singles()),
	tried("a crash and another fault happen in the order in which a rank gets to them", pairs(faults.Crash)),
	tried("a hang and another fault happen in the order in which a rank gets to them", pairs(faults.Hang)),
	tried("a slow-down and another fault happen in the order in which a rank gets to them", pairs(faults.Slow)),
	tried("a cut and another fault happen in the order in which a rank gets to them", pairs(faults.Cut)),
	tried("a mend and another fault happen in the order in which a rank gets to them", pairs(faults.Mend)),
	tried("that a message is late and another fault happen in the order in which a rank gets to them", pairs(faults.Late)),
	tried("that a message is lost and another fault happen in the order in which a rank gets to them", pairs(faults.Lose)),
	tried("that a message comes twice and another fault happen in the order in which a rank gets to them", pairs(faults.Twice)),
	{Name: "what fails at an instant of a send fails before, in or after it", Exact: true, on: logP(2), check: failsInSend},
}

// tried is a case that tries schedules on victims.
func tried(name string, schedules []faults.Schedule) Case {
	machine := clock.LogP{Ranks: ranksFor(len(schedules)), Latency: 5, Overhead: 4}
	return Case{Name: name, on: []clock.LogP{machine}, check: func(c *checker) { c.try(schedules) }}
}

// points are where faults of victims are: at each kind of point, in the first life and, for a victim that
// has failed there and come back, in the second one.
func points() []faults.Point {
	all := []faults.Point{faults.OnTime(0), faults.OnTime(early), faults.OnTime(late), faults.OnStep("b", 1)}
	for _, n := range []int{2, 5} {
		all = append(all, faults.BeforeNthSend(n), faults.DuringNthSend(n), faults.AfterNthSend(n), faults.OnNthRecv(n), faults.OnStep("a", n))
	}
	return all
}

// items are faults of a victim, of each kind at each point.
func items(factor int) (all []faults.Fault) {
	for _, at := range points() {
		all = append(all, faults.Fault{Kind: faults.Crash, At: at}, faults.Fault{Kind: faults.Hang, At: at}, faults.Fault{Kind: faults.Slow, Factor: factor, At: at})
	}
	for _, n := range []int{2, 5} {
		at := faults.DuringNthSend(n)
		all = append(all, faults.Fault{Kind: faults.Late, Delay: delay, At: at}, faults.Fault{Kind: faults.Lose, At: at}, faults.Fault{Kind: faults.Twice, Delay: delay, At: at})
	}
	return append(all, ofLinks...)
}

// ofLinks are faults of the links between a victim, 0, and its peer, 1.
var ofLinks = faults.MustParse(strings.NewReplacer("EARLY", strconv.Itoa(early), "LATE", strconv.Itoa(late), "DELAY", strconv.Itoa(delay)).Replace(
	"cut:0|1@t0,cut:0|1@tEARLY,cut:0>1@tEARLY,cut:1>0@tEARLY,mend:0|1@tLATE,mend:0>1@tLATE," +
		"late:1>0@t0..tEARLY+DELAY,lose:0>1@tEARLY..tLATE,twice:0|1@tEARLY+DELAY"))

// rejoins let a victim come back twice. Their order in the schedule means nothing.
var rejoins = faults.Schedule{
	{Kind: faults.Rejoin, At: faults.OnTime(backAgain)},
	{Kind: faults.Rejoin, At: faults.OnTime(back)},
}

// singles are schedules of one fault, without and with rejoins.
func singles() (all []faults.Schedule) {
	for _, f := range items(3) {
		all = append(all, faults.Schedule{f}, append(faults.Schedule{f}, rejoins...))
	}
	return all
}

// pairs are schedules of two faults, the first of which is of a kind. One order of the two has rejoins.
func pairs(kind faults.Kind) (all []faults.Schedule) {
	for i, first := range items(3) {
		for j, second := range items(7) {
			switch {
			case first.Kind != kind || i == j && kind != faults.Slow:
			case i <= j:
				all = append(all, append(faults.Schedule{first, second}, rejoins...))
			default:
				all = append(all, faults.Schedule{first, second})
			}
		}
	}
	return all
}

// try runs all these schedules at once, each on a victim of its own; a sample of them if tests are to be short, and
// where time is real, as so many victims make a machine late.
func (c *checker) try(schedules []faults.Schedule) {
	if len(schedules) > 120 && (testing.Short() || !c.machine.exact()) {
		schedules = sample(schedules)
	}
	t := &trial{schedules: schedules, unit: max(300, 200+c.machine.Late/4)}
	c.Ranks = ranksFor(len(schedules))
	t.observations = run(c, setup{seed: 1, faults: t.schedule(), deadlocks: true}, t.main) // peers wait for ever
	if c.judge(t.aftermath, c.Ranks-1); c.broken {
		return
	}
	unfired := make(map[string]bool)
	for _, f := range t.Unfired {
		unfired[f] = true
	}
	for victim := range schedules {
		if c.compare(t, victim, unfired); len(c.found) == enough {
			return
		}
	}
}

// sample takes every tenth schedule, and all about two faults at one send or by the clock.
func sample(all []faults.Schedule) (some []faults.Schedule) {
	for i, s := range all {
		first, second := s[0].At, s[1%len(s)].At
		together := first.N == second.N && isSend(first) && isSend(second)
		byClock := first.Anchor == faults.AtTime && second.Anchor == faults.AtTime
		if i%10 == 0 || together || byClock {
			some = append(some, s)
		}
	}
	return some
}

func isSend(p faults.Point) bool {
	return p.Anchor >= faults.BeforeSend && p.Anchor <= faults.AfterSend
}

// enough is how many victims must differ from what they should have become for nobody to want to see more.
const enough = 10

// compare looks at what has become of a victim.
func (c *checker) compare(t *trial, victim int, unfired map[string]bool) {
	got, want := t.courseOf(victim, unfired), foresee(t.schedules[victim])
	differs := c.errorf
	if slices.ContainsFunc(t.schedules[victim], dependsOnTime) {
		differs = c.tooLate // perhaps
	}
	switch s := t.scheduleOf(victim); {
	case !slices.Equal(got.done, want.done):
		differs("%s: rank %d has done %q, want %q", s, victim, got.done, want.done)
	case !slices.Equal(got.asked, want.asked):
		differs("%s: the requests %d of rank %d arrived, want %d", s, got.asked, victim, want.asked)
	case got.outcome != want.outcome:
		differs("%s: rank %d has %s, want %s", s, victim, got.outcome, want.outcome)
	case !slices.Equal(got.unfired, want.unfired):
		differs("%s: %s did not happen, want %s, in units", s, got.unfired, want.unfired)
	default:
		c.compareSpans(t, victim, want, differs)
	}
}

// courseOf is what has become of a victim.
func (t *trial) courseOf(victim int, unfired map[string]bool) (got course) {
	for _, n := range t.by[victim].Done {
		got.done = append(got.done, n.What)
	}
	for i, f := range t.scheduleOf(victim) {
		if unfired[f.String()] {
			got.unfired = append(got.unfired, t.schedules[victim][i])
		}
	}
	got.asked, got.outcome = t.by[t.peer(victim)].Asked, t.Outcomes[victim]
	return got
}

// dependsOnTime reports whether a fault makes it a matter of time what a victim does before and after it. If
// a machine reads a schedule in another way, it does so however much time there is.
func dependsOnTime(f faults.Fault) bool {
	return f.At.Anchor == faults.AtTime && f.At.Time > 0 || f.Delay > 0
}

// compareSpans looks at how long a victim took for its sends and receives.
func (c *checker) compareSpans(t *trial, victim int, want course, differs func(string, ...any)) {
	notes := t.by[victim].Done
	for i, n := range notes {
		factor := clock.Time(want.spans[i].factor)
		if factor == 0 {
			continue
		}
		model := factor * c.Overhead
		if n.isReceive() {
			model += 2*c.Latency + 2*c.Overhead + want.spans[i].late*t.unit // the way there and back
		}
		switch took := n.End - n.Start; {
		case c.machine.exact() && took != model:
			differs("%s: rank %d, %d times as slow as others, takes %d ticks for %s, want %d", t.scheduleOf(victim), victim, factor, took, n.What, model)
		case n.isReceive():
			c.compareWhole(t, victim, notes[i-1], n, clock.Time(want.spans[i-1].factor)+factor, differs)
		}
	}
}

// compareWhole looks at a request and its answer together. What is slow on a machine with a real clock takes no less
// than it should, but a port may have been at work before somebody asks for its message; and nobody knows what else
// takes how long there.
func (c *checker) compareWhole(t *trial, victim int, request, answer note, factors clock.Time, differs func(string, ...any)) {
	if took, least := answer.End-request.Start, (factors-2)*c.Overhead; took < least {
		differs("%s: rank %d, slow as it is, takes %d ticks from %s to %s, want %d or more", t.scheduleOf(victim), victim, took, request.What, answer.What, least)
	}
}

// failsInSend has the clock and the program compete for a rank that sends.
func failsInSend(c *checker) {
	for t := range 3*c.Overhead + 1 {
		schedule := faults.Schedule{{Kind: faults.Crash, At: faults.DuringNthSend(2)}, {Kind: faults.Hang, At: faults.OnTime(t)}}
		seen := run(c, setup{seed: 1, faults: schedule}, func(p protocols.Proc, note func(func(own *[]receipt))) {
			if p.Rank() == 1 {
				got := receiveUntil(p, 4*c.Delivery())
				note(func(own *[]receipt) { *own = got })
				return
			}
			for i := range 3 {
				p.Send(1, number(i))
			}
		})
		if c.judge(seen.aftermath, 1); c.broken {
			return
		}
		outcome, complete := report.Crashed, 1
		if t <= c.Overhead+c.Overhead/2 {
			outcome, complete = report.Hung, int(t/c.Overhead)
		}
		if seen.Outcomes[0] != outcome {
			c.errorf("%s: rank 0 has %s, want %s", schedule, seen.Outcomes[0], outcome)
		}
		same(c, schedule.String()+": messages that were sent", values(seen.by[1]), count[int64](complete))
	}
}
