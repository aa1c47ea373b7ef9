package mangrove

import (
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios"
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
	run, err := scenarios.ParseLine(line)
	require.NoError(b, err)
	ranks := run.Experiment().Machine.Ranks
	var peak, messages, wakes int64
	var done clock.Time
	for b.Loop() {
		b.StopTimer()
		debug.FreeOSMemory()
		before := resetPeak(b)
		b.StartTimer()
		outcome, err := run.Execute(b.Context(), scenarios.Options{})
		require.NoError(b, err)
		require.True(b, outcome.Held())
		b.StopTimer()
		peak = max(peak, peakMemory(b)-before)
		messages, wakes, done = outcome.Report.Messages, outcome.Report.Wakes, outcome.Completion.At
		b.StartTimer()
	}
	reportRates(b, ranks, messages, wakes)
	b.ReportMetric(float64(peak)/float64(ranks), "B/rank")
	b.ReportMetric(float64(done), "ticks")
}
