package catalog

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Whatever single rank fails at whatever point, and comes back: applications finish on as many ranks as before, with the
// right answer.
func TestApplicationsFinishAtFullStrength(t *testing.T) {
	for _, line := range []string{
		"samplesort P=4 n=40 strategy=respawn",
		"tpch-q3 P=4 strategy=respawn restart=30",
		"collective P=5 op=reduce strategy=respawn detector=uneven",
	} {
		t.Run(line, func(t *testing.T) {
			calm, err := mustParse(t, line).Execute(t.Context(), scenarios.Options{Trace: emu.TraceEvents})
			require.NoError(t, err)
			points := search.Points(calm.Report)
			stride, full := thorough.Stride(7), 0
			for rank := range points {
				for i := rank % stride; i < len(points[rank]); i += stride {
					failing := fmt.Sprintf("%s faults=crash:%d@%v,rejoin:%d@t3000", line, rank, points[rank][i], rank)
					outcome, err := mustParse(t, failing).Execute(t.Context(), scenarios.Options{Workers: 1})
					require.NoError(t, err, failing)
					require.Equal(t, guarantee.Held, outcome.Verdict(), failing)
					if outcome.Completion.At > 3000 {
						full++
					}
				}
			}
			require.Greater(t, full, 5, "it was hardly ever needed that the rank came back")
		})
	}
}

// A rank comes back, and it or others fail once more, anywhere, and come back as well: nobody waits for those who are gone. All that was started fails
// again in some of these runs, so that those who wait for an answer of theirs get none.
func TestWhoComesBackMayFailAgain(t *testing.T) {
	explored := []struct{ line, given string }{
		{"collective P=3 op=reduce strategy=respawn agreement=era", "crash:0@t9,rejoin:0@t80"},
		{"collective P=3 op=barrier strategy=respawn", "crash:2@t9,rejoin:2@t80"},
	}
	if !thorough.All() {
		explored = explored[:1]
	}
	for _, c := range explored {
		options := search.ExploreOptions{Faults: 2, Roots: true, Kinds: []faults.Kind{faults.Crash}, Rejoins: []clock.Time{60}, Given: faults.MustParse(c.given)}
		found, err := search.Explore(t.Context(), mustParse(t, c.line).Subject(), options)
		require.NoError(t, err)
		require.Empty(t, found.Violations, c.line)
		require.Greater(t, found.Runs, int64(500), c.line)
		require.Greater(t, found.Tally.Counts[0].Judged, int64(20), c.line)
	}
	require.Equal(t, guarantee.Held, mustExecute(t, "collective P=3 op=barrier strategy=respawn faults=crash:2@t9,rejoin:2@t80,crash:2@after-send2,rejoin:2@t160", scenarios.Options{}).Verdict())
}
