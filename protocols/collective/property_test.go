package collective_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
)

// Any operation with any root, on machines of any speed, with detectors of any delay, whoever fails
// and whenever, as long as somebody is left.
func TestAnyOperationSurvivesAnyFailures(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ranks := rapid.IntRange(1, 18).Draw(rt, "ranks")
		c := rapid.SampledFrom(append(calls(ranks, rapid.IntRange(0, ranks-1).Draw(rt, "root")), callsOfBlocks(ranks)...)).Draw(rt, "operation")
		s := rapid.SampledFrom(strategies).Draw(rt, "strategy")
		machine := clock.LogP{
			Ranks:    ranks,
			Latency:  clock.Time(rapid.IntRange(1, 9).Draw(rt, "L")),
			Overhead: clock.Time(rapid.IntRange(1, 3).Draw(rt, "o")),
			PerByte:  clock.Time(rapid.IntRange(0, 2).Draw(rt, "G")),
		}
		delay := machine.Delivery() + clock.Time(rapid.IntRange(0, 100).Draw(rt, "delay"))
		l := labOf(t, emu.Config{LogP: machine, Detection: emu.Detection{Delay: delay, Hangs: true}}, c.instance(ranks, s.options, 2))
		defer func() { _ = l.machine.Close() }()
		if err := l.try(t, drawFailures(rt, ranks)); err != nil {
			rt.Fatal(err)
		}
	})
}

// drawFailures lets some ranks fail, at times and at steps.
func drawFailures(t *rapid.T, ranks int) (schedule faults.Schedule) {
	failed := rapid.Permutation(seq(ranks)).Draw(t, "order")[:rapid.IntRange(0, ranks-1).Draw(t, "failures")]
	for _, rank := range failed {
		f := crash(rank, faults.Point{})
		if rapid.Bool().Draw(t, "at a step") {
			step := rapid.SampledFrom([]string{"exchange", "iteration", "agree", "repair", "repaired"}).Draw(t, "step")
			f.At = faults.OnStep(step, rapid.IntRange(1, 6).Draw(t, "passage"))
		} else {
			f.At = faults.OnTime(clock.Time(rapid.IntRange(0, 400).Draw(t, "time")))
		}
		if rapid.Bool().Draw(t, "hangs") {
			f.Kind = faults.Hang
		}
		schedule = append(schedule, f)
	}
	return schedule
}

func seq(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
