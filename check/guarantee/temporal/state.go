package temporal

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/report"
)

// State is something that a rank is for a while, such as the leader.
type State struct {
	says         string
	begins, ends Happening
	sticky       bool // not even a failure ends it
}

// While makes a state that each rank is in from one event of its own until another one: from the step "leader" until the step "follower". It says what a rank is then, as in
// "rank 3 is the leader". An event that is both begins it anew.
//
// When a rank crashes or hangs, the state ends, and it does not begin before the rank is back, whatever its mailbox receives. Only the failure itself may begin one, as in
// While("down", Failure, Rejoin). A rank that comes back is not in it until it begins again. That the program returns does not end it, unless ends
// says so. What begins and ends at one instant never was.
func While(says string, begins, ends Happening) *State {
	return &State{says: says, begins: begins, ends: ends}
}

// AtMost is that no more than n ranks are in the state.
func (s *State) AtMost(n int) Condition {
	return s.count(fmt.Sprintf("at most %s %s %s", text.Count(n, "rank"), isOrAre(n), s.says), func(in, _ int) bool { return in <= n })
}

// AtLeast is that n ranks or more are in the state.
func (s *State) AtLeast(n int) Condition {
	return s.count(fmt.Sprintf("at least %s %s %s", text.Count(n, "rank"), isOrAre(n), s.says), func(in, _ int) bool { return in >= n })
}

// Exactly is that n ranks are in the state.
func (s *State) Exactly(n int) Condition {
	return s.count(fmt.Sprintf("exactly %s %s %s", text.Count(n, "rank"), isOrAre(n), s.says), func(in, _ int) bool { return in == n })
}

// Everywhere is that all ranks that have not failed are in the state, and there are some.
func (s *State) Everywhere() Condition {
	return s.count("all live ranks are "+s.says, func(in, live int) bool { return in == live && live > 0 })
}

// On is that this rank is in the state.
func (s *State) On(rank int) Condition {
	return Condition{fmt.Sprintf("rank %d is %s", rank, s.says), []*State{s}, func(now *scene) bool {
		_, in := now.in[s][rank]
		return in
	}}
}

func (s *State) count(says string, holds func(in, live int) bool) Condition {
	return Condition{says, []*State{s}, func(now *scene) bool { return holds(len(now.in[s]), now.live()) }}
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Condition is something that is so at some instants and not at others. It changes with events, and counts as it is when all events of an
// instant have happened: what two ranks do at one instant has no order.
type Condition struct {
	says   string
	states []*State
	holds  func(*scene) bool
}

// Happened is that something has happened, at whatever time before, to whichever rank.
func Happened(h Happening) Condition {
	s := &State{says: h.Says, begins: h, ends: Happening{"nothing", func(report.Event) bool { return false }}, sticky: true}
	c := s.AtLeast(1)
	c.says = h.Says + " has happened"
	return c
}

// And is that both are so.
func (c Condition) And(other Condition) Condition {
	return c.with(other, " and ", func(now *scene) bool { return c.holds(now) && other.holds(now) })
}

// Or is that one of them is so, or both.
func (c Condition) Or(other Condition) Condition {
	return c.with(other, " or ", func(now *scene) bool { return c.holds(now) || other.holds(now) })
}

func (c Condition) with(other Condition, word string, holds func(*scene) bool) Condition {
	return Condition{c.says + word + other.says, append(c.states[:len(c.states):len(c.states)], other.states...), holds}
}

// Not is that it is not so.
func (c Condition) Not() Condition {
	return Condition{"not: " + c.says, c.states, func(now *scene) bool { return !c.holds(now) }}
}

// String is what it says.
func (c Condition) String() string { return c.says }
