package reduce_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
)

// every calls do for small machines with each number of ranks, redundancy and shape, and
// with some roots, or all of them on the smallest machines.
func every(ranks int, do func(logp clock.LogP, options reduce.Options)) {
	for p := 1; p <= ranks; p++ {
		for f := range 5 {
			for root := range p {
				if p > 9 && root != 0 && root != p/2 && root != p-1 {
					continue
				}
				for _, shape := range shapes {
					logp := clock.LogP{Ranks: p, Latency: 2, Overhead: 1}
					do(logp, reduce.Options{Root: root, Redundancy: f, Tree: shape})
				}
			}
		}
	}
}

// Without failures, every value is there once and in its place, for the price announced.
func TestResultIsCompleteAndInTheOrderOfRanks(t *testing.T) {
	every(40, func(logp clock.LogP, options reduce.Options) {
		b := newTrial(t, logp, options)
		b.run(t, nil)
		require.True(t, b.complete, "%v", b)
		b.check(t)
		require.EqualValues(t, logp.Ranks*b.width(), b.report.Messages, "%v", b)
	})
}
