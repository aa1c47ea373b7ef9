package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/gossip"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// service is that of a line, before it has run.
func service(t *testing.T, line string) *membership.Service {
	run := mustParse(t, line)
	run.Prepare()
	return run.Experiment().State.(membershipDetails).service
}

// after are instants around one, and whether something that is so from then on is so.
var after = map[clock.Time]bool{98: false, 99: false, 100: true, 101: true}

// Whoever failed by the time, or comes back after it, need not have a stable view; everybody else must have installed it by then.
func TestWhoMustHaveAStableView(t *testing.T) {
	s := service(t, "membership P=3 until=500")
	led := membership.Led{At: 100, Changes: without(2)}
	for rank := range 2 {
		s.Records()[rank].Installed = []membership.Installed{{At: 40, View: without(1)}, {At: 50, View: without(2)}}
	}
	rep := func() *report.Report { return &report.Report{Ranks: make([]report.RankResult, 3)} }
	require.Equal(t, -1, withoutView(rep(), s, led), "rank 2 is no member of it")
	for at, late := range after {
		s.Records()[1].Installed[1].At = at + 1
		require.Equal(t, late, withoutView(rep(), s, led) == 1, "installed at t=%d", at+1)
	}
	s.Records()[1].Installed[1].At = 101
	for at, late := range after {
		failed := rep()
		failed.Failed = []report.Failure{{Rank: 1, Outcome: report.Crashed, Time: at + 1}}
		require.Equal(t, late, withoutView(failed, s, led) == 1, "failed at t=%d", at+1)
		require.Equal(t, late, livesAt(failed, 1, 100), "failed at t=%d", at+1)
		require.True(t, livesAt(failed, 0, 100))
		back := rep()
		back.Rejoined = []report.Rejoin{{Rank: 1, Time: at + 1}}
		require.Equal(t, !late, withoutView(back, s, led) == 1, "back at t=%d", at+1)
		require.Equal(t, !late, livesAt(back, 1, 100), "back at t=%d", at+1)
		require.True(t, livesAt(back, 0, 100))
	}
}

// without is the changes of a group that has lost a rank.
func without(rank int) membership.Changes { return membership.Changes("").With(rank, 1) }

// A rank holds the last view that it has installed in a stay, from the instant of each on; after the end, what it held last.
func TestWhatARankHoldsAtAnInstant(t *testing.T) {
	s := service(t, "membership P=9 until=500")
	s.Records()[3] = membership.Record{
		View: without(8), Member: true,
		Stays:     []membership.Stay{{From: 100, To: 200}, {From: 300, To: clock.Never}},
		Installed: []membership.Installed{{At: 110, View: without(5)}, {At: 120, View: without(6)}, {At: 310, Term: 1, View: without(7)}},
	}
	for _, c := range []struct {
		at     clock.Time
		view   membership.Changes
		member bool
	}{
		{0, "", false}, {99, "", false}, {100, "", true}, {109, "", true}, {110, without(5), true}, {119, without(5), true}, {120, without(6), true}, {199, without(6), true},
		{200, "", false}, {299, "", false}, {300, "", true}, {309, "", true}, {310, without(7), true}, {499, without(7), true}, {500, without(8), true}, {501, without(8), true},
	} {
		view, member := holdsAt(s, 3, c.at)
		require.Equal(t, c.view, view, "t=%d", c.at)
		require.Equal(t, c.member, member, "t=%d", c.at)
	}
}

// What comes at the end of a service or later does not matter: neither cuts, nor who joins or comes back.
func TestWhatComesAtTheEndDoesNotMatter(t *testing.T) {
	for at, late := range after {
		s := service(t, "membership P=4 members=2 until=100 join=2@t"+at.String())
		rep := &report.Report{Ranks: make([]report.RankResult, 4), Faults: faults.MustParse("cut:0|1@t" + at.String()), Rejoined: []report.Rejoin{{Rank: 1, Time: at}}}
		require.Equal(t, late, len(lastingCuts(rep, 100)) == 0, at)
		want := []int{0, 1, 2}
		if late {
			want = []int{0}
		}
		require.Equal(t, want, liveMembers(rep, s), at)
		s.Records()[3].Member = true
		require.Equal(t, append(want, 3), liveMembers(rep, s), "it has become one")
	}
}

// Of an event that may have been earlier, only what was before an instant counts.
func TestEventsCountAsFarAsTheyWereBefore(t *testing.T) {
	for _, c := range []struct {
		at, early         clock.Time
		wantAt, wantEarly clock.Time
		matters           bool
	}{
		{98, 0, 98, 0, true}, {99, 0, 99, 0, true}, {100, 0, 99, -1, false}, {101, 0, 99, -2, false},
		{99, 7, 99, 7, true}, {100, 1, 99, 0, true}, {101, 1, 99, -1, false}, {101, 2, 99, 0, true}, {110, 110, 99, 99, true},
	} {
		e, matters := before(membership.Event{At: c.at, Early: c.early, Rank: 4, Comes: true}, 100)
		require.Equal(t, c.matters, matters, c)
		require.Equal(t, membership.Event{At: c.wantAt, Early: c.wantEarly, Rank: 4, Comes: true}, e, c)
	}
}

// Who is cut off from a partition is so since the first cut that has one of it on the other side.
func TestWhoIsCutOffSinceWhen(t *testing.T) {
	rep := &report.Report{Ranks: make([]report.RankResult, 6), Faults: faults.MustParse("cut:0-1|4@t50,cut:0|4-5@t30,crash:3@t5,cut:2|3@t70")}
	never := clock.Never
	require.Equal(t, []clock.Time{never, never, never, never, 30, 30}, cutOff(rep, []int{0, 1}))
	require.Equal(t, []clock.Time{never, never, never, never, 50, never}, cutOff(rep, []int{1}))
	require.Equal(t, []clock.Time{30, 50, never, never, never, never}, cutOff(rep, []int{4, 5}))
	require.Equal(t, []clock.Time{30, never, never, never, never, never}, cutOff(rep, []int{5}))
	require.Equal(t, []clock.Time{never, never, never, 70, never, never}, cutOff(rep, []int{2}))
}

// When a rank failed that has come back is known only if it had one reason to, at an instant; one that crashed may have hung before.
func TestWhenFailuresWere(t *testing.T) {
	back := report.Rejoin{Rank: 2, Time: 90}
	for schedule, want := range map[string]membership.Event{
		"crash:2@t40,rejoin:2@t90":                         {At: 40, Rank: 2},
		"hang:2@t40,rejoin:2@t90":                          {At: 40, Rank: 2},
		"crash:2@t40,crash:1@t30,slow:2x4@t5,rejoin:2@t90": {At: 40, Rank: 2},
		"crash:2@send4,rejoin:2@t90":                       {At: 90, Early: 90, Rank: 2},
		"hang:2@t10,crash:2@t40,rejoin:2@t90":              {At: 90, Early: 90, Rank: 2},
		"crash:1@t40,rejoin:1@t90":                         {At: 90, Early: 90, Rank: 2},
	} {
		require.Equal(t, want, failureBefore(&report.Report{Faults: faults.MustParse(schedule)}, back), schedule)
	}
	for schedule, early := range map[string]clock.Time{"crash:2@t40": 0, "hang:1@t10,crash:2@t40": 0, "hang:2@t10,crash:2@t40": 40} {
		rep := &report.Report{Faults: faults.MustParse(schedule)}
		require.Equal(t, membership.Event{At: 40, Early: early, Rank: 2}, lastFailure(rep, report.Failure{Rank: 2, Outcome: report.Crashed, Time: 40}), schedule)
		require.Equal(t, membership.Event{At: 40, Rank: 2}, lastFailure(rep, report.Failure{Rank: 2, Outcome: report.Hung, Time: 40}), schedule)
	}
}

// It is calm when an unrest ends and no other goes on, and in the end.
func TestCalmBeginsWhenTheLastUnrestEnds(t *testing.T) {
	for _, c := range []struct {
		unrests []membership.Unrest
		want    []clock.Time
	}{
		{nil, []clock.Time{100}},
		{[]membership.Unrest{{From: 10, To: 20}}, []clock.Time{20, 100}},
		{[]membership.Unrest{{From: 50, To: 60}, {From: 10, To: 20}}, []clock.Time{20, 60, 100}},
		{[]membership.Unrest{{From: 10, To: 20}, {From: 20, To: 30}}, []clock.Time{30, 100}},
		{[]membership.Unrest{{From: 10, To: 20}, {From: 21, To: 30}}, []clock.Time{20, 30, 100}},
		{[]membership.Unrest{{From: 10, To: 20}, {From: 15, To: 20}}, []clock.Time{20, 100}},
		{[]membership.Unrest{{From: 10, To: 20}, {From: 15, To: 21}}, []clock.Time{21, 100}},
		{[]membership.Unrest{{From: 10, To: 99}}, []clock.Time{99, 100}},
		{[]membership.Unrest{{From: 10, To: 100}}, []clock.Time{100}},
		{[]membership.Unrest{{From: 10, To: 101}}, nil},
		{[]membership.Unrest{{From: 100, To: 101}}, nil},
		{[]membership.Unrest{{From: 101, To: 110}}, []clock.Time{100}},
	} {
		require.Equal(t, c.want, calmsBetween(c.unrests, 100), "%v", c.unrests)
	}
}

// All agree after an unrest if that ends before the service, or with it.
func TestUnrestThatOutlastsTheServiceIsNotJudged(t *testing.T) {
	s := service(t, "membership P=4 until=100")
	for to, calms := range map[clock.Time][]clock.Time{99: {99, 100}, 100: {100, 100}, 101: nil} {
		p := &partition{ranks: []int{0, 1, 2}, unrest: []membership.Unrest{{From: 10, To: to, Events: []membership.Event{{At: 10, Rank: 3}}}}}
		var instants []clock.Time
		for _, c := range p.calms(s) {
			require.Equal(t, []bool{true, true, true, false}, c.members)
			require.Equal(t, goesOn, c.fate)
			instants = append(instants, c.at)
		}
		require.Equal(t, calms, instants)
		require.Equal(t, to == 101, p.unclaimed(s) != "", "t=%d: %s", to, p.unclaimed(s))
	}
}

// traced is a run of four ranks in which rank 2 failed.
func traced(failed clock.Time, events ...report.Event) guarantee.Run {
	rep := &report.Report{Ranks: make([]report.RankResult, 4), Failed: []report.Failure{{Rank: 2, Outcome: report.Crashed, Time: failed}}, Events: events}
	rep.Ranks[2].Outcome = report.Crashed
	for rank := range rep.Ranks {
		rep.Ranks[rank].Exit = 100
	}
	return guarantee.Run{Report: rep, Roots: []int{0}}
}

// Failures cost an attempt if they were after the beginning, and before all was complete or just then.
func TestWhichFailuresCostAnAttempt(t *testing.T) {
	for at, counts := range map[clock.Time]bool{0: false, 1: true, 99: true, 100: true, 101: false} {
		_, evidence := verdictOf(fewAttempts(emu.Detection{Delay: 4}, &completion{At: 100, Attempts: 2}), traced(at))
		require.Equal(t, counts, evidence == "2 attempts, 1 failure", "t=%d: %s", at, evidence)
		passed := traced(at, report.Event{Kind: report.EventStep, Step: buntinas.StepComplete, Time: 100})
		value, evidence := verdictOf(fewAttempts(emu.Detection{Delay: 4}, &completion{At: clock.Never, Attempts: 2}), passed)
		require.Equal(t, counts, value == guarantee.Held, "t=%d: %s", at, evidence)
	}
}

func verdictOf(g guarantee.Guarantee, run guarantee.Run) (guarantee.Value, string) {
	v := g.Check(run)
	return v.Value, v.Evidence
}

// All have the message when the root says so, or at that very instant.
func TestWhenAllHaveTheMessage(t *testing.T) {
	for at, late := range after {
		run := traced(5)
		run.Report.Ranks[3].Coloured = at + 1
		run.Report.Ranks[2].Coloured = clock.Never // it failed
		value, evidence := verdictOf(completedInTime(&completion{At: 100}), run)
		require.Equal(t, late, value == guarantee.Broken, evidence)
	}
}

// Slow ranks strain a broadcast only if somebody fails in the course of it, and something comes to a rank that has left.
func TestWhenRanksMayHaveLeftTooSoon(t *testing.T) {
	d := emu.Detection{Delay: 4}
	for _, c := range []struct {
		failed, received clock.Time
		rank             int
		outcome          report.Outcome
		faults           string
		unmet            bool
	}{
		{5, 101, 1, report.Finished, "slow:1x4@t3", true},
		{1, 101, 1, report.Finished, "slow:1x4@t3", true},
		{0, 101, 1, report.Finished, "slow:1x4@t3", false},
		{5, 100, 1, report.Finished, "slow:1x4@t3", false},
		{5, 101, 0, report.Finished, "slow:1x4@t3", false},
		{5, 101, 1, report.Crashed, "slow:1x4@t3", false},
		{5, 101, 1, report.Finished, "none", false},
	} {
		run := traced(c.failed, report.Event{Kind: report.EventCrash, Rank: 2, Time: c.failed}, report.Event{Kind: report.EventReceive, Rank: c.rank, Time: c.received})
		run.Report.Faults = faults.MustParse(c.faults)
		run.Report.Ranks[c.rank].Outcome = c.outcome
		require.Equal(t, c.unmet, noticedInTime(d, 0).Unmet(run) != "", "%+v", c)
		require.Empty(t, noticedInTime(d, 2).Unmet(run), "nobody waits for the root")
	}
}

// Whoever fails at the instant at which correction begins has not begun.
func TestWhoFailsOnceCorrecting(t *testing.T) {
	sent := report.Event{Kind: report.EventSend, Rank: 2, Msg: correction.SOS}
	for at, late := range after {
		for f := range 2 {
			require.Equal(t, late && f == 0, failOnceCorrecting(f, 100).Unmet(traced(at+1, sent)) != "", "t=%d f=%d", at+1, f)
		}
		other := sent
		other.Rank = 1
		require.Empty(t, failOnceCorrecting(0, 100).Unmet(traced(at+1, other)), "it has sent no correction")
	}
}

// Failure-proof correction needs no help if f*f+f+1 ranks begin, of which f fail.
func TestHowManyMustBeginToCorrect(t *testing.T) {
	step := func(ranks ...int) (events []report.Event) {
		for _, rank := range ranks {
			events = append(events, report.Event{Kind: report.EventStep, Step: gossip.StepCorrection, Rank: rank})
		}
		return events
	}
	for _, c := range []struct {
		f     int
		ranks []int
		met   bool
	}{
		{0, nil, false}, {0, []int{1}, true}, {0, []int{1, 2}, false}, {0, []int{2}, false}, {1, []int{0, 1}, false}, {1, []int{0, 1, 3}, true}, {1, []int{0, 1, 2}, true}, {2, []int{0, 1, 2, 3}, false},
	} {
		require.Equal(t, c.met, enoughGNodes(c.f).Unmet(traced(5, step(c.ranks...)...)) == "", "%+v", c)
	}
}

// Half of the messages go to the left, rounded down.
func TestWhichNeighboursAreReached(t *testing.T) {
	for _, c := range []struct {
		messages, unreached int
		broken              bool
	}{
		{0, 3, false}, {1, 2, true}, {1, 0, false}, {2, 2, true}, {2, 0, true}, {2, 3, false}, {3, 3, true}, {4, 3, true},
	} {
		run := traced(5, report.Event{Kind: report.EventStep, Step: gossip.StepCorrection, Rank: 1})
		run.Report.Ranks[2].Outcome, run.Report.Unreached = report.Finished, []int{c.unreached}
		value, evidence := verdictOf(neighboursReached(c.messages), run)
		require.Equal(t, c.broken, value == guarantee.Broken, "%+v: %s", c, evidence)
	}
	_, evidence := verdictOf(neighboursReached(3), traced(5, report.Event{Kind: report.EventStep, Step: gossip.StepCorrection, Rank: 1}, report.Event{Kind: report.EventStep, Step: gossip.StepCorrection, Rank: 2}))
	require.Equal(t, "4 neighbours, all reached", evidence, "rank 2 has failed")
}
