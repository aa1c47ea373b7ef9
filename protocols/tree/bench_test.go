package tree_test

import (
	"testing"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// BenchmarkChildren asks every rank of a large tree for its children, as a broadcast does.
func BenchmarkChildren(b *testing.B) {
	const ranks = 1 << 20
	for _, s := range []shape{
		binomial(), kary(2), kary(8), lame(2), lame(4),
		optimal(clock.LogP{Latency: 2, Overhead: 1}), optimal(clock.LogP{Latency: 3, Overhead: 2}),
	} {
		for _, n := range tree.Numberings() {
			b.Run(s.name+"/"+n.String(), func(b *testing.B) {
				built := s.of(b, ranks, n)
				calls := 0
				for b.Loop() {
					calls += 2*ranks - 1 // every rank is found once, and every search fails once
					for rank := range ranks {
						for i := 0; ; i++ {
							if _, ok := built.Child(rank, i); !ok {
								break
							}
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(calls), "ns/call")
			})
		}
	}
}
