package search

import (
	"errors"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
	"github.com/mangrove-emu/mangrove/report"
)

// A sweep runs a schedule with all delays that make a difference. It need not try them by the tick: the delays with which a run
// has some order are a convex set (see [places]), so if two delays lead to the same order, all between them do. With several
// delays, each value of the first one has a sweep of the others behind it, and what that leads to, one after the other, takes the
// place of the order: if two values of the first delay have the same sequence of orders behind them, so have all
// between them, for the boundary between two convex sets that touch at both ends is a straight line.
//
// This supposes that programs reckon with time in sums: they name instants that they have seen, plus or minus something that does not
// depend on time. [ExploreOptions].Every tries all ticks, for those that do not. So does every sweep on machines with noise, nodes or a switch, and of ranks that fail with heartbeats.
type sweep struct {
	*walk
	step     *step
	schedule faults.Schedule // with the delays at hand
	delays   []int           // which of its items have one
	next     map[faults.Fault]candidate
}

// longestOf bounds delays for programs that never come to rest while a message is missing: so many times the span of the plain run.
const longestOf = 4

// sweep runs a schedule with all delays that make a difference, and returns those to go on with, which have one fault more.
func (w *walk) sweep(s step) ([]step, error) {
	x := &sweep{walk: w, step: &s, schedule: slices.Clone(s.schedule), next: make(map[faults.Fault]candidate)}
	for i := range x.schedule {
		if x.schedule[i].Kind.Delays() {
			x.delays = append(x.delays, i)
		}
	}
	if _, err := x.from(0); err != nil {
		return nil, err
	}
	var followers []step
	for _, c := range x.sorted() {
		followers = append(followers, s.longer(&c))
	}
	more := w.bounds.sum() - len(s.schedule) - 1
	for i := range followers {
		followers[i].share = subsets(len(followers)-1-i, more)
	}
	w.meter.advance(s.divide(followers))
	return followers, nil
}

// sorted lists what can be added, in an order that depends on nothing else.
func (x *sweep) sorted() []candidate {
	var all []candidate
	for _, c := range x.next {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b candidate) int {
		if order := a.compareShows(&b); order != 0 {
			return order
		}
		return compareSize(faults.Schedule{a.fault}, faults.Schedule{b.fault})
	})
	return all
}

// absent is the order of a run in which something of the schedule does not happen, so that it is none of its runs.
const absent uint64 = 0

// from tries all delays from one of them on, those before it being given, and returns what they lead to, one after the other.
func (x *sweep) from(level int) (orders uint64, err error) {
	if level == len(x.delays) {
		return x.run()
	}
	longest, ok, err := x.longest(level)
	if err != nil || !ok {
		return absent, err
	}
	x.found.longest = max(x.found.longest, longest)
	delay := &x.schedule[x.delays[level]].Delay
	defer func() { *delay = 0 }()
	all := make(map[clock.Time]uint64)
	try := func(d clock.Time) error {
		*delay = d
		var err error
		all[d], err = x.from(level + 1)
		return err
	}
	if err := try(1); err != nil {
		return absent, err
	}
	if longest > 1 {
		if err = try(longest); err == nil {
			err = x.between(1, longest, all, try)
		}
	}
	return sequence(all), err
}

// between tries delays between two that have been tried, unless these lead to the same.
func (x *sweep) between(low, high clock.Time, all map[clock.Time]uint64, try func(clock.Time) error) error {
	if high-low < 2 || all[low] == all[high] && !x.options.Every && !x.byTick() {
		return nil
	}
	middle := low + (high-low)/2
	if err := try(middle); err != nil {
		return err
	}
	if err := x.between(low, middle, all, try); err != nil {
		return err
	}
	return x.between(middle, high, all, try)
}

// byTick reports whether instants of a run are more than sums, or sums that its events do not show: operations take longer because of noise
// or inside other nodes, messages wait in a switch, failures are noticed by the last heartbeat before them, and what is given happens at instants of its own.
func (x *sweep) byTick() bool {
	machine := &x.subject.Machine
	switch machine.Network.(type) {
	case clock.Contended, clock.Nodes:
		return true
	}
	return machine.Noise != nil || machine.Detection.Period > 0 && x.fails() || x.byClock()
}

// sequence is a number for what delays lead to, from the shortest to the longest; how many of them lead to the same does not matter.
func sequence(all map[clock.Time]uint64) uint64 {
	var delays []clock.Time
	for d := range all {
		delays = append(delays, d)
	}
	slices.Sort(delays)
	sum, last := uint64(1), absent
	for _, d := range delays {
		if all[d] != last {
			last = all[d]
			sum = splitmix.At(sum, last)
		}
	}
	return sum
}

// longest is a delay so long that all others have come to rest before the message arrives: longer ones lead to the same. It is not
// ok if the message is never sent.
func (x *sweep) longest(level int) (longest clock.Time, ok bool, err error) {
	rest, sent, err := x.rest(level)
	switch {
	case errors.Is(err, errUnsent):
		return 0, false, nil
	case errors.Is(err, errEndless):
		return x.limit(), true, nil
	case err != nil:
		return 0, false, err
	}
	longest = max(1, rest-sent)
	if most := x.options.MaxLate; most > 0 {
		longest = min(longest, most)
	}
	return longest, true, nil
}

// rest is by when all others have come to rest while a message is missing, and when that is sent. The others may be delayed
// themselves: not at all, or so long that they come after all the rest.
func (x *sweep) rest(level int) (rest, sent clock.Time, err error) {
	s := slices.Clone(x.schedule)
	for _, i := range x.delays[level:] {
		s[i].Delay = 0
	}
	s, send, err := x.missing(s, x.delays[level])
	if err != nil || len(x.delays) == level+1 {
		return x.atRest(), send.Time, err
	}
	rest = x.atRest()
	for _, i := range x.delays[level+1:] {
		_, follower, err := x.missing(slices.Clone(s), i)
		if errors.Is(err, errUnsent) {
			continue
		}
		if err != nil {
			return 0, 0, err
		}
		rest = max(rest, x.atRest())
		s[i].Delay = max(1, rest-follower.Time)
		if err := x.probe(s); err != nil {
			return 0, 0, err
		}
		rest = max(rest, x.atRest())
	}
	return rest, send.Time, nil
}

// atRest is when nothing happens any more in the run that was made last, and nothing becomes known: what a failure detector would say to
// somebody who asked is no event, nor is what is given if it comes to nothing without the message. Who fails only when the message is there may do so at any time of the detector's period.
func (x *sweep) atRest() clock.Time {
	last := max(lastInstant(&x.runner.report), x.lastGiven())
	if d := x.subject.Machine.Detection; x.fails() {
		last += d.Delay + d.Spread + d.Period
	}
	return last
}

// fails reports whether ranks fail in the schedule, whenever that is.
func (x *sweep) fails() bool {
	stops := func(f faults.Fault) bool { return f.Kind.Stops() }
	return slices.ContainsFunc(x.schedule, stops) || slices.ContainsFunc(x.given, stops)
}

// missing makes a run in which the message of one delay is missing, and returns its schedule and the send of the message. A late message
// holds up those behind it on its link, so they are missing, too.
func (x *sweep) missing(s faults.Schedule, which int) (faults.Schedule, report.Event, error) {
	late := s[which]
	s[which].Delay = 0
	if err := x.probe(s); err != nil {
		return nil, report.Event{}, err
	}
	found, ok := sendOf(&x.runner.report, &late)
	if !ok {
		return nil, report.Event{}, errUnsent
	}
	send := x.runner.report.Events[found]
	if late.Kind != faults.Late {
		return s, send, nil // it is the second arrival that is missing
	}
	s[which].Kind = faults.Lose
	if !x.subject.Machine.Unordered && send.Peer != late.Rank {
		s = append(s, faults.Fault{Kind: faults.Lose, Left: faults.GroupOf(late.Rank), Right: faults.GroupOf(send.Peer), OneWay: true, At: faults.OnTime(send.Time + 1)})
	}
	return s, send, x.probe(s)
}

// probe makes a run that is none of the exploration, to see how long it takes. What has no delay yet does not happen.
func (x *sweep) probe(s faults.Schedule) error {
	x.probed()
	s = slices.DeleteFunc(slices.Clone(s), func(f faults.Fault) bool { return f.Kind.Delays() && f.Delay == 0 })
	err := x.runner.run(x.ctx, x.runner.deciding, s)
	if err == nil {
		return nil
	}
	if _, program := Blame(err); program {
		return errEndless
	}
	return err
}

var (
	errUnsent  = errors.New("search: the message is never sent")
	errEndless = errors.New("search: the run does not end")
)

// limit is what delays are tried up to where no delay is long enough.
func (x *sweep) limit() clock.Time {
	limit := x.options.MaxLate
	if limit == 0 {
		limit = x.plainSpan.Times(longestOf)
	}
	x.found.Limit = max(x.found.Limit, limit)
	return limit
}

// probed counts a run that stands for nothing.
func (x *sweep) probed() {
	x.found.Runs++
	x.meter.ran(0, 0, nil)
}

// run makes one run, and notes what can be added to it.
func (x *sweep) run() (order uint64, err error) {
	broken, ended, err := x.runner.judge(x.ctx, x.runner.deciding, x.schedule)
	if err != nil {
		return absent, err
	}
	rep := &x.runner.report
	if ended && slices.ContainsFunc(x.schedule, func(f faults.Fault) bool { return slices.Contains(rep.Unfired, f) }) {
		x.probed()
		return absent, nil
	}
	x.meter.ran(x.step.points, 0, broken)
	x.found.add(x.whole(x.schedule), x.runner.seed, broken, x.step.points)
	x.found.Tally.Add(x.runner.all)
	if !ended {
		return splitmix.At(absent, uint64(len(broken[0].Name))), nil
	}
	order = x.found.placed(rep, x.subject)
	if len(x.schedule) < x.bounds.sum() {
		x.follow(rep)
	}
	return order, nil
}

// placed notes the run and the case that it is, and returns its order.
func (x *Exploration) placed(rep *report.Report, s *Subject) (order uint64) {
	x.saw(rep.Hash)
	p := placesOf(rep, s.Machine.Unordered)
	x.cases[report.Hash(p.what)] = struct{}{}
	return max(1, p.order)
}

// follow notes what can be added to the schedule of this run. What is found in several runs shows when it does so first.
func (x *sweep) follow(rep *report.Report) {
	for _, c := range x.additions(rep, x.step) {
		if old, known := x.next[c.fault]; known {
			c.shows, c.points = min(c.shows, old.shows), max(c.points, old.points)
		}
		x.next[c.fault] = c
	}
}
