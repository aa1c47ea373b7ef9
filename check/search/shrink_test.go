package search

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

func TestShrinkKeepsWhatMatters(t *testing.T) {
	s := spread(t, 16, tree.Interleaved, correction.None{})
	small, err := Shrink(t.Context(), s, faults.MustParse("hang:9@t3,slow:2x4,hang:6@step:coloured,crash:13@send1"), Breaks(reaches), 200)
	require.NoError(t, err)
	require.Equal(t, "crash:1@t0", small.Schedule.String(), "the simplest rank, kind and point that break it")
	require.LessOrEqual(t, small.Runs, 200)
	_, err = Shrink(t.Context(), s, faults.MustParse("crash:15"), Breaks(reaches), 200)
	require.EqualError(t, err, `search: faults=crash:15@t0 does not break "reaches all"`)
}

// ranksLive breaks a guarantee for each rank that fails.
func ranksLive(rep *report.Report) []guarantee.Verdict {
	var all []guarantee.Verdict
	for rank, r := range rep.Ranks {
		all = append(all, guarantee.Verdict{Name: string(rune('a' + rank)), Value: guarantee.ValueOf(!r.Outcome.Failed())})
	}
	return all
}

// A schedule that breaks two guarantees is not made one that breaks one of them, if that is
// the goal.
func TestShrinkKeepsTheSetOfBrokenGuarantees(t *testing.T) {
	s := subject(4, babble(4), ranksLive)
	schedule := faults.MustParse("hang:1@send1,crash:3@t2,slow:2x3")
	same := BreaksTheSame([]guarantee.Verdict{{Name: "d"}, {Name: "b"}})
	small, err := Shrink(t.Context(), s, schedule, same, 200)
	require.NoError(t, err)
	require.Equal(t, "crash:1@t0,crash:3@t0", small.Schedule.String())
	small, err = Shrink(t.Context(), s, schedule, Breaks("b"), 200)
	require.NoError(t, err)
	require.Equal(t, "crash:1@t0", small.Schedule.String())
	require.Equal(t, "b; d", same.String())
}

// A crash is simpler than a hang, and does not take its place where nobody crashes.
func TestShrinkTakesNoOtherKindsThanTheSubjectHas(t *testing.T) {
	s := subject(4, babble(4), ranksLive)
	for _, c := range []struct {
		kinds      []faults.Kind
		from, want string
	}{
		{nil, "hang:1@send1", "crash:1@t0"},
		{[]faults.Kind{faults.Slow, faults.Crash}, "hang:1@send1", "crash:1@t0"},
		{[]faults.Kind{faults.Slow}, "hang:1@send1", "hang:1@t0"},
		{[]faults.Kind{faults.Slow}, "crash:1@send1", "crash:1@t0"}, // what is there may stay
	} {
		s.Kinds = c.kinds
		small, err := Shrink(t.Context(), s, faults.MustParse(c.from), Breaks("b"), 200)
		require.NoError(t, err)
		require.Equal(t, c.want, small.Schedule.String())
	}
}

// An interrupt ends it with the smallest schedule so far.
func TestShrinkReturnsTheBestSoFar(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	runs := 0
	s := subject(4, babble(4), func(rep *report.Report) []guarantee.Verdict {
		if runs++; runs == 3 {
			stop()
		}
		return ranksLive(rep)
	})
	small, err := Shrink(ctx, s, faults.MustParse("hang:1@send1,crash:2@t2,crash:3@t2"), Breaks("d"), 200)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, small.Schedule, 1)
	require.NotEmpty(t, small.Broken)
	small, err = Shrink(ctx, s, faults.MustParse("crash:3"), Breaks("d"), 200)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, small.Broken)
}

// Fuzzing that is interrupted tells what it has found, as it was found.
func TestFuzzReturnsWhatItHasFound(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	runs := 0
	s := subject(4, babble(4), func(rep *report.Report) []guarantee.Verdict {
		if runs++; runs == 100 {
			stop()
		}
		return ranksLive(rep)
	})
	found, err := Fuzz(ctx, s, FuzzOptions{Faults: 4, Runs: 1000, Workers: 1, ShrinkRuns: 100})
	require.NoError(t, err)
	require.EqualValues(t, 98, found.Runs, "and one without faults, and one that was interrupted")
	require.NotEmpty(t, found.Violations)
}

// What breaks without faults shrinks to no faults.
func TestShrinkDropsTheLastFault(t *testing.T) {
	s := subject(4, babble(4), func(*report.Report) []guarantee.Verdict { return []guarantee.Verdict{{Name: "never held"}} })
	for _, text := range []string{"crash:2", "crash:2,hang:1@t3", "crash:2,hang:1@t3,slow:0x3"} {
		small, err := Shrink(t.Context(), s, faults.MustParse(text), Breaks("never held"), 100)
		require.NoError(t, err)
		require.Empty(t, small.Schedule, text)
		require.NotEmpty(t, small.Broken)
	}
}

// Without a run nothing is known about a schedule.
func TestShrinkWantsRuns(t *testing.T) {
	s := subject(4, babble(4), ranksLive)
	for _, runs := range []int{0, -1} {
		_, err := Shrink(t.Context(), s, faults.MustParse("crash:2"), Breaks("c"), runs)
		require.ErrorContains(t, err, "runs to make a schedule smaller, want 1 or more")
	}
	small, err := Shrink(t.Context(), s, faults.MustParse("hang:2"), Breaks("c"), 1)
	require.NoError(t, err)
	require.Equal(t, "hang:2@t0", small.Schedule.String())
	require.Equal(t, 1, small.Runs)
}

// Halves are left out first, then quarters and so on, so that the two of sixteen failures that matter are left after few runs.
func TestShrinkLeavesOutHalves(t *testing.T) {
	s := subject(16, babble(16), func(rep *report.Report) []guarantee.Verdict {
		return []guarantee.Verdict{{Name: "both", Value: guarantee.ValueOf(!rep.Ranks[3].Outcome.Failed() || !rep.Ranks[12].Outcome.Failed())}}
	})
	schedule := faults.MustParse("crash:0,crash:1,crash:2,crash:3,crash:4,crash:5,crash:6,crash:7,crash:8,crash:9,crash:10,crash:11,crash:12,crash:13,crash:14,crash:15")
	small, err := Shrink(t.Context(), s, schedule, Breaks("both"), 200)
	require.NoError(t, err)
	require.Equal(t, "crash:3@t0,crash:12@t0", small.Schedule.String())
	require.Equal(t, 42, small.Runs)
}

// What happens to a rank moves with it to another one. Where the other one's messages have the same fate already there is no such schedule, and others are tried.
func TestARankDoesNotMoveToOneWithTheSameFate(t *testing.T) {
	s := subject(4, protocols.Program{Main: func(p protocols.Proc) {
		p.Send(0, mailbox.Message{})
		p.WaitUntil(50)
	}}, func(rep *report.Report) []guarantee.Verdict {
		lost := 0
		for _, e := range rep.Events {
			if e.Kind == report.EventDrop {
				lost++
			}
		}
		return []guarantee.Verdict{{Name: "one is lost, or nobody fails", Value: guarantee.ValueOf(len(rep.Failed) == 0 || lost < 2)}}
	})
	s.Events, s.Roots = true, []int{0}
	small, err := Shrink(t.Context(), s, faults.MustParse("crash:3@t5,lose:3@send1,lose:1@send1"), Breaks("one is lost, or nobody fails"), 1000)
	require.NoError(t, err)
	require.Equal(t, "crash:2@after-send1,lose:2@send1,lose:1@send1", small.Schedule.String())
}

// The message of a link that matters is found, by its number among all that its sender sends.
func TestALinkBecomesItsMessageThatMatters(t *testing.T) {
	s := subject(3, protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 2 {
			for _, to := range []int{1, 0, 1, 0} {
				p.Send(to, mailbox.Message{})
			}
		}
	}}, func(rep *report.Report) []guarantee.Verdict {
		lost := false
		for _, e := range rep.Events {
			lost = lost || e.Kind == report.EventDrop && e.Peer == 0 && e.Time > 2
		}
		return []guarantee.Verdict{{Name: "the last one arrives", Value: guarantee.ValueOf(!lost)}}
	})
	s.Events = true
	small, err := Shrink(t.Context(), s, faults.MustParse("lose:2>0@t0..t90"), Breaks("the last one arrives"), 1000)
	require.NoError(t, err)
	require.Equal(t, "lose:2@send4", small.Schedule.String())
}
