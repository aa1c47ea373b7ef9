package temporal_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/guarantee/temporal"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// traced is a run of four ranks with these events.
func traced(events ...report.Event) guarantee.Run {
	rep := &report.Report{Ranks: make([]report.RankResult, 4), Events: events}
	slices.SortStableFunc(rep.Events, report.CompareEvents)
	failed := make(map[int]report.Failure)
	for _, e := range rep.Events {
		switch e.Kind {
		case report.EventCrash, report.EventHang:
			outcome := map[report.EventKind]report.Outcome{report.EventCrash: report.Crashed, report.EventHang: report.Hung}[e.Kind]
			failed[e.Rank] = report.Failure{Rank: e.Rank, Outcome: outcome, Time: e.Time}
		case report.EventRejoin:
			delete(failed, e.Rank)
		}
	}
	for rank := range rep.Ranks {
		if f, ok := failed[rank]; ok {
			rep.Failed = append(rep.Failed, f)
			rep.Ranks[rank].Outcome = f.Outcome
		}
	}
	return guarantee.Run{Report: rep}
}

func step(at clock.Time, rank int, name string) report.Event {
	return report.Event{Time: at, Rank: rank, Peer: report.NoPeer, Kind: report.EventStep, Step: name}
}

func event(at clock.Time, rank int, kind report.EventKind) report.Event {
	return report.Event{Time: at, Rank: rank, Peer: report.NoPeer, Kind: kind}
}

var leader = temporal.While("leader", temporal.Step("lead"), temporal.Step("follow"))

// requireVerdict compares all but the marks.
func requireVerdict(t *testing.T, g guarantee.Guarantee, run guarantee.Run, words string) []guarantee.Mark {
	t.Helper()
	require.True(t, g.NeedsEvents())
	v := guarantee.PromiseOf(g).Check(run)
	require.Equal(t, words, v.String())
	require.Equal(t, v.Value == guarantee.Broken, len(v.Marks) > 0)
	return v.Marks
}

func TestAlways(t *testing.T) {
	one := temporal.Always("one at a time", leader.AtMost(1))
	requireVerdict(t, one, traced(), "not claimed: one at a time: nothing has happened on which it depends that at most 1 rank is leader")
	requireVerdict(t, one, traced(step(5, 1, "other")), "not claimed: one at a time: nothing has happened on which it depends that at most 1 rank is leader")
	requireVerdict(t, one, traced(step(5, 1, "lead"), step(9, 1, "follow"), step(9, 0, "lead")), "held: one at a time: at most 1 rank is leader, through 3 changes")
	marks := requireVerdict(t, one, traced(step(5, 1, "lead"), step(8, 0, "lead"), step(9, 1, "follow"), step(20, 1, "lead")),
		"broken: one at a time: from t=8 to t=9: ranks 0 and 1 are leader")
	require.Equal(t, []guarantee.Mark{{Rank: 1, From: 5, To: 9, Text: "leader"}, {Rank: 0, From: 8, To: clock.Forever, Text: "leader", Guilty: true}}, marks)
}

func TestAFailureEndsAState(t *testing.T) {
	one := temporal.Always("one at a time", leader.AtMost(1))
	for _, kind := range []report.EventKind{report.EventCrash, report.EventHang} {
		requireVerdict(t, one, traced(step(5, 1, "lead"), event(7, 1, kind), step(8, 0, "lead")), "held: one at a time: at most 1 rank is leader, through 3 changes")
		requireVerdict(t, one, traced(step(5, 1, "lead"), event(7, 1, kind), event(9, 1, report.EventRejoin), step(12, 0, "lead")),
			"held: one at a time: at most 1 rank is leader, through 3 changes")
	}
	requireVerdict(t, one, traced(step(5, 1, "lead"), event(7, 1, report.EventExit), step(8, 0, "lead")), "broken: one at a time: from t=8 on: ranks 0 and 1 are leader")
	untilReturn := temporal.While("leader", temporal.Step("lead"), temporal.Return)
	requireVerdict(t, temporal.Always("one at a time", untilReturn.AtMost(1)), traced(step(5, 1, "lead"), event(7, 1, report.EventExit), step(8, 0, "lead")),
		"held: one at a time: at most 1 rank is leader, through 3 changes")
}

// What ranks do at one instant has no order.
func TestAConditionCountsWhenAnInstantIsOver(t *testing.T) {
	some := temporal.Always("somebody", leader.AtLeast(1).Or(temporal.Happened(temporal.Step("lead")).Not()))
	requireVerdict(t, some, traced(step(5, 0, "lead"), step(9, 0, "follow"), step(9, 3, "lead")),
		"held: somebody: at least 1 rank is leader or not: step lead has happened, through 5 changes")
	requireVerdict(t, some, traced(step(5, 0, "lead"), step(9, 0, "follow"), step(10, 3, "lead")),
		"broken: somebody: from t=9 to t=10: no rank is leader, step lead has happened")
}

// Who has just left is to blame if there are too few; what was never is not shown.
func TestWhoIsMarked(t *testing.T) {
	two := temporal.Always("two", leader.AtLeast(2).Or(temporal.Happened(temporal.Crash).Not()))
	marks := requireVerdict(t, two, traced(step(2, 3, "lead"), step(2, 0, "lead"), step(2, 1, "lead"), event(3, 2, report.EventCrash), step(5, 1, "follow"),
		step(6, 1, "lead"), step(6, 1, "follow"), step(6, 3, "follow"), step(6, 3, "lead"), step(8, 0, "follow"), step(8, 1, "lead"), step(8, 1, "follow")),
		"broken: two: from t=8 on: rank 3 is leader, a crash has happened")
	require.Equal(t, []guarantee.Mark{
		{Rank: 0, From: 2, To: 8, Text: "leader", Guilty: true},
		{Rank: 2, From: 3, To: clock.Forever, Text: "a crash"},
		{Rank: 3, From: 6, To: clock.Forever, Text: "leader"},
	}, marks)
	marks = requireVerdict(t, temporal.Always("none", leader.AtMost(0)), traced(step(3, 2, "lead"), step(3, 1, "lead")), "broken: none: from t=3 on: ranks 1 and 2 are leader")
	require.Equal(t, []int{1, 2}, []int{marks[0].Rank, marks[1].Rank})
}

// A broken condition is shown even if nobody was ever in a state.
func TestNobodyWasEverInAState(t *testing.T) {
	v := temporal.Always("some", leader.AtLeast(1)).Check(traced())
	require.Equal(t, guarantee.Broken, v.Value)
	require.Equal(t, "from t=0 on: no rank is leader", v.Evidence)
}

func TestTheLastOneWhoLivesIsEverybody(t *testing.T) {
	all := temporal.Settles("all", temporal.AfterLastFailure, 0, leader.Everywhere())
	requireVerdict(t, all, traced(step(1, 3, "lead"), event(2, 0, report.EventCrash), event(3, 1, report.EventCrash), event(4, 2, report.EventHang)),
		"held: all: at t=4, 0 ticks after t=4 rank 2 hang")
	requireVerdict(t, all, traced(step(1, 3, "lead"), event(2, 0, report.EventCrash), event(3, 1, report.EventCrash), event(4, 2, report.EventHang), event(9, 2, report.EventRejoin)),
		"broken: all: not within 0 ticks of t=4 rank 2 hang: all live ranks are leader; all was over at t=9")
}

func TestConditions(t *testing.T) {
	run := traced(step(5, 0, "lead"), step(5, 1, "lead"), event(5, 2, report.EventCrash))
	for words, c := range map[string]struct {
		temporal.Condition
		so bool
	}{
		"at most 2 ranks are leader":                             {leader.AtMost(2), true},
		"at least 3 ranks are leader":                            {leader.AtLeast(3), false},
		"at least 2 ranks are leader":                            {leader.AtLeast(2), true},
		"exactly 2 ranks are leader":                             {leader.Exactly(2), true},
		"exactly 1 rank is leader":                               {leader.Exactly(1), false},
		"exactly 3 ranks are leader":                             {leader.Exactly(3), false},
		"all live ranks are leader":                              {leader.Everywhere(), false},
		"rank 1 is leader":                                       {leader.On(1), true},
		"rank 2 is leader":                                       {leader.On(2), false},
		"not: rank 2 is leader":                                  {leader.On(2).Not(), true},
		"rank 1 is leader and rank 2 is leader":                  {leader.On(1).And(leader.On(2)), false},
		"rank 1 is leader and rank 0 is leader":                  {leader.On(1).And(leader.On(0)), true},
		"rank 1 is leader or rank 2 is leader":                   {leader.On(1).Or(leader.On(2)), true},
		"rank 3 is leader or rank 2 is leader":                   {leader.On(3).Or(leader.On(2)), false},
		"a crash has happened":                                   {temporal.Happened(temporal.Crash), true},
		"a hang has happened":                                    {temporal.Happened(temporal.Hang), false},
		"a hang has happened and not: a hang has happened":       {temporal.Happened(temporal.Hang).And(temporal.Happened(temporal.Hang).Not()), false},
		"a crash or a hang by ranks 0 and 2 has happened":        {temporal.Happened(temporal.Crash.Or(temporal.Hang).By(0, 2)), true},
		"a failure by ranks 0 and 1 has happened":                {temporal.Happened(temporal.Failure.By(0, 1)), false},
		"a failure and not a crash has happened":                 {temporal.Happened(temporal.Failure.And(temporal.Crash.Not())), false},
		"step lead by rank 1 and not step follow has happened":   {temporal.Happened(temporal.Step("lead").By(1).And(temporal.Step("follow").Not())), true},
		"step follow has happened":                               {temporal.Happened(temporal.Step("follow")), false},
		"a program returns or a rank comes back has happened":    {temporal.Happened(temporal.Return.Or(temporal.Rejoin)), false},
		"at most 1 rank is leader or at least 1 rank is leader":  {leader.AtMost(1).Or(leader.AtLeast(1)), true},
		"at most 1 rank is leader and at least 1 rank is leader": {leader.AtMost(1).And(leader.AtLeast(1)), false},
	} {
		require.Equal(t, words, c.String())
		v := temporal.Settles("", temporal.Start, clock.Forever, c.Condition).Check(run)
		require.Equal(t, guarantee.ValueOf(c.so), v.Value, words)
	}
	all := traced(step(5, 0, "lead"), step(6, 1, "lead"), event(7, 2, report.EventHang), event(8, 3, report.EventCrash))
	requireVerdict(t, temporal.Eventually("all", temporal.Start, 8, leader.Everywhere()), all, "held: all: at t=8, 8 ticks after the start")
}

func TestMessagesAreHappenings(t *testing.T) {
	message := func(kind report.EventKind) report.Event {
		return report.Event{Time: 1, Rank: 1, Peer: 0, Kind: kind, Msg: 3}
	}
	for kind, h := range map[report.EventKind]temporal.Happening{
		report.EventSend: temporal.Sent(3), report.EventReceive: temporal.Received(3), report.EventTake: temporal.Taken(3),
	} {
		for _, other := range []report.EventKind{report.EventSend, report.EventReceive, report.EventTake} {
			require.Equal(t, kind == other, h.Is(message(other)))
		}
		wrong := message(kind)
		wrong.Msg = 2
		require.False(t, h.Is(wrong))
	}
	require.Equal(t, "kind 3 sent, kind 3 received, kind 3 taken", temporal.Sent(3).String()+", "+temporal.Received(3).String()+", "+temporal.Taken(3).String())
}

func TestNever(t *testing.T) {
	quiet := temporal.Never("nobody panics", temporal.Step("panic"))
	requireVerdict(t, quiet, traced(), "not claimed: nobody panics: nothing has happened")
	requireVerdict(t, quiet, traced(step(3, 0, "lead")), "held: nobody panics: none of 1 event")
	requireVerdict(t, quiet, traced(step(4, 2, "panic")), "broken: nobody panics: t=4 rank 2 step panic")
	marks := requireVerdict(t, quiet, traced(step(3, 0, "lead"), step(4, 2, "panic"), step(5, 1, "panic")), "broken: nobody panics: t=4 rank 2 step panic")
	require.Equal(t, []guarantee.Mark{{Rank: 2, From: 4, To: 4, Text: "step panic", Guilty: true}}, marks)
}

func TestEventually(t *testing.T) {
	some := temporal.Eventually("a leader", temporal.AfterLastFailure, 50, leader.AtLeast(1))
	requireVerdict(t, some, traced(step(50, 1, "lead")), "held: a leader: at t=50, 50 ticks after the start")
	requireVerdict(t, some, traced(step(51, 1, "lead")), "broken: a leader: not within 50 ticks of the start: at least 1 rank is leader; it came at t=51")
	requireVerdict(t, some, traced(step(5, 1, "lead"), event(40, 0, report.EventCrash)), "held: a leader: at t=40, 0 ticks after t=40 rank 0 crash")
	requireVerdict(t, some, traced(step(5, 1, "lead"), event(30, 1, report.EventHang), step(80, 2, "lead"), event(85, 2, report.EventExit)),
		"held: a leader: at t=80, 50 ticks after t=30 rank 1 hang")
	marks := requireVerdict(t, some, traced(step(5, 1, "lead"), event(30, 1, report.EventHang), step(37, 2, "other")),
		"broken: a leader: not within 50 ticks of t=30 rank 1 hang: at least 1 rank is leader; all was over at t=37")
	require.Equal(t, []guarantee.Mark{
		{Rank: 1, From: 30, To: 30, Text: "the last failure"},
		{Rank: 0, From: 30, To: 80, Text: "not at least 1 rank is leader", Guilty: true},
		{Rank: 2, From: 30, To: 80, Text: "not at least 1 rank is leader", Guilty: true},
		{Rank: 3, From: 30, To: 80, Text: "not at least 1 rank is leader", Guilty: true},
	}, marks)
	requireVerdict(t, some, traced(event(1, 0, report.EventCrash), event(1, 1, report.EventCrash), event(1, 2, report.EventCrash), event(2, 3, report.EventHang)),
		"not claimed: a leader: no rank is left")

	whenever := temporal.Eventually("a leader", temporal.AfterLast(temporal.Step("ask")), clock.Forever, temporal.Step("lead"))
	requireVerdict(t, whenever, traced(step(5, 1, "lead")), "not claimed: a leader: there is no moment after the last step ask")
	requireVerdict(t, whenever, traced(step(5, 1, "lead"), step(6, 1, "ask"), step(7, 1, "ask")), "broken: a leader: never after t=7 rank 1 step ask: step lead; all was over at t=7")
	requireVerdict(t, whenever, traced(step(6, 1, "ask"), step(7, 1, "ask"), step(5000, 0, "lead")), "held: a leader: at t=5000, 4993 ticks after t=7 rank 1 step ask")
}

func TestAnEventIsNotItsOwnConsequence(t *testing.T) {
	again := temporal.Eventually("again", temporal.AfterEach(temporal.Step("ask")), 5, temporal.Step("ask"))
	requireVerdict(t, again, traced(step(5, 1, "ask")), "broken: again: not within 5 ticks of t=5 rank 1 step ask: step ask; all was over at t=5")
	requireVerdict(t, again, traced(step(5, 1, "ask"), step(5, 2, "ask")), "held: again: 2 times, after 0 ticks at most")
	answered := temporal.Eventually("answered", temporal.AfterEach(temporal.Step("ask")), 5, temporal.Step("answer"))
	requireVerdict(t, answered, traced(step(5, 1, "answer"), step(5, 1, "ask")), "broken: answered: not within 5 ticks of t=5 rank 1 step ask: step answer; all was over at t=5")
	requireVerdict(t, answered, traced(step(5, 1, "ask"), step(5, 1, "answer")), "held: answered: at t=5, 0 ticks after t=5 rank 1 step ask")
	requireVerdict(t, answered, traced(step(5, 0, "answer"), step(5, 1, "ask")), "held: answered: at t=5, 0 ticks after t=5 rank 1 step ask")
}

func TestLeadsTo(t *testing.T) {
	answered := temporal.LeadsTo("answered", temporal.Step("ask"), 10, temporal.Step("answer"))
	requireVerdict(t, answered, traced(step(5, 1, "answer")), "not claimed: answered: there is no moment after each step ask")
	requireVerdict(t, answered, traced(step(5, 1, "ask"), step(6, 2, "ask"), step(9, 2, "answer"), step(15, 1, "answer")), "held: answered: 2 times, after 10 ticks at most")
	marks := requireVerdict(t, answered, traced(step(5, 1, "ask"), step(6, 2, "answer"), step(16, 1, "answer")),
		"broken: answered: not within 10 ticks of t=5 rank 1 step ask: step answer; it came at t=16")
	require.Equal(t, []guarantee.Mark{{Rank: 1, From: 5, To: 5, Text: "each step ask"}, {Rank: 1, From: 5, To: 15, Text: "not step answer", Guilty: true}}, marks)
	requireVerdict(t, answered, traced(step(5, 1, "ask"), event(15, 1, report.EventCrash), step(20, 2, "ask"), step(21, 2, "answer")),
		"held: answered: at t=21, 1 tick after t=20 rank 2 step ask")
	requireVerdict(t, answered, traced(step(5, 1, "ask"), event(16, 1, report.EventCrash)),
		"broken: answered: not within 10 ticks of t=5 rank 1 step ask: step answer; all was over at t=16")
	requireVerdict(t, answered, traced(step(5, 1, "ask"), event(8, 2, report.EventCrash), event(9, 1, report.EventHang)), "not claimed: answered: no rank lived to see step answer")
	requireVerdict(t, answered, traced(event(2, 1, report.EventCrash), step(5, 1, "ask"), event(8, 1, report.EventRejoin)), "not claimed: answered: no rank lived to see step answer")
}

func TestSettles(t *testing.T) {
	stable := temporal.Settles("a leader", temporal.AfterLastFailure, 20, leader.AtLeast(1))
	requireVerdict(t, stable, traced(step(5, 1, "lead")), "held: a leader: at t=5, 5 ticks after the start")
	requireVerdict(t, stable, traced(step(5, 1, "lead"), event(90, 0, report.EventCrash)), "held: a leader: at t=90, 0 ticks after t=90 rank 0 crash")
	requireVerdict(t, stable, traced(step(5, 1, "lead"), step(6, 1, "follow"), step(20, 2, "lead")), "held: a leader: at t=20, 20 ticks after the start")
	requireVerdict(t, stable, traced(step(5, 1, "lead"), step(6, 1, "follow"), step(21, 2, "lead")),
		"broken: a leader: not within 20 ticks of the start: at least 1 rank is leader; it came at t=21")
	requireVerdict(t, stable, traced(step(5, 1, "lead"), step(6, 1, "follow")), "broken: a leader: not within 20 ticks of the start: at least 1 rank is leader; all was over at t=6")
}

func TestUntil(t *testing.T) {
	calm := temporal.Happened(temporal.Step("deliver")).Not()
	strong, weak := temporal.Until("not too early", calm, temporal.Step("agree")), temporal.WeakUntil("not too early", calm, temporal.Step("agree"))
	for _, g := range []guarantee.Guarantee{strong, weak} {
		requireVerdict(t, g, traced(step(5, 1, "agree"), step(9, 2, "deliver")), "held: not too early: not: step deliver has happened up to t=5: step agree")
		requireVerdict(t, g, traced(step(5, 1, "agree"), step(5, 2, "deliver")), "held: not too early: not: step deliver has happened up to t=5: step agree")
		marks := requireVerdict(t, g, traced(step(4, 2, "deliver"), step(5, 1, "agree")), "broken: not too early: from t=4 on: step deliver has happened; step agree at t=5 only")
		require.Equal(t, []guarantee.Mark{{Rank: 2, From: 4, To: clock.Forever, Text: "step deliver", Guilty: true}}, marks)
		requireVerdict(t, g, traced(step(4, 2, "deliver")), "broken: not too early: from t=4 on: step deliver has happened; step agree never")
	}
	requireVerdict(t, strong, traced(step(0, 1, "agree")), "held: not too early: not: step deliver has happened up to t=0: step agree")
	requireVerdict(t, weak, traced(step(0, 1, "agree")), "not claimed: not too early: step agree at t=0")
	requireVerdict(t, weak, traced(step(1, 1, "other")), "not claimed: not too early: nothing has happened on which it depends that not: step deliver has happened")
	requireVerdict(t, strong, traced(step(1, 1, "other")), "broken: not too early: never after the start: step agree; all was over at t=1")
	requireVerdict(t, strong, traced(event(1, 0, report.EventCrash), event(1, 1, report.EventCrash), event(1, 2, report.EventCrash), event(2, 3, report.EventHang)),
		"not claimed: not too early: no rank is left")
	requireVerdict(t, temporal.WeakUntil("one", leader.AtMost(1), temporal.Crash), traced(step(1, 1, "lead")), "held: one: at most 1 rank is leader throughout, and never a crash")
	requireVerdict(t, temporal.Until("one", leader.AtMost(1), leader.On(2)), traced(step(1, 1, "lead"), step(2, 2, "lead")),
		"held: one: at most 1 rank is leader up to t=2: rank 2 is leader")
}

func TestWhatIsAboutSafety(t *testing.T) {
	for _, c := range []struct {
		guarantee.Guarantee
		safety bool
	}{
		{temporal.Always("", leader.AtMost(1)), true},
		{temporal.Always("", leader.AtLeast(1)), false},
		{temporal.Always("", leader.Everywhere()), false},
		{temporal.Never("", temporal.Crash), true},
		{temporal.WeakUntil("", leader.AtMost(0), temporal.Crash), true},
		{temporal.WeakUntil("", leader.AtLeast(1), temporal.Crash), false},
		{temporal.Until("", leader.AtMost(0), temporal.Crash), false},
		{temporal.Eventually("", temporal.Start, 5, leader.AtMost(1)), false},
		{temporal.Settles("", temporal.Start, 5, leader.AtMost(1)), false},
		{temporal.LeadsTo("", temporal.Crash, 5, temporal.Rejoin), false},
	} {
		require.Equal(t, c.safety, guarantee.PromiseOf(c.Guarantee).IsSafety())
	}
}

func TestTheLastDisturbance(t *testing.T) {
	for schedule, c := range map[string]struct {
		events []report.Event
		words  string
	}{
		"none":                                    {[]report.Event{step(90, 0, "lead")}, "held: calm: at t=90, 90 ticks after the start"},
		"crash:1@t4":                              {[]report.Event{event(4, 1, report.EventCrash), step(90, 0, "lead")}, "held: calm: at t=90, 86 ticks after t=4 rank 1 crash"},
		"crash:1@t4,rejoin:1@t9":                  {[]report.Event{event(4, 1, report.EventCrash), event(9, 1, report.EventRejoin), step(90, 0, "lead")}, "held: calm: at t=90, 81 ticks after t=9 rank 1 rejoin"},
		"late:1@send1+30":                         {[]report.Event{{Time: 4, Rank: 1, Kind: report.EventLate, A: 30}, step(90, 0, "lead")}, "held: calm: at t=90, 56 ticks after t=34 (the end of t=4 rank 1 late to 0 by 30)"},
		"slow:1x3@t7":                             {[]report.Event{step(90, 0, "lead")}, "held: calm: at t=90, 83 ticks after slow:1x3@t7"},
		"cut:1|*@t7,mend:1|*@t40":                 {[]report.Event{{Time: 4, Rank: 1, Kind: report.EventCut}, step(90, 0, "lead")}, "held: calm: at t=90, 50 ticks after mend:1|*@t40"},
		"cut:1|*@t7,mend:1|*@t400":                {[]report.Event{{Time: 9, Rank: 1, Kind: report.EventCut}, step(90, 0, "lead")}, "held: calm: at t=90, 81 ticks after t=9 rank 1 cut to 0 kind=0 epoch=0 a=0"},
		"lose:0>3@t10..t50":                       {[]report.Event{step(90, 0, "lead")}, "held: calm: at t=90, 40 ticks after t=50 (the end of lose:0>3@t10..t50)"},
		"lose:0>3@t10..t500":                      {[]report.Event{step(90, 0, "lead")}, "held: calm: at t=90, 80 ticks after t=10 (the beginning of lose:0>3@t10..t500)"},
		"crash:1@t4,late:1@send1+10,lose:1@send2": {[]report.Event{event(4, 1, report.EventCrash), {Time: 2, Rank: 0, Kind: report.EventTwice, A: 1}, {Time: 5, Rank: 0, Kind: report.EventDrop}, step(90, 0, "lead")}, "held: calm: at t=90, 85 ticks after t=5 rank 0 drop to 0 kind=0 epoch=0 a=0"},
	} {
		run := traced(c.events...)
		run.Report.Faults = faults.MustParse(schedule)
		requireVerdict(t, temporal.Eventually("calm", temporal.AfterLastDisturbance, 100, temporal.Step("lead")), run, c.words)
	}
}

// What a rank did just before it failed did not follow from that; what it does when a late message of its own is due may.
func TestWhatCountsAtTheInstantOfTheLastDisturbance(t *testing.T) {
	leads := temporal.Eventually("leads", temporal.AfterLastDisturbance, 0, temporal.Step("lead"))
	requireVerdict(t, leads, traced(step(4, 1, "lead"), event(4, 1, report.EventCrash)), "broken: leads: not within 0 ticks of t=4 rank 1 crash: step lead; all was over at t=4")
	requireVerdict(t, leads, traced(step(4, 2, "lead"), event(4, 1, report.EventCrash)), "held: leads: at t=4, 0 ticks after t=4 rank 1 crash")
	late := report.Event{Time: 4, Rank: 1, Kind: report.EventLate, A: 3}
	requireVerdict(t, leads, traced(late, step(7, 1, "lead")), "held: leads: at t=7, 0 ticks after t=7 (the end of t=4 rank 1 late to 0 by 3)")
}

// On processes an overlap may be shorter than what their clocks differ by.
func TestClocksThatDifferAreMentioned(t *testing.T) {
	run := traced(step(5, 1, "lead"), step(8, 0, "lead"))
	run.Report.ClockError = 30 * time.Microsecond
	requireVerdict(t, temporal.Always("one", leader.AtMost(1)), run, "broken: one: from t=8 on: ranks 0 and 1 are leader; clocks of processes may differ by 30µs")
}

func TestPremisesOfPromisesOverTime(t *testing.T) {
	g := guarantee.When(guarantee.NobodyFails, temporal.Eventually("a leader", temporal.Start, 5, leader.AtLeast(1)))
	requireVerdict(t, g, traced(event(4, 1, report.EventCrash)), "not claimed: a leader: nobody fails (rank 1 crashed at t=4)")
	stands := guarantee.Promise{Guarantee: g.Guarantee, Stands: []guarantee.Premise{guarantee.NobodyFails}}
	requireVerdict(t, stands, traced(event(4, 1, report.EventCrash)),
		"broken: a leader: not within 5 ticks of the start: at least 1 rank is leader; all was over at t=4; beyond what is claimed: nobody fails (rank 1 crashed at t=4)")
}
