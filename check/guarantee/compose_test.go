package guarantee_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/report"
)

// says is a guarantee whose verdict is known.
func says(name string, held bool) guarantee.Guarantee {
	return guarantee.Func(name, false, func(guarantee.Run) (bool, string) { return held, "so says " + name })
}

func TestFuncAsksTheFunction(t *testing.T) {
	alone := guarantee.Func("one rank only", true, func(run guarantee.Run) (bool, string) {
		return len(run.Report.Ranks) == 1, "counted"
	})
	require.True(t, alone.NeedsEvents())
	require.Equal(t, guarantee.Verdict{Name: "one rank only", Held: true, Evidence: "counted"}, alone.Check(guarantee.Run{Report: reported(1)}))
	require.Equal(t, guarantee.Verdict{Name: "one rank only", Evidence: "counted"}, alone.Check(guarantee.Run{Report: reported(2)}))
}

func TestAllHoldsIfEveryPartDoes(t *testing.T) {
	run := traced()
	a, b, c, d := says("a", held), says("b", broken), says("c", held), says("d", broken)
	requireVerdict(t, run, guarantee.All("both", a, c), held, "a: so says a; c: so says c")
	requireVerdict(t, run, guarantee.All("four", a, b, c, d), broken, "b: so says b; d: so says d")
	requireVerdict(t, run, guarantee.All("none"), held, "nothing promised")
	require.False(t, guarantee.All("none").NeedsEvents())
	require.False(t, guarantee.All("both", a, c).NeedsEvents())
	require.True(t, guarantee.All("mixed", a, guarantee.Integrity{}, c).NeedsEvents())
}

func TestWhenPromisesNothingUnlessTheConditionIsMet(t *testing.T) {
	before, during := crash(2, 0), []report.Failure{crash(3, 17), crash(8, 18)}
	failed := append([]report.Failure{before}, during...)
	inner := says("b", broken)
	for name, c := range map[string]struct {
		condition guarantee.Condition
		failed    []report.Failure
		whyNot    string // "" if it is met
	}{
		"nobody failed":               {guarantee.NoFailureMeanwhile, nil, ""},
		"failed before":               {guarantee.NoFailureMeanwhile, failed[:1], ""},
		"failed in the first tick":    {guarantee.NoFailureMeanwhile, []report.Failure{crash(2, 1)}, "failures during the run (rank 2 crashed at t=1)"},
		"failed meanwhile":            {guarantee.NoFailureMeanwhile, failed, "failures during the run (rank 3 crashed at t=17, rank 8 crashed at t=18)"},
		"as many as promised":         {guarantee.AtMostFailures(2), failed, ""},
		"one too many":                {guarantee.AtMostFailures(1), failed, "more than f=1 failures during the run (rank 3 crashed at t=17, rank 8 crashed at t=18)"},
		"none promised":               {guarantee.AtMostFailures(0), during[:1], "failures during the run (rank 3 crashed at t=17)"},
		"roots live":                  {guarantee.RootsLive, failed, ""},
		"root failed before":          {guarantee.RootsLive, []report.Failure{crash(0, 0)}, "root failed (rank 0 crashed at t=0)"},
		"root failed in the meantime": {guarantee.RootsLive, []report.Failure{crash(0, 9)}, "root failed (rank 0 crashed at t=9)"},
	} {
		t.Run(name, func(t *testing.T) {
			run := guarantee.Run{Report: reported(9, c.failed...), Roots: []int{0}}
			g := guarantee.When(c.condition, inner)
			if c.whyNot == "" {
				requireVerdict(t, run, g, broken, "so says b")
				return
			}
			requireVerdict(t, run, g, held, c.whyNot+": nothing promised")
		})
	}
	require.Equal(t, "b", guarantee.When(guarantee.RootsLive, inner).Name())
	require.True(t, guarantee.When(guarantee.RootsLive, guarantee.Integrity{}).NeedsEvents())
}

// A plain tree does not stand ranks that are down from the start. A condition that excuses
// failures during the run does not excuse these.
func TestWhenExcusesAndConvicts(t *testing.T) {
	g := guarantee.When(guarantee.NoFailureMeanwhile, guarantee.ReachesEveryLiveRank{})
	requireVerdict(t, run(t, 8, plainTree(8), "none"), g, held, "all 8 live ranks reached")
	requireVerdict(t, run(t, 8, plainTree(8), "crash:1@t2"), g, held, "failures during the run (rank 1 crashed at t=2): nothing promised")
	requireVerdict(t, run(t, 8, plainTree(8), "crash:1"), g, broken, "ranks 3, 5 and 7 never reached")
}

func TestCheckLeavesOutWhatNeedsEventsIfThereAreNone(t *testing.T) {
	run := guarantee.Run{Report: reported(1)}
	a, b := says("a", held), says("b", broken)
	require.Equal(t, []guarantee.Verdict{a.Check(run), b.Check(run)}, guarantee.Check(run, a, guarantee.Integrity{}, b))
	run.Report.Events = []report.Event{}
	require.Len(t, guarantee.Check(run, a, guarantee.Integrity{}, b), 3)
	require.Nil(t, guarantee.Check(run))
}

// Without events these would hold whatever happened.
func TestWhatLooksAtEventsSaysSo(t *testing.T) {
	for _, g := range []guarantee.Guarantee{
		guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{}, guarantee.NoDuplicates{}, guarantee.NoDuplicates{ByEpoch: true},
	} {
		require.True(t, g.NeedsEvents(), g.Name())
		require.Empty(t, guarantee.Check(guarantee.Run{Report: reported(1)}, g))
	}
}

func TestBrokenKeepsWhatDidNotHold(t *testing.T) {
	run := traced()
	a, b := says("a", held), says("b", broken)
	require.Equal(t, []guarantee.Verdict{b.Check(run)}, guarantee.Broken(guarantee.Check(run, a, b, a)))
	require.Empty(t, guarantee.Broken(guarantee.Check(run, a)))
}

// Whoever claims nothing says so, and a whole claims something if one of its parts does.
func TestNothingIsPromisedIfNoPartClaimsAnything(t *testing.T) {
	run := run(t, 8, plainTree(8), "crash:1@t2")
	excused := guarantee.When(guarantee.NoFailureMeanwhile, guarantee.ReachesEveryLiveRank{})
	claimed := guarantee.Func("claimed", false, func(guarantee.Run) (bool, string) { return true, "so it is" })
	own := guarantee.VerdictFunc("own", false, func(guarantee.Run) guarantee.Verdict {
		return guarantee.Verdict{Held: true, Evidence: "no result is promised", NotClaimed: true}
	})
	for _, test := range []struct {
		g    guarantee.Guarantee
		want bool
	}{
		{excused, true}, {claimed, false}, {own, true}, {guarantee.All("both", excused, own), true},
		{guarantee.All("one", excused, claimed), false}, {guarantee.All("none"), true},
	} {
		require.Equal(t, test.want, guarantee.NothingPromised(guarantee.Check(run, claimed, test.g)), test.g.Name())
	}
}
