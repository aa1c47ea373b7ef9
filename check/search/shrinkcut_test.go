package search

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// A cut is nothing that has happened to rank 0.
func TestShrinkMovesFailuresPastCuts(t *testing.T) {
	s := subject(8, babble(8), func(rep *report.Report) []guarantee.Verdict {
		kinds := make(map[faults.Kind]bool)
		for _, f := range rep.Faults {
			kinds[f.Kind] = true
		}
		return []guarantee.Verdict{{Name: "not both", Value: guarantee.ValueOf(!kinds[faults.Crash] || !kinds[faults.Cut])}}
	})
	small, err := Shrink(t.Context(), s, faults.MustParse("crash:4,cut:5-6|*@t3"), Breaks("not both"), 300)
	require.NoError(t, err)
	require.Equal(t, "crash:0@t0,cut:0|*@t0", small.Schedule.String())
}

// A cut becomes one of few ranks, of small ones, and early.
func TestShrinkMakesCutsSmaller(t *testing.T) {
	parted := func(a, b int) func(*report.Report) bool {
		return func(rep *report.Report) bool {
			return slices.ContainsFunc(rep.Faults, func(f faults.Fault) bool {
				sides := f.Sides(len(rep.Ranks))
				return sides != nil && sides[a] != 0 && sides[b] != 0 && sides[a] != sides[b]
			})
		}
	}
	require.Equal(t, "cut:5|*@t0", shrinks(t, 16, "cut:3-7+9|*@t12", parted(5, 0)), "and not the root instead")
	require.Equal(t, "cut:2|*@t0", shrinks(t, 16, "cut:3-7+9|*@t12", parted(5, 2)), "on the other side of the same link")
	require.Equal(t, "cut:2|5@t0", shrinks(t, 16, "crash:4,cut:0-4+9|5-8+12@t12", parted(5, 2)))
	require.Equal(t, "cut:14|*@t0", shrinks(t, 16, "cut:3-15|*@t12", parted(14, 0)), "beyond those that are tried alone")
	isCut := func(rep *report.Report) bool { return len(rep.Faults) > 0 && rep.Faults[0].Kind == faults.Cut }
	require.Equal(t, "cut:1|*@t0", shrinks(t, 16, "cut:3-7+9|*@t12", isCut), "the smallest rank but the root")
	late := func(rep *report.Report) bool { return isCut(rep) && rep.Faults[0].At.Time >= 7 }
	require.Equal(t, "cut:1|*@t7", shrinks(t, 16, "cut:3-7+9|*@t12", late))
}
