package guarantee_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/report"
)

// says is a guarantee whose verdict is known.
func says(name string, value guarantee.Value) guarantee.Guarantee {
	return guarantee.VerdictFunc(name, false, func(guarantee.Run) guarantee.Verdict {
		return guarantee.Verdict{Value: value, Evidence: "so says " + name}
	})
}

func TestFuncAsksTheFunction(t *testing.T) {
	alone := guarantee.Func("one rank only", true, func(run guarantee.Run) (bool, string) {
		return len(run.Report.Ranks) == 1, "counted"
	})
	require.True(t, alone.NeedsEvents())
	require.Equal(t, guarantee.Verdict{Name: "one rank only", Value: held, Evidence: "counted"}, alone.Check(guarantee.Run{Report: reported(1)}))
	require.Equal(t, guarantee.Verdict{Name: "one rank only", Evidence: "counted"}, alone.Check(guarantee.Run{Report: reported(2)}))
}

func TestAllHoldsIfEveryPartDoes(t *testing.T) {
	run := traced()
	a, b, c, d := says("a", held), says("b", broken), says("c", held), says("d", broken)
	requireVerdict(t, run, guarantee.All("both", a, c), held, "a: so says a; c: so says c")
	requireVerdict(t, run, guarantee.All("four", a, b, c, d), broken, "b: so says b; d: so says d")
	requireVerdict(t, run, guarantee.All("none"), unclaimed, "nothing promised")
	require.False(t, guarantee.All("none").NeedsEvents())
	require.False(t, guarantee.All("both", a, c).NeedsEvents())
	require.True(t, guarantee.All("mixed", a, guarantee.Integrity{}, c).NeedsEvents())
}

func TestCheckLeavesOutWhatNeedsEventsIfThereAreNone(t *testing.T) {
	run := guarantee.Run{Report: reported(1)}
	a, b := says("a", held), says("b", broken)
	require.Equal(t, []guarantee.Verdict{a.Check(run), b.Check(run)}, guarantee.Check(run, a, guarantee.Integrity{}, b))
	run.Report.Events = []report.Event{}
	require.Len(t, guarantee.Check(run, a, guarantee.Integrity{}, b), 3)
	require.Nil(t, guarantee.Check(run))
}

// Without events these would claim nothing, whatever happened.
func TestWhatLooksAtEventsSaysSo(t *testing.T) {
	for _, g := range []guarantee.Guarantee{
		guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{}, guarantee.NoDuplicates{}, guarantee.NoDuplicates{ByEpoch: true},
		guarantee.SentOnce{}, guarantee.All("all", guarantee.Integrity{}),
	} {
		require.True(t, g.NeedsEvents(), g.Name())
		require.Empty(t, guarantee.Check(guarantee.Run{Report: reported(1)}, g))
	}
}

func TestBrokenKeepsWhatDidNotHold(t *testing.T) {
	run := traced()
	a, b := says("a", held), says("b", broken)
	require.Equal(t, []guarantee.Verdict{b.Check(run)}, guarantee.OnlyBroken(guarantee.Check(run, a, b, a)))
	require.Empty(t, guarantee.OnlyBroken(guarantee.Check(run, a)))
}

// Whoever claims nothing says so, and a whole claims something if one of its parts does.
func TestNothingIsClaimedIfNoPartClaimsAnything(t *testing.T) {
	run := run(t, 8, plainTree(8), "crash:1@t2")
	outside := guarantee.When(guarantee.NoFailureMeanwhile, guarantee.ReachesEveryLiveRank{})
	own := says("own", unclaimed)
	requireVerdict(t, run, outside, unclaimed, "nobody fails after t=0 (rank 1 crashed at t=2)")
	requireVerdict(t, run, own, unclaimed, "so says own")
	requireVerdict(t, run, guarantee.All("both", outside, own), unclaimed,
		"reaches every live rank: nobody fails after t=0 (rank 1 crashed at t=2); own: so says own")
	requireVerdict(t, run, guarantee.All("one", outside, says("claimed", held)), held, "claimed: so says claimed")
	requireVerdict(t, run, guarantee.All("bad", outside, says("claimed", broken), own), broken, "claimed: so says claimed")
}

// A whole is beyond what is claimed if all that is broken of it is: one part that breaks its promise is enough.
func TestAllIsBeyondWhatIsClaimedIfAllBrokenPartsAre(t *testing.T) {
	run := guarantee.Run{Report: reported(9, crash(2, 0))}
	beyond := func(name string, stands guarantee.Premise) guarantee.Guarantee {
		return guarantee.Promise{Guarantee: says(name, broken), Stands: []guarantee.Premise{stands}}
	}
	a, b, c := beyond("a", guarantee.NobodyFails), beyond("b", guarantee.NobodyFails), beyond("c", guarantee.AtMostFailures(0))
	for name, test := range map[string]struct {
		parts    []guarantee.Guarantee
		evidence string
		beyond   string
	}{
		"one":             {[]guarantee.Guarantee{a}, "a: so says a", "nobody fails (rank 2 crashed at t=0)"},
		"for one reason":  {[]guarantee.Guarantee{a, b}, "a: so says a; b: so says b", "nobody fails (rank 2 crashed at t=0)"},
		"for two reasons": {[]guarantee.Guarantee{a, c}, "a: so says a; c: so says c", "nobody fails (rank 2 crashed at t=0); at most 0 failures (rank 2 crashed at t=0)"},
		"and held":        {[]guarantee.Guarantee{says("d", held), a}, "a: so says a", "nobody fails (rank 2 crashed at t=0)"},
		"and broken":      {[]guarantee.Guarantee{a, says("d", broken)}, "a: so says a; d: so says d", ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, guarantee.Verdict{Name: "all", Evidence: test.evidence, Beyond: test.beyond}, guarantee.All("all", test.parts...).Check(run))
		})
	}
}
