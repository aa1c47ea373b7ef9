// The published benchmarks; docs/benchmarks.md has what they measured. Those of protocol families and
// of the network are in their packages.
//
//	go test -run '^$' -bench Broadcast -benchtime 1x .
//	go test -run '^$' -bench 'P=1048576' -benchtime 5x .
//	go test -run '^$' -bench 'P=4194304' -benchtime 1x -timeout 1h . -bench-huge
//	go test -run '^$' -bench Parts -benchtime 10x -short .
//	go test -run '^$' -bench 'P=1048576/cold' -benchtime 1x . -bench-profile clock
package mangrove

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pkg/profile"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/benchmark"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// BenchmarkBroadcast measures one broadcast on the interleaved binomial tree with
// synchronized checked correction: cold includes making the machine, in a process that has done
// nothing before; warm reuses one, kept reuses one and its goroutines.
func BenchmarkBroadcast(b *testing.B) {
	for _, ranks := range benchmark.Sizes() {
		name := fmt.Sprintf("binomial/sync-checked/P=%d", ranks)
		b.Run(name+"/cold", func(b *testing.B) { broadcastCold(b, ranks) })
		b.Run(name+"/warm", func(b *testing.B) { broadcastWarm(b, ranks, false) })
		b.Run(name+"/kept", func(b *testing.B) { broadcastWarm(b, ranks, true) })
	}
}

// profiled says how to profile cold broadcasts. Go's own flags know nothing of the processes that these have to themselves.
var profiled = flag.String("bench-profile", "", "write a profile of cold broadcasts here: "+strings.Join(slices.Sorted(maps.Keys(profiles)), ", "))

var profiles = map[string]func(*profile.Profile){
	"cpu": profile.CPUProfile, "mem": profile.MemProfile, "trace": profile.TraceProfile,
	"clock": profile.ClockProfile, // also of goroutines that wait
}

// profileHere begins to profile, if that is asked for, and returns what ends it.
func profileHere(b *testing.B) (stop func()) {
	if *profiled == "" {
		return func() {}
	}
	require.Contains(b, profiles, *profiled, "-bench-profile")
	return profile.Start(profiles[*profiled], profile.ProfilePath("."), profile.NoShutdownHook, profile.Quiet).Stop
}

func TestAColdRunCanBeProfiled(t *testing.T) {
	t.Chdir(t.TempDir())
	cold := exec.Command(os.Args[0], "-test.run", "^$", "-test.bench", "Broadcast/binomial/sync-checked/P=1024/cold", "-test.benchtime", "1x", "-bench-profile", "clock")
	printed, err := cold.CombinedOutput()
	require.NoError(t, err, "%s", printed)
	info, err := os.Stat("clock.pprof")
	require.NoError(t, err)
	require.NotZero(t, info.Size())
}

func broadcastCold(b *testing.B, ranks int) {
	benchmark.Fresh(b, func(b *testing.B) {
		defer profileHere(b)()
		benchmark.Cold(b, func() *report.Report {
			machine, program := makeBroadcast(b, ranks)
			rep := benchmark.Run(b, machine, program)
			requireExact(b, rep)
			return rep
		})
	})
}

func broadcastWarm(b *testing.B, ranks int, keep bool) {
	debug.FreeOSMemory()
	before := benchmark.ResetPeak(b)
	machine, program := makeBroadcast(b, ranks)
	if keep {
		machine.Keep()
		defer closeMachine(b, machine)
	}
	rep := benchmark.Run(b, machine, program)
	for b.Loop() {
		err := machine.RunInto(context.Background(), program, emu.Options{}, rep)
		require.NoError(b, err)
	}
	requireExact(b, rep)
	benchmark.ReportRates(b, rep)
	b.ReportMetric(benchmark.PerRank(b, before, ranks), "B/rank")
}

// requireExact holds a checked broadcast on a binomial tree of 2^k ranks against what it must cost with
// L=2 and o=1.
func requireExact(b *testing.B, rep *report.Report) {
	logp := rep.LogP
	ranks, levels := int64(logp.Ranks), clock.Time(bits.Len(uint(logp.Ranks-1)))
	require.Equal(b, ranks-1+5*ranks, rep.Messages, "the tree, and five messages of each rank")
	require.Equal(b, levels*(logp.Latency+2*logp.Overhead), rep.Colouring)
	require.Equal(b, rep.Colouring+8, rep.Quiescence)
}

func closeMachine(b *testing.B, machine *emu.Machine) { require.NoError(b, machine.Close()) }

func makeBroadcast(b *testing.B, ranks int) (*emu.Machine, protocols.Program) {
	return benchmark.NewMachine(b, ranks), benchmark.CheckedBroadcast(b, ranks, tree.Binomial{Ranks: ranks})
}

// BenchmarkTrees compares broadcasts over every tree with the interleaved binomial one, on
// one machine, by turns: x-binomial is how many times as long they take.
func BenchmarkTrees(b *testing.B) {
	for _, ranks := range benchmark.Sizes() {
		for _, n := range tree.Numberings() {
			for _, shape := range []struct {
				name string
				make func() (tree.Tree, error)
			}{
				{"binomial", func() (tree.Tree, error) { return tree.NewBinomial(ranks, n) }},
				{"kary-2", func() (tree.Tree, error) { return tree.NewKary(ranks, 2, n) }},
				{"kary-4", func() (tree.Tree, error) { return tree.NewKary(ranks, 4, n) }},
				{"lame-2", func() (tree.Tree, error) { return tree.NewLame(ranks, 2, n) }},
				{"optimal", func() (tree.Tree, error) { return tree.NewOptimal(benchmark.LogP(ranks), n) }},
			} {
				b.Run(fmt.Sprintf("%s/%v/P=%d", shape.name, n, ranks), func(b *testing.B) {
					t, err := shape.make()
					require.NoError(b, err)
					againstBinomial(b, ranks, t)
				})
			}
		}
	}
}

func againstBinomial(b *testing.B, ranks int, shape tree.Tree) {
	machine, binomial := makeBroadcast(b, ranks)
	other := benchmark.CheckedBroadcast(b, ranks, shape)
	rep := benchmark.Run(b, machine, binomial)
	var yardstick, taken time.Duration
	for b.Loop() {
		yardstick += benchmark.Timed(b, machine, binomial, rep)
		taken += benchmark.Timed(b, machine, other, rep)
	}
	b.ReportMetric(float64(taken)/float64(yardstick), "x-binomial")
}

// BenchmarkDistance says how far a broadcast is from what no emulator with a goroutine and
// a channel for each rank can go below: its time, in a process of its own, divided by the cost of
// one raw wake on the same machine, measured just before and just after. So a noisy machine
// matters less.
func BenchmarkDistance(b *testing.B) {
	for _, ranks := range benchmark.Sizes() {
		for _, kind := range []string{"cold", "warm", "kept"} {
			name := fmt.Sprintf("binomial/sync-checked/P=%d/%s", ranks, kind)
			b.Run(name, func(b *testing.B) { distance(b, ranks, "BenchmarkBroadcast/"+name) })
		}
	}
}

func distance(b *testing.B, ranks int, broadcast string) {
	var inRuns, perWake float64
	for b.Loop() {
		before := benchmark.RawWake(ranks, 3)
		inRuns += benchmark.InFreshProcess(b, broadcast)["ns/op"]
		perWake += (before + benchmark.RawWake(ranks, 3)).Seconds() * 1e9 / 2
	}
	b.ReportMetric(inRuns/perWake, "raw-wakes")
	b.ReportMetric(inRuns/float64(b.N), "ns/op")
	b.ReportMetric(perWake/float64(b.N), "ns/raw-wake")
}

// BenchmarkParts measures the windows of a broadcast whose ranks several parts share, each a machine of its own in this process: in a window, what
// the part that works longest has to do, what a part waits for others on average, what the exchange takes and what a part gives to others.
func BenchmarkParts(b *testing.B) {
	for _, ranks := range benchmark.Sizes() {
		for _, count := range []int{1, 2, 4} {
			b.Run(fmt.Sprintf("binomial/sync-checked/P=%d/parts=%d", ranks, count), func(b *testing.B) { broadcastInParts(b, ranks, count) })
		}
	}
}

func broadcastInParts(b *testing.B, ranks, count int) {
	program := benchmark.CheckedBroadcast(b, ranks, tree.Binomial{Ranks: ranks})
	workers := max(1, runtime.GOMAXPROCS(0)/count)
	meters := make([]*parts.Measured, count)
	machines := make([]*emu.Machine, count)
	for i, group := range parts.InProcess(context.Background(), count) {
		meters[i] = parts.Measure(group)
		machine, err := emu.New(emu.Config{LogP: benchmark.LogP(ranks), Workers: workers, Part: meters[i]})
		require.NoError(b, err)
		machines[i] = machine
	}
	reports := make([]*report.Report, count)
	run := func() {
		errs := make([]error, count)
		var wait sync.WaitGroup
		for i := range machines {
			wait.Go(func() { reports[i], errs[i] = machines[i].Run(context.Background(), program, emu.Options{}) })
		}
		wait.Wait()
		require.NoError(b, errors.Join(errs...))
	}
	run() // what follows is on machines that were used before
	for _, m := range meters {
		*m = *parts.Measure(m.Group)
	}
	for b.Loop() {
		run()
	}
	requireExact(b, reports[0])
	reportWindows(b, reports[0], meters)
}

// reportWindows reports what a window took.
func reportWindows(b *testing.B, rep *report.Report, meters []*parts.Measured) {
	windows := float64(rep.Windows) * float64(b.N)
	b.ReportMetric(b.Elapsed().Seconds()*1e3/windows, "ms/window")
	if len(meters) == 1 {
		return
	}
	var most, waiting, exchange time.Duration
	var bytes int64
	for _, m := range meters {
		most = max(most, m.Cost.Work)
		waiting += m.Cost.Waiting + m.Cost.Agreement
		exchange += m.Cost.Exchange
		bytes += m.Cost.Bytes
	}
	all := windows * float64(len(meters))
	b.ReportMetric(most.Seconds()*1e3/windows, "work-ms/window")
	b.ReportMetric(waiting.Seconds()*1e3/all, "wait-ms/window")
	b.ReportMetric(exchange.Seconds()*1e3/all, "exchange-ms/window")
	b.ReportMetric(float64(bytes)/all, "B/window")
}

// BenchmarkVariation measures what it costs that networks and machines vary, and that something happens to messages, beside the same line without. With
// checked correction more messages are sent if they take longer; with opportunistic correction as many as without.
func BenchmarkVariation(b *testing.B) {
	for _, ranks := range benchmark.Sizes() {
		for _, correction := range []string{"checked", "opportunistic"} {
			for _, v := range []struct{ name, words string }{
				{"none", ""},
				{"jitter", "jitter=uniform:0..5"},
				{"jitter-unordered", "jitter=uniform:0..5 links=unordered"},
				{"lognormal", "jitter=lognormal:2:0.8"},
				{"noise", "noise=1000:25"},
				{"nodes", "nodes=64 Lin=1 oin=1"},
				{"late", "faults=late:1>*@t0+9"},
				{"lose", "faults=lose:1>*@t0"},
				{"twice", "faults=twice:1>*@t0+9"},
			} {
				line := fmt.Sprintf("broadcast P=%d correction=%s %s", ranks, correction, v.words)
				b.Run(fmt.Sprintf("%s/%s/P=%d", correction, v.name, ranks), func(b *testing.B) { coldLine(b, line) })
			}
		}
	}
}

// coldLine measures a line in a process that has done nothing before.
func coldLine(b *testing.B, line string) {
	benchmark.Fresh(b, func(b *testing.B) {
		defer profileHere(b)()
		run, err := catalog.ParseLine(line)
		require.NoError(b, err)
		benchmark.Cold(b, func() *report.Report {
			outcome, err := run.Execute(context.Background(), scenarios.Options{})
			require.NoError(b, err)
			b.ReportMetric(float64(outcome.Report.Messages), "msgs")
			return outcome.Report
		})
	})
}

// BenchmarkLimit measures waking parked goroutines through channels, 64 at a time, from as
// many workers as there are processors.
func BenchmarkLimit(b *testing.B) {
	for _, ranks := range benchmark.Sizes() {
		b.Run(fmt.Sprintf("chan-wake/P=%d", ranks), func(b *testing.B) {
			var all time.Duration
			for b.Loop() {
				all += benchmark.RawWake(ranks, 3)
			}
			b.ReportMetric(float64(all.Nanoseconds())/float64(b.N), "ns/wake")
		})
		b.Run(fmt.Sprintf("chan-life/P=%d", ranks), func(b *testing.B) { bareLives(b, ranks) })
	}
}

// bareLives measures what a cold broadcast cannot go below, in fresh memory. The garbage collector, which
// would slow the start down, is off.
func bareLives(b *testing.B, ranks int) {
	benchmark.Fresh(b, func(b *testing.B) {
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
		for b.Loop() {
			benchmark.BareLives(ranks)
		}
		b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*1e9/float64(ranks), "ns/life")
	})
}

// BenchmarkRepeat measures many broadcasts in a row on one machine with dead ranks, in the
// manner of the OSU benchmark and of Corrected Trees, section 4.4: binomial tree, overlapped
// optimized correction, one direction, two messages. Latencies are in ticks.
func BenchmarkRepeat(b *testing.B) {
	for _, dead := range []string{"none", "crash:~72"} {
		line := "broadcast P=36864 correction=optimized d=2 direction=right start=overlapped repeat=20 seed=1 faults=" + dead
		b.Run(dead, func(b *testing.B) {
			run, err := catalog.ParseLine(line)
			require.NoError(b, err)
			executor := scenarios.NewExecutor(scenarios.Options{})
			for b.Loop() {
				outcome, err := executor.Run(context.Background(), run)
				require.NoError(b, err)
				require.Equal(b, guarantee.Held, outcome.Verdict(), "%v", outcome.Guarantees)
				var median, first, third float64
				_, err = fmt.Sscanf(outcome.Details[1].Text, "median %g ticks, quartiles %g and %g", &median, &first, &third)
				require.NoError(b, err)
				b.ReportMetric(first, "ticks-q1")
				b.ReportMetric(median, "ticks-median")
				b.ReportMetric(third, "ticks-q3")
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/20*1e3, "ms/broadcast")
		})
	}
}

// BenchmarkExplore measures how many schedules are run and covered each second, at P=8.
func BenchmarkExplore(b *testing.B) {
	for _, line := range []string{"broadcast P=8", "broadcast P=8 correction=failure-proof f=2", "reduce P=8 f=2"} {
		b.Run(strings.ReplaceAll(line, " ", "/"), func(b *testing.B) {
			run, err := catalog.ParseLine(line)
			require.NoError(b, err)
			var runs, covered int64
			for b.Loop() {
				found, err := search.Explore(context.Background(), run.Subject(), search.ExploreOptions{Faults: 2})
				require.NoError(b, err)
				require.Empty(b, found.Violations)
				runs += found.Runs
				covered += found.Covered
			}
			b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "runs/s")
			b.ReportMetric(float64(covered)/b.Elapsed().Seconds(), "schedules/s")
		})
	}
}
