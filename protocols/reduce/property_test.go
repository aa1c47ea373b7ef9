package reduce_test

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
)

// Whatever the machine, the options and the failures, all promises are kept.
func TestPromisesAreKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := anyTrial(t)
		for range 30 {
			b.run(t, anyFailures(t, b))
			b.check(t)
		}
	})
}

func anyTrial(t *rapid.T) *trial {
	ticks := func(name string, low, high clock.Time) clock.Time {
		return rapid.Custom(func(t *rapid.T) clock.Time {
			return clock.Time(rapid.Int64Range(int64(low), int64(high)).Draw(t, "ticks"))
		}).Draw(t, name)
	}
	logp := clock.LogP{
		Ranks:   rapid.IntRange(1, 40).Draw(t, "P"),
		Latency: ticks("L", 1, 9), Overhead: ticks("o", 1, 5), Gap: ticks("g", 0, 12), PerByte: ticks("G", 0, 3),
	}
	shape := rapid.SampledFrom(slices.Sorted(maps.Keys(shapes))).Draw(t, "shape")
	return newTrial(t, logp, reduce.Options{
		Root:       rapid.IntRange(0, logp.Ranks-1).Draw(t, "root"),
		Redundancy: rapid.IntRange(0, 7).Draw(t, "f"),
		Bytes:      longestText(logp.Ranks),
		Tree:       shapes[shape],
	})
}

// anyFailures lets any members fail, mostly not more than may.
func anyFailures(t *rapid.T, b *trial) faults.Schedule {
	most := min(b.options.Redundancy, b.logp.Ranks-1)
	if rapid.IntRange(0, 3).Draw(t, "too many") == 3 {
		most = b.logp.Ranks - 1
	}
	ranks := rapid.SliceOfNDistinct(rapid.IntRange(0, b.logp.Ranks-1), 0, most, rapid.ID[int]).Draw(t, "ranks")
	var schedule faults.Schedule
	for _, rank := range ranks {
		if rank != b.options.Root {
			kind := rapid.SampledFrom([]faults.Kind{faults.Crash, faults.Hang}).Draw(t, "kind")
			schedule = append(schedule, faults.Fault{Kind: kind, Rank: rank, At: anyPoint(t, b)})
		}
	}
	return schedule
}

func anyPoint(t *rapid.T, b *trial) faults.Point {
	sends := rapid.IntRange(1, b.width())
	switch rapid.IntRange(0, 5).Draw(t, "anchor") {
	case 0:
		return faults.BeforeNthSend(sends.Draw(t, "send"))
	case 1:
		return faults.DuringNthSend(sends.Draw(t, "send"))
	case 2:
		return faults.AfterNthSend(sends.Draw(t, "send"))
	case 3:
		return faults.OnNthRecv(rapid.IntRange(1, 2*b.width()+2).Draw(t, "receive"))
	case 4:
		steps := []string{reduce.StepExchanged, reduce.StepReduced}
		return faults.OnStep(rapid.SampledFrom(steps).Draw(t, "step"), 1)
	}
	return faults.OnTime(clock.Time(rapid.Int64Range(0, int64(b.reduce.Deadline())).Draw(t, "tick")))
}
