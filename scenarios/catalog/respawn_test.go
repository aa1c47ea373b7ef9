package catalog

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/emu"
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
