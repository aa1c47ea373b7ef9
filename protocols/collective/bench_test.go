package collective_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/internal/benchmark"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
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

// BenchmarkWakes compares what waking a rank costs in a collective operation and in a broadcast with checked correction, on as many
// ranks, by turns in one process. It is the least time of processors of all turns that counts, so that others that need these, too, count
// as little as they can. Making the machine and checking the results are included.
func BenchmarkWakes(b *testing.B) {
	for _, ranks := range []int{1 << 10, 1 << 14, 1 << 16} {
		if testing.Short() && ranks > 1<<10 {
			continue
		}
		b.Run(fmt.Sprintf("P=%d", ranks), func(b *testing.B) { wakes(b, ranks) })
	}
}

func wakes(b *testing.B, ranks int) {
	programs := []struct {
		name string
		run  func(b *testing.B, ranks int) *report.Report
	}{
		{"checked", line("broadcast correction=checked")},
		{"broadcast", line("collective op=broadcast")},
		{"reduce", line("collective op=reduce")},
		{"agree", agreeOnce},
	}
	least := make([]float64, len(programs)) // ns of a wake
	for b.Loop() {
		for i, p := range programs {
			runtime.GC() // what the one before has left is not its business
			before := benchmark.ProcessorTime()
			rep := p.run(b, ranks)
			took := float64(benchmark.ProcessorTime()-before) / float64(rep.Wakes)
			if least[i] == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	for i, p := range programs {
		b.ReportMetric(least[i], p.name+"-ns/wake")
		if i > 0 {
			b.ReportMetric(least[i]/least[0], p.name+"/checked")
		}
	}
}

// line runs a line, with so many ranks.
func line(text string) func(*testing.B, int) *report.Report {
	return func(b *testing.B, ranks int) *report.Report {
		run, err := catalog.ParseLine(fmt.Sprintf("%s P=%d", text, ranks))
		require.NoError(b, err)
		outcome, err := run.Execute(b.Context(), scenarios.Options{})
		require.NoError(b, err)
		require.Equal(b, guarantee.Held, outcome.Verdict())
		return outcome.Report
	}
}

// agreeOnce runs an agreement by itself.
func agreeOnce(b *testing.B, ranks int) *report.Report {
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}, Trace: emu.TraceHash})
	require.NoError(b, err)
	rep, err := machine.Run(b.Context(), ulfm.Program(func(world *ulfm.Comm) {
		_, err := world.Agree(1)
		must(err)
	}), emu.Options{})
	require.NoError(b, err)
	return rep
}
