// The published benchmarks. Speed and memory are measured here, never in tests.
//
//	go test -run '^$' -bench Broadcast -benchtime 1x .
//	go test -run '^$' -bench 'P=1048576' -benchtime 5x .
//	go test -run '^$' -bench 'P=4194304' -benchtime 1x -timeout 1h . -bench-huge
package mangrove

import (
	"context"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

var huge = flag.Bool("bench-huge", false, "also benchmark 2^22 ranks (16 GiB of memory)")

// sizes are the numbers of ranks that benchmarks run at. Short ones show that they run.
func sizes() []int {
	if testing.Short() {
		return []int{1 << 10, 1 << 16}
	}
	s := []int{1 << 10, 1 << 16, 1 << 20}
	if *huge {
		s = append(s, 1<<22)
	}
	return s
}

func machineOf(ranks int) clock.LogP {
	return clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
}

// BenchmarkBroadcast measures one broadcast on the interleaved binomial tree with
// synchronized checked correction: cold includes making the machine, in a process that has done
// nothing before; warm reuses one, kept reuses one and its goroutines.
func BenchmarkBroadcast(b *testing.B) {
	for _, ranks := range sizes() {
		name := fmt.Sprintf("binomial/sync-checked/P=%d", ranks)
		b.Run(name+"/cold", func(b *testing.B) { broadcastCold(b, ranks) })
		b.Run(name+"/warm", func(b *testing.B) { broadcastWarm(b, ranks, false) })
		b.Run(name+"/kept", func(b *testing.B) { broadcastWarm(b, ranks, true) })
	}
}

func broadcastCold(b *testing.B, ranks int) {
	if os.Getenv(inHere) == "" {
		measureFresh(b)
		return
	}
	var peak, messages, wakes int64
	for b.Loop() {
		b.StopTimer()
		before := resetPeak(b)
		b.StartTimer()
		machine, program := makeBroadcast(b, ranks)
		rep := runOnce(b, machine, program)
		b.StopTimer()
		requireExact(b, rep)
		peak = max(peak, peakMemory(b)-before)
		messages, wakes = rep.Messages, rep.Wakes
		b.StartTimer()
	}
	reportRates(b, ranks, messages, wakes)
	b.ReportMetric(float64(peak)/float64(ranks), "B/rank")
}

func broadcastWarm(b *testing.B, ranks int, keep bool) {
	debug.FreeOSMemory()
	before := resetPeak(b)
	machine, program := makeBroadcast(b, ranks)
	if keep {
		machine.Keep()
		defer closeMachine(b, machine)
	}
	rep := runOnce(b, machine, program)
	for b.Loop() {
		err := machine.RunInto(context.Background(), program, emu.Options{}, rep)
		require.NoError(b, err)
	}
	requireExact(b, rep)
	reportRates(b, ranks, rep.Messages, rep.Wakes)
	b.ReportMetric(float64(peakMemory(b)-before)/float64(ranks), "B/rank")
}

// requireExact holds a checked broadcast on a binomial tree of 2^k ranks against what it must cost with
// L=2 and o=1.
func requireExact(b *testing.B, rep *report.Report) {
	logp := rep.LogP
	ranks, levels := int64(logp.Ranks), clock.Time(bits.Len(uint(logp.Ranks-1)))
	require.Equal(b, ranks-1+5*ranks, rep.Messages, "the tree, and five messages of each rank")
	require.Equal(b, levels*(logp.Latency+2*logp.Overhead), rep.Coloring)
	require.Equal(b, rep.Coloring+8, rep.Quiescence)
}

func closeMachine(b *testing.B, machine *emu.Machine) { require.NoError(b, machine.Close()) }

func makeBroadcast(b *testing.B, ranks int) (*emu.Machine, protocols.Program) {
	logp := machineOf(ranks)
	machine, err := emu.New(emu.Config{LogP: logp})
	require.NoError(b, err)
	return machine, checkedOn(b, logp, tree.Binomial{Ranks: ranks})
}

// checkedOn is a broadcast over a tree with synchronized checked correction.
func checkedOn(b *testing.B, logp clock.LogP, t tree.Tree) protocols.Program {
	protocol, err := broadcast.New(logp, broadcast.Options{Tree: t, Correction: correction.Checked{}})
	require.NoError(b, err)
	return protocol.Program(mailbox.Message{})
}

// BenchmarkTrees compares broadcasts over every tree with the interleaved binomial one, on
// one machine, by turns: x-binomial is how many times as long they take.
func BenchmarkTrees(b *testing.B) {
	for _, ranks := range sizes() {
		logp := machineOf(ranks)
		for _, n := range tree.Numberings() {
			for _, shape := range []struct {
				name string
				make func() (tree.Tree, error)
			}{
				{"binomial", func() (tree.Tree, error) { return tree.NewBinomial(ranks, n) }},
				{"kary-2", func() (tree.Tree, error) { return tree.NewKary(ranks, 2, n) }},
				{"kary-4", func() (tree.Tree, error) { return tree.NewKary(ranks, 4, n) }},
				{"lame-2", func() (tree.Tree, error) { return tree.NewLame(ranks, 2, n) }},
				{"optimal", func() (tree.Tree, error) { return tree.NewOptimal(logp, n) }},
			} {
				b.Run(fmt.Sprintf("%s/%v/P=%d", shape.name, n, ranks), func(b *testing.B) {
					t, err := shape.make()
					require.NoError(b, err)
					againstBinomial(b, logp, t)
				})
			}
		}
	}
}

func againstBinomial(b *testing.B, logp clock.LogP, shape tree.Tree) {
	machine, binomial := makeBroadcast(b, logp.Ranks)
	other := checkedOn(b, logp, shape)
	rep := runOnce(b, machine, binomial)
	timed := func(program protocols.Program) time.Duration {
		began := time.Now()
		require.NoError(b, machine.RunInto(context.Background(), program, emu.Options{}, rep))
		return time.Since(began)
	}
	var yardstick, taken time.Duration
	for b.Loop() {
		yardstick += timed(binomial)
		taken += timed(other)
	}
	b.ReportMetric(float64(taken)/float64(yardstick), "x-binomial")
}

func runOnce(b *testing.B, machine *emu.Machine, program protocols.Program) *report.Report {
	rep, err := machine.Run(context.Background(), program, emu.Options{})
	require.NoError(b, err)
	require.Empty(b, rep.Unreached)
	return rep
}

func reportRates(b *testing.B, ranks int, messages, wakes int64) {
	perRun := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(float64(ranks)/perRun, "ranks/s")
	b.ReportMetric(float64(messages)/perRun, "msgs/s")
	b.ReportMetric(perRun*1e9/float64(wakes), "ns/wake")
}

// BenchmarkDistance says how far a broadcast is from what no emulator with a goroutine and
// a channel for each rank can go below: its time, in a process of its own, divided by the cost of
// one raw wake on the same machine, measured just before and just after. So a noisy machine
// matters less.
func BenchmarkDistance(b *testing.B) {
	for _, ranks := range sizes() {
		for _, kind := range []string{"cold", "warm", "kept"} {
			name := fmt.Sprintf("binomial/sync-checked/P=%d/%s", ranks, kind)
			b.Run(name, func(b *testing.B) { distance(b, ranks, "BenchmarkBroadcast/"+name) })
		}
	}
}

func distance(b *testing.B, ranks int, broadcast string) {
	var inRuns, perWake float64
	for b.Loop() {
		before := rawWake(ranks, 3)
		inRuns += inFreshProcess(b, broadcast)["ns/op"]
		perWake += (before + rawWake(ranks, 3)).Seconds() * 1e9 / 2
	}
	b.ReportMetric(inRuns/perWake, "raw-wakes")
	b.ReportMetric(inRuns/float64(b.N), "ns/op")
	b.ReportMetric(perWake/float64(b.N), "ns/raw-wake")
}

// BenchmarkLimit measures waking parked goroutines through channels, 64 at a time, from as
// many workers as there are processors.
func BenchmarkLimit(b *testing.B) {
	for _, ranks := range sizes() {
		b.Run(fmt.Sprintf("chan-wake/P=%d", ranks), func(b *testing.B) {
			var all time.Duration
			for b.Loop() {
				all += rawWake(ranks, 3)
			}
			b.ReportMetric(float64(all.Nanoseconds())/float64(b.N), "ns/wake")
		})
		b.Run(fmt.Sprintf("chan-life/P=%d", ranks), func(b *testing.B) { bareLives(b, ranks) })
	}
}

// bareLives measures what a cold broadcast cannot go below: as many goroutines are started
// in fresh memory, woken once, woken again and ended; no message is sent, no clock kept. The
// garbage collector, which would slow the start down, is off.
func bareLives(b *testing.B, ranks int) {
	if os.Getenv(inHere) == "" {
		measureFresh(b)
		return
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for b.Loop() {
		d := newDormitory(ranks)
		d.start()
		d.wake()
		d.end()
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*1e9/float64(ranks), "ns/life")
}

// BenchmarkRepeat measures many broadcasts in a row on one machine with dead ranks, in the
// manner of the OSU benchmark and of Corrected Trees, section 4.4: binomial tree, overlapped
// optimized correction, one direction, two messages. Latencies are in ticks.
func BenchmarkRepeat(b *testing.B) {
	for _, dead := range []string{"none", "crash:~72"} {
		line := "broadcast P=36864 correction=optimized d=2 direction=right start=overlapped repeat=20 seed=1 faults=" + dead
		b.Run(dead, func(b *testing.B) {
			run, err := scenarios.ParseLine(line)
			require.NoError(b, err)
			executor := scenarios.NewExecutor(scenarios.Options{})
			for b.Loop() {
				outcome, err := executor.Execute(context.Background(), run)
				require.NoError(b, err)
				require.True(b, outcome.Held(), "%v", outcome.Guarantees)
				var median, first, third float64
				_, err = fmt.Sscanf(outcome.Figures[1].Text, "median %g ticks, quartiles %g and %g", &median, &first, &third)
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
			run, err := scenarios.ParseLine(line)
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

// alarm is what a sleeper is woken with, as large as what the emulator hands over to a rank.
type alarm struct {
	_    int64
	stay bool
}

// sleeper is a goroutine that does nothing but park.
type sleeper struct {
	channel chan alarm
	waker   *waker
}

// waker wakes sleepers and waits for them to park again.
type waker struct {
	left atomic.Int32
	done chan struct{}
	_    [48]byte
}

func (s *sleeper) parked() {
	if s.waker.left.Add(-1) == 0 {
		s.waker.done <- struct{}{}
	}
}

func (s *sleeper) run() {
	for {
		s.parked()
		if a := <-s.channel; !a.stay {
			s.parked()
			return
		}
	}
}

// rawWake starts sleepers, wakes all of them several times and returns the cost of a wake.
func rawWake(ranks, rounds int) time.Duration {
	d := newDormitory(ranks)
	d.start()
	runtime.GC() // none while time is taken
	began := time.Now()
	for range rounds {
		d.wake()
	}
	perWake := time.Since(began) / time.Duration(rounds*ranks)
	d.end()
	return perWake
}

// dormitory is where sleepers sleep.
type dormitory struct {
	sleepers []sleeper
	wakers   []waker
}

func newDormitory(ranks int) *dormitory {
	d := &dormitory{make([]sleeper, ranks), make([]waker, runtime.GOMAXPROCS(0))}
	for i := range d.wakers {
		d.wakers[i].done = make(chan struct{}, 1)
	}
	return d
}

func (d *dormitory) start() {
	d.each(func(s *sleeper) {
		s.channel = make(chan alarm)
		go s.run()
	})
}

func (d *dormitory) wake() { d.each(func(s *sleeper) { s.channel <- alarm{stay: true} }) }
func (d *dormitory) end()  { d.each(func(s *sleeper) { s.channel <- alarm{} }) }

// each has every waker do its share.
func (d *dormitory) each(do func(*sleeper)) {
	var wait sync.WaitGroup
	ranks := len(d.sleepers)
	share := (ranks + len(d.wakers) - 1) / len(d.wakers)
	for i := range d.wakers {
		mine := d.sleepers[min(i*share, ranks):min((i+1)*share, ranks)]
		wait.Go(func() { d.wakers[i].inBatches(mine, do) })
	}
	wait.Wait()
}

func (w *waker) inBatches(sleepers []sleeper, do func(*sleeper)) {
	for len(sleepers) > 0 {
		batch := sleepers[:min(64, len(sleepers))]
		sleepers = sleepers[len(batch):]
		w.left.Store(int32(len(batch)))
		for i := range batch {
			batch[i].waker = w
			do(&batch[i])
		}
		<-w.done
	}
}

// resetPeak makes the kernel forget the process's peak of resident memory, and returns
// how much is resident now, in bytes.
func resetPeak(b *testing.B) int64 {
	err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	require.NoError(b, err)
	return statusField(b, "VmRSS:")
}

// peakMemory is the peak of resident memory since resetPeak, in bytes.
func peakMemory(b *testing.B) int64 { return statusField(b, "VmHWM:") }

func statusField(b *testing.B, name string) int64 {
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(b, err)
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, name) {
			var kilobytes int64
			_, err := fmt.Sscanf(strings.TrimPrefix(line, name), "%d", &kilobytes)
			require.NoError(b, err)
			return kilobytes << 10
		}
	}
	b.Fatalf("no %s in /proc/self/status", name)
	return 0
}
