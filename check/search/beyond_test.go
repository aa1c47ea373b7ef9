package search

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// standsHangs breaks a promise in every run with a failure. Crashes are more than the algorithm claims to stand.
func standsHangs(rep *report.Report) []guarantee.Verdict {
	v := guarantee.Verdict{Name: "all live", Value: guarantee.ValueOf(len(rep.Failed) == 0), Evidence: guarantee.NobodyFails.Unmet(guarantee.Run{Report: rep})}
	for _, f := range rep.Failed {
		if f.Outcome == report.Crashed {
			v.Beyond = "nobody crashes (" + f.String() + ")"
		}
	}
	return []guarantee.Verdict{v}
}

const beyondIt = "all live, beyond what is claimed"

func TestClassesTellWhatIsBeyondWhatIsClaimed(t *testing.T) {
	within, beyond := guarantee.Verdict{Name: "a"}, guarantee.Verdict{Name: "a", Beyond: "nobody fails (rank 1 crashed at t=0)"}
	other := guarantee.Verdict{Name: "a", Beyond: "nobody fails (2 ranks failed)"}
	require.Equal(t, "a", Class(within))
	require.Equal(t, "a, beyond what is claimed", Class(beyond))
	require.Equal(t, Class(beyond), Class(other), "how far beyond does not matter")
}

// Crashes come first and are simpler than hangs, but do not stand for them.
func TestExplorationsKeepWhatIsBeyondWhatIsClaimedApart(t *testing.T) {
	s := subject(3, babble(3), standsHangs)
	for _, workers := range []int{1, 3} {
		found := explore(t, s, ExploreOptions{Faults: 2, Every: true, Workers: workers})
		require.Equal(t, map[string]string{beyondIt: "crash:0@t0", "all live": "hang:0@t0"}, schedulesOf(found.Violations))
		require.Equal(t, found.Runs-1, found.Violations[0].Count+found.Violations[1].Count)
		require.EqualValues(t, found.Runs-1, found.Tally.Counts[0].Broken, "both are broken")
	}
}

func TestFuzzKeepsWhatIsBeyondWhatIsClaimedApart(t *testing.T) {
	s := subject(3, babble(3), standsHangs)
	for _, workers := range []int{1, 3} {
		found, err := Fuzz(t.Context(), s, FuzzOptions{Faults: 3, Runs: 300, Workers: workers, ShrinkRuns: 200})
		require.NoError(t, err)
		require.Equal(t, map[string]string{beyondIt: "crash:0@t0", "all live": "hang:0@t0"}, schedulesOf(found.Violations))
	}
}

// schedulesOf is the schedule of each class.
func schedulesOf(violations []Violation) map[string]string {
	all := make(map[string]string)
	for i := range violations {
		all[violations[i].name()] = violations[i].Schedule.String()
	}
	return all
}

// A schedule that breaks a promise is not made one that asks too much, nor the other way round.
func TestShrinkStaysWithinOrBeyondWhatIsClaimed(t *testing.T) {
	s := subject(3, babble(3), standsHangs)
	within, beyond := guarantee.Verdict{Name: "all live"}, guarantee.Verdict{Name: "all live", Beyond: "nobody crashes"}
	for name, c := range map[string]struct {
		schedule string
		goals    []Goal
		want     string
	}{
		"within": {"slow:0x3,hang:2@send1,hang:1@t5", []Goal{Breaks("all live"), Breaks(Class(within)), BreaksTheSame([]guarantee.Verdict{within})}, "hang:0@t0"},
		"beyond": {"slow:0x3,hang:2@send1,crash:1@t5", []Goal{Breaks(Class(beyond)), BreaksTheSame([]guarantee.Verdict{beyond})}, "crash:0@t0"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, goal := range c.goals {
				small, err := Shrink(t.Context(), s, faults.MustParse(c.schedule), goal, 300)
				require.NoError(t, err)
				require.Equal(t, c.want, small.Schedule.String())
				require.Equal(t, name == "beyond", small.Broken[0].Beyond != "")
			}
		})
	}
	_, err := Shrink(t.Context(), s, faults.MustParse("hang:1"), Breaks(beyondIt), 300)
	require.EqualError(t, err, `search: faults=hang:1@t0 does not break "all live, beyond what is claimed"`)
	_, err = Shrink(t.Context(), s, faults.MustParse("crash:1"), Breaks("all live"), 300)
	require.EqualError(t, err, `search: faults=crash:1@t0 does not break "all live"`)
}
