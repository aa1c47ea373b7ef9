package temporal

import (
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// scene is how things stand at an instant of a run.
type scene struct {
	size    int
	states  []*State
	in      map[*State]map[int]clock.Time // which ranks are in a state, and since when
	failed  failures
	changes int // how often a rank has entered or left one of the states
	past    []interval
}

// interval is when a rank was in a state.
type interval struct {
	state    *State
	rank     int
	from, to clock.Time // to is not part of it; clock.Forever if it went on
}

func newScene(size int, states []*State) *scene {
	s := &scene{size: size, states: states, in: make(map[*State]map[int]clock.Time), failed: make(failures)}
	for _, state := range states {
		s.in[state] = make(map[int]clock.Time)
	}
	return s
}

// live is how many ranks have not failed.
func (s *scene) live() int { return s.size - len(s.failed) }

// see has an event happen.
func (s *scene) see(e report.Event) {
	late := s.failed.see(e)
	for state, in := range s.in {
		since, inside := in[e.Rank]
		begins := state.begins.Is(e) && (!late || state.sticky)
		if inside && (state.ends.Is(e) || Failure.Is(e) && !state.sticky) {
			delete(in, e.Rank)
			s.past = append(s.past, interval{state, e.Rank, since, e.Time})
			s.changes++
			inside = false
		}
		if begins && !inside {
			in[e.Rank] = e.Time
			s.changes++
		}
	}
}

// intervals are when ranks were in one of the states, those that go on included.
func (s *scene) intervals() []interval {
	all := s.past
	for state, in := range s.in {
		for rank, since := range in {
			all = append(all, interval{state, rank, since, clock.Forever})
		}
	}
	return all
}

// String says who is what: "ranks 2 and 5 are leader".
func (s *scene) String() string {
	var parts []string
	for i, state := range s.states {
		if slices.Index(s.states, state) < i {
			continue
		}
		var ranks []int
		for rank := range s.in[state] {
			ranks = append(ranks, rank)
		}
		slices.Sort(ranks)
		if state.sticky {
			parts = append(parts, state.says+[]string{" has not happened", " has happened"}[min(1, len(ranks))])
			continue
		}
		parts = append(parts, guarantee.ListRanks(ranks)+" "+isOrAre(max(1, len(ranks)))+" "+state.says)
	}
	return strings.Join(parts, ", ")
}

// span is a time during which something was so, or the instant of an event.
type span struct {
	from, to clock.Time // to is not part of it; clock.Forever if it went on
	event    int        // its place; -1 if it is no event
	rank     int
	scene    string // how things stood when it began
}

// spans are the times during which the condition held, and how often one of its states has changed.
func (c Condition) spans(run guarantee.Run) (found []span, changes int) {
	now := newScene(run.Report.Size(), c.states)
	held := false
	look := func(at clock.Time) {
		holds := c.holds(now)
		switch {
		case holds && !held:
			found = append(found, span{from: at, to: clock.Forever, event: -1, rank: report.NoPeer, scene: now.String()})
		case held && !holds:
			found[len(found)-1].to = at
		}
		held = holds
	}
	instant := clock.Time(0)
	for _, e := range run.Report.Events {
		if e.Time > instant {
			look(instant)
			instant = e.Time
		}
		now.see(e)
	}
	look(instant)
	return found, now.changes
}

// ofNothing reports whether the condition holds where nobody has done anything, and so for a protocol that does nothing.
func (c Condition) ofNothing() bool { return c.holds(newScene(1, c.states)) }

// around are marks of who was in a state at an instant, or had just left it. Guilty is whose change came then.
func (c Condition) around(run guarantee.Run, at clock.Time) (marks []guarantee.Mark) {
	now := newScene(run.Report.Size(), c.states)
	for _, e := range run.Report.Events {
		now.see(e)
	}
	for _, i := range now.intervals() {
		if i.from < i.to && i.from <= at && i.to >= at {
			marks = append(marks, guarantee.Mark{Rank: i.rank, From: i.from, To: i.to, Text: i.state.says, Guilty: i.from == at || i.to == at})
		}
	}
	slices.SortFunc(marks, compareMarks)
	return marks
}
