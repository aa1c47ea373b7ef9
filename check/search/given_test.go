package search

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// With ranks that are given to fail and to come back, an exploration runs every schedule of further faults, before and after that
// and in all lives, and each of them once.
func TestNoScheduleBesideWhatIsGivenIsMissedOrRunTwice(t *testing.T) {
	for _, given := range []string{
		"crash:1@t4,rejoin:1@t9",
		"crash:1@send1,rejoin:1@t9",
		"hang:0@recv1,rejoin:0@t8,crash:0@t15,rejoin:0@t17",
		"crash:0@t0,rejoin:0@t1,hang:1@step:even,rejoin:1@t11",
		"crash:1@before-send2,rejoin:1@t10,crash:1@recv2,rejoin:1@t20",
		"crash:0@t1,rejoin:0@t2,cut:1|*@t6,mend:1|0@t12",
		"crash:1@t40,rejoin:1@t50", // when its program has returned
		"slow:0x3@t2,crash:0@send2,rejoin:0@t14",
		"slow:1x2@send1,hang:1@t7,rejoin:1@t9,late:0@send1+3",
		"crash:0@after-send1",
		"hang:1@send2,slow:0x2@t0",
		"crash:0@t2,rejoin:0@t5,crash:0@t7,rejoin:0@t9", // in the middle of sends
	} {
		for _, c := range []struct {
			overhead clock.Time
			detector emu.Detection
			options  ExploreOptions
		}{
			{1, emu.Detection{}, ExploreOptions{Faults: 2}},
			{2, emu.Detection{}, ExploreOptions{Faults: 1, Rejoins: []clock.Time{3}, Kinds: []faults.Kind{faults.Crash}}},
			{3, emu.Detection{Delay: 7, Hangs: true}, ExploreOptions{Faults: 2, Kinds: []faults.Kind{faults.Hang}}},
		} {
			if thorough.All() {
				c.options.Faults++
			}
			c.options.Given = faults.MustParse(given)
			if !c.options.Given.Has(faults.Rejoin) {
				c.options.Every = true // others are run by classes
			}
			s := restlessSubject(2, c.overhead)
			s.Machine.Detection = c.detector
			requireTried(t, s, c.options, 5)
		}
	}
}

// Classes cover what running every single point does, also beside what is given, as long as nobody comes back.
func TestClassesBesideWhatIsGivenLoseNothing(t *testing.T) {
	for _, given := range []string{"crash:1@t4", "hang:0@send1", "crash:2@recv1,slow:1x3", "cut:0|1@t3,mend:0|1@t8,crash:1@after-send1", "late:2@send1+5,hang:2@t9"} {
		s := restlessSubject(3, 1)
		s.NewTrial = withJudge(s, ranksLive)
		options := ExploreOptions{Faults: 2, Given: faults.MustParse(given)}
		some := explore(t, s, options)
		options.Every = true
		all := explore(t, s, options)
		require.Equal(t, all.Covered, some.Covered, given)
		require.Equal(t, all.Covered, all.Runs, given)
		require.Less(t, some.Runs, all.Runs/3, given)
		require.Len(t, some.Violations, len(all.Violations))
	}
}

// With a detector failures show when they happen: so many ticks into a send of a rank that is slow, in all lives.
func TestCandidatesBesideWhatIsGivenShowWhenRanksFail(t *testing.T) {
	for _, given := range []string{
		"none", "slow:0x3@t2,crash:0@send2,rejoin:0@t14", "slow:1x4@send1,hang:1@t9,rejoin:1@t15", "slow:0x5@t0,slow:1x2@step:even,crash:1@t11,rejoin:1@t13",
	} {
		s := restlessSubject(2, 3)
		s.Machine.Detection = emu.Detection{Delay: 7, Hangs: true}
		ran := make(map[string]clock.Time)
		s.NewTrial = withJudge(s, func(rep *report.Report) []guarantee.Verdict {
			stopped := rep.Stopped[len(rep.Stopped)-1]
			ran[rep.Faults[stopped.Place].String()] = stopped.Time
			return nil
		})
		x := &explorer{subject: s, options: ExploreOptions{Faults: 1, Kinds: []faults.Kind{faults.Crash, faults.Hang}, Given: faults.MustParse(given)}}
		require.NoError(t, x.give())
		r, err := x.newRunner()
		require.NoError(t, err)
		require.NoError(t, r.run(t.Context(), r.tracing, nil))
		all := x.candidates(&r.report)
		require.Greater(t, len(all), 15)
		for _, c := range all {
			_, _, err := r.judge(t.Context(), r.tracing, faults.Schedule{c.fault})
			require.NoError(t, err)
			require.Equal(t, max(0, c.shows), ran[c.fault.String()], "%v, given %s", c.fault, given)
		}
	}
}

// What is given at an instant is beyond all that would happen without a message: its delay is tried up to then.
func TestDelaysGoBeyondWhatIsGiven(t *testing.T) {
	s := subject(2, protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{})
		} else if p.Life() == 0 {
			p.Recv(mailbox.Any)
		}
	}}, func(rep *report.Report) []guarantee.Verdict {
		return []guarantee.Verdict{{Name: "comes back", Value: guarantee.ValueOf(len(rep.Rejoined) == 1)}}
	})
	options := ExploreOptions{Delays: 1, Given: faults.MustParse("crash:1@recv1,rejoin:1@t60")}
	found := explore(t, s, options)
	require.Len(t, found.Violations, 1)
	require.Equal(t, "crash:1@recv1,rejoin:1@t60,late:0@send1+56", found.Violations[0].Schedule.String())
	options.Given = faults.MustParse("crash:1@recv1,rejoin:1@t900")
	options.MaxLate = 20
	require.Empty(t, explore(t, s, options).Violations)
}

// A violation has what was given, and can be run by itself. What is drawn is drawn for each seed.
func TestViolationsHaveWhatIsGiven(t *testing.T) {
	s := restlessSubject(3, 1)
	s.NewTrial = withJudge(s, func(rep *report.Report) []guarantee.Verdict {
		return []guarantee.Verdict{{Name: "two live", Value: guarantee.ValueOf(len(rep.Failed) < 2)}}
	})
	found := explore(t, s, ExploreOptions{Faults: 1, Given: faults.MustParse("hang:2@recv1")})
	require.Equal(t, "hang:2@recv1,crash:0@t0", found.Violations[0].Schedule.String())
	found = explore(t, s, ExploreOptions{Faults: 1, Given: faults.MustParse("crash:~2@t3"), Seeds: 9})
	require.Equal(t, "crash:0@t3,crash:1@t3", found.Violations[0].Schedule.String(), "the smallest of all seeds")
	_, err := Explore(t.Context(), s, ExploreOptions{Faults: 1, Given: faults.MustParse("crash:7@t3")})
	require.ErrorContains(t, err, "rank 7, want 0 to 2")
}

// Between two delays that lead to the same there may be one with which a message meets what is given at an instant.
func TestDelaysBesideWhatIsGivenByTheClockAreTriedByTheTick(t *testing.T) {
	s := subject(3, protocols.Program{Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 0:
			p.Send(1, mailbox.Message{})
		case 1:
			p.Recv(mailbox.Any)
			p.Send(2, mailbox.Message{})
		case 2:
			p.Recv(mailbox.Any)
			p.Step("told")
		}
	}}, func(rep *report.Report) []guarantee.Verdict {
		return []guarantee.Verdict{{Name: "told", Value: guarantee.ValueOf(len(rep.Deadlocks) == 0)}}
	})
	found := explore(t, s, ExploreOptions{Delays: 1, Given: faults.MustParse("lose:1>2@t15..t17")})
	require.Len(t, found.Violations, 1)
	require.EqualValues(t, 2, found.Violations[0].Count)
	require.Equal(t, "lose:1>2@t15..t17,late:0@send1+10", found.Violations[0].Schedule.String())
}
