package collective_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/benchmark"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// BenchmarkCollective measures collective operations that stand failures: one without any, and one
// in which ranks fail on the way. Making the machine and checking the results are included.
func BenchmarkCollective(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"broadcast/P=%d/failures=0", "collective op=broadcast"},
		{"broadcast/P=%d/failures=5", "collective op=broadcast faults=crash:~5@t30"},
		{"reduce/P=%d/failures=0", "collective op=reduce"},
		{"reduce/P=%d/failures=5", "collective op=reduce backup=all faults=crash:~5@t30"},
	} {
		for _, ranks := range teamSizes(1<<10, 1<<16) {
			b.Run(fmt.Sprintf(c.name, ranks), func(b *testing.B) { collectiveCold(b, fmt.Sprintf("%s P=%d", c.line, ranks)) })
		}
	}
	for _, ranks := range teamSizes(1<<7, 1<<10) {
		b.Run(fmt.Sprintf("alltoall/P=%d/failures=3", ranks), func(b *testing.B) {
			collectiveCold(b, fmt.Sprintf("collective op=alltoall faults=crash:~3@t60 P=%d", ranks))
		})
	}
}

// teamSizes are both, or the small one only with -short.
func teamSizes(small, large int) []int {
	if testing.Short() {
		return []int{small}
	}
	return []int{small, large}
}

func collectiveCold(b *testing.B, line string) {
	run, err := catalog.ParseLine(line)
	require.NoError(b, err)
	var done clock.Time
	benchmark.Cold(b, func() *report.Report {
		outcome, err := run.Execute(b.Context(), scenarios.Options{})
		require.NoError(b, err)
		require.Equal(b, guarantee.Held, outcome.Verdict())
		done = outcome.Completion.At
		return outcome.Report
	})
	b.ReportMetric(float64(done), "ticks")
}
