package search

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// shrinks makes a schedule smaller as long as the report of its run has a property.
func shrinks(t *testing.T, ranks int, text string, has func(*report.Report) bool) string {
	t.Helper()
	s := subject(ranks, babble(ranks), func(rep *report.Report) []guarantee.Verdict {
		return []guarantee.Verdict{{Name: "property", Value: guarantee.ValueOf(!has(rep))}}
	})
	s.Roots = []int{0}
	small, err := Shrink(t.Context(), s, faults.MustParse(text), Breaks("property"), 500)
	require.NoError(t, err)
	require.NoError(t, small.Schedule.Validate(ranks))
	return small.Schedule.String()
}

func cameBack(rep *report.Report) bool { return len(rep.Rejoined) > 0 }

// A rank that comes back needs its failure, and both become simple together.
func TestShrinkKeepsWhatLetsARankComeBack(t *testing.T) {
	require.Equal(t, "crash:1@t0,rejoin:1@t1",
		shrinks(t, 8, "slow:2x3,hang:6@t9,cut:1-3|5@t2,crash:4@send1,rejoin:6@t30,rejoin:3@t40", cameBack))
	require.Equal(t, "crash:1@t0,rejoin:1@t1,crash:1@after-send1,rejoin:1@t3",
		shrinks(t, 8, "crash:6@t2,rejoin:6@t6,crash:6@before-send2,rejoin:6@t40", func(rep *report.Report) bool {
			return len(rep.Rejoined) > 1
		}), "all of its lives move")
}

// Without its failure a rejoin has no effect, so both go.
func TestShrinkDropsAFailureWithItsRejoin(t *testing.T) {
	third := func(rep *report.Report) bool { return rep.Ranks[3].Outcome.Failed() }
	require.Equal(t, "crash:3@t0", shrinks(t, 8, "crash:2@t3,crash:3,hang:5@t3,rejoin:5@t20,rejoin:2@t9", third))
	require.Equal(t, "crash:3@t0", shrinks(t, 8, "rejoin:2@t9,hang:3@t3,rejoin:3@t9,crash:3@t12", third))
	require.Empty(t, withoutOrphans(faults.MustParse("rejoin:2@t9,slow:2x3"))[1:])
}

// Both go in one run.
func TestDroppingAFailureCostsOneRun(t *testing.T) {
	s := subject(8, babble(8), ranksLive)
	small, err := Shrink(t.Context(), s, faults.MustParse("crash:3,crash:2@t3,rejoin:2@t9"), Breaks("d"), 3)
	require.NoError(t, err)
	require.Equal(t, "crash:3@t0", small.Schedule.String())
}

func TestComplexityOfRejoinsAndCuts(t *testing.T) {
	ordered := []string{
		"crash:3@t0", "crash:3@t9", "hang:3@t0", "slow:3x2@t9", "rejoin:3@t1", "cut:3|*@t0", "cut:3-4|*@t0", "cut:0-3|4-7@t0", "cut:3|*@t1",
	}
	for i := 1; i < len(ordered); i++ {
		before, after := faults.MustParse(ordered[i-1]), faults.MustParse(ordered[i])
		require.Less(t, complexity(before[0]), complexity(after[0]), "%v, %v", before, after)
		require.Negative(t, compareSize(before, after))
	}
}

// The order of points of the program, each before the next.
func TestComplexityOfPoints(t *testing.T) {
	ordered := []string{
		"crash:3@t0", "crash:3@after-send1", "crash:3@after-send2", "crash:3@before-send1", "crash:3@send1", "crash:3@recv1", "crash:3@step:x", "crash:3@t1",
	}
	for i := 1; i < len(ordered); i++ {
		before, after := faults.MustParse(ordered[i-1]), faults.MustParse(ordered[i])
		require.Less(t, complexity(before[0]), complexity(after[0]), "%v, %v", before, after)
	}
}

func TestWhatIsTriedInThePlaceOfAnother(t *testing.T) {
	require.Equal(t, []int{0, 1, 4, 7}, smallerRanks(8))
	require.Equal(t, []int{0, 0, 0}, smallerRanks(1))
	require.Empty(t, smallerRanks(0))
	for text, want := range map[string]string{
		"cut:3|*@t0":   "cut:0|*@t0 cut:1|*@t0 cut:1|*@t0 cut:2|*@t0",
		"cut:3|7@t8":   "cut:3|7@t0 cut:3|7@t4 cut:3|7@t6",
		"cut:1-3|*@t1": "cut:1|*@t1 cut:2|*@t1 cut:3|*@t1 cut:1|*@t1 cut:2-3|*@t1 cut:1-3|*@t0 cut:1-3|*@t0",
		"cut:1|2-3@t0": "cut:1|2@t0 cut:1|3@t0 cut:1|2@t0 cut:1|3@t0",
	} {
		require.Equal(t, want, words(simplerCuts(faults.MustParse(text)[0])), text)
	}
	for text, want := range map[string]string{
		"rejoin:2@t80": "rejoin:2@t1 rejoin:2@t40 rejoin:2@t60", "rejoin:2@t1": "", "rejoin:2@t2": "rejoin:2@t1 rejoin:2@t1",
	} {
		require.Equal(t, want, words(earlier(faults.MustParse(text)[0])), text)
	}
	for text, want := range map[string]string{
		"crash:1@t0":     "crash:0@t0 crash:0@t0 crash:0@t0",
		"crash:0@t9":     "crash:0@t0 crash:0@after-send1 crash:0@after-send2 crash:0@t0 crash:0@after-send1 crash:0@after-send2",
		"hang:0@recv3":   "crash:0@t0 crash:0@after-send1 crash:0@after-send2 crash:0@recv3 hang:0@t0 hang:0@after-send1 hang:0@after-send2",
		"slow:0x4@t0":    "crash:0@t0 crash:0@after-send1 crash:0@after-send2 crash:0@t0 slow:0x2@t0",
		"slow:0x2@send2": "crash:0@t0 crash:0@after-send1 crash:0@after-send2 crash:0@send2",
	} {
		require.Equal(t, want, words(simpler(faults.MustParse(text)[0], 2)), text)
	}
}

// words are faults as they are written, one after the other.
func words(all []faults.Fault) string {
	var texts []string
	for _, f := range all {
		texts = append(texts, faults.Schedule{f}.String())
	}
	return strings.Join(texts, " ")
}

// A message takes the place of all messages of a link, and everything else stays as it is.
func TestWhatHappensOnLinksBelongsToNoRank(t *testing.T) {
	s := faults.MustParse("late:1>2@t0..t9+3,late:0>2@t0..t9+3,crash:0@send1")
	s = replaced(s, 0, faults.MustParse("late:1@send1+3")[0])
	require.Equal(t, "late:1@send1+3,late:0>2@t0..t9+3,crash:0@send1", s.String())
	require.NoError(t, s.Validate(3))
	s = replaced(faults.MustParse("crash:2@send1,rejoin:2@t9"), 0, faults.MustParse("crash:1@send1")[0])
	require.Equal(t, "crash:1@send1,rejoin:1@t9", s.String())
}
