package reduce_test

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/draw"
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
	logp := clock.LogP{
		Ranks:   rapid.IntRange(1, 40).Draw(t, "P"),
		Latency: draw.Ticks(t, "L", 1, 9), Overhead: draw.Ticks(t, "o", 1, 5), Gap: draw.Ticks(t, "g", 0, 12), PerByte: draw.Ticks(t, "G", 0, 3),
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
	ranks = slices.DeleteFunc(ranks, func(rank int) bool { return rank == b.options.Root })
	return draw.Points{
		Calls: 2*b.width() + 2, Until: b.reduce.Deadline(), Steps: []string{reduce.StepExchanged, reduce.StepReduced},
	}.Failures(t, ranks)
}
