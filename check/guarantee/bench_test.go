package guarantee_test

import (
	"testing"

	"github.com/mangrove-emu/mangrove/check/guarantee"
)

// A search checks tens of thousands of small runs a second.
func BenchmarkCheck(b *testing.B) {
	run := run(b, 8, checked(8), "crash:3,crash:5@t9")
	for _, g := range []guarantee.Guarantee{
		guarantee.ReachesEveryLiveRank{},
		guarantee.NonfaultyLiveness(guarantee.Strong),
		guarantee.FaultyLiveness(guarantee.Strong),
		guarantee.Termination{By: 100},
		guarantee.NoDeadlock{},
		guarantee.All("all of it", guarantee.When(guarantee.AtMostFailuresMeanwhile(1), guarantee.Termination{})),
		guarantee.Integrity{},
		guarantee.OnlyColouredRanksSend{},
		guarantee.NoDuplicates{ByEpoch: true},
	} {
		b.Run(g.Name()+"/P=8", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if v := g.Check(run); v.Value == guarantee.Broken {
					b.Fatal(v)
				}
			}
		})
	}
	b.Run("the usual two/P=8", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			guarantee.Check(run, guarantee.ReachesEveryLiveRank{}, guarantee.NoDeadlock{})
		}
	})
}
