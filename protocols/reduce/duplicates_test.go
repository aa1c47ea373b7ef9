package reduce_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
)

// A value that arrives twice counts once, whoever is down.
func TestMessagesThatArriveTwiceCountOnce(t *testing.T) {
	logp := clock.LogP{Ranks: 7, Latency: 2, Overhead: 1}
	for _, redundancy := range []int{1, 2} {
		b := newTrial(t, logp, reduce.Options{Redundancy: redundancy})
		for _, down := range []string{"", "crash:3@t0,", "crash:5@recv1,", "crash:2@send1,"} {
			for rank := range logp.Ranks {
				for send := 1; send <= 4; send++ {
					for _, after := range []clock.Time{1, 2, 4, 9} {
						schedule := faults.MustParse("twice:0@send1+1")
						schedule[0].Rank, schedule[0].At.N, schedule[0].Delay = rank, send, after
						if down != "" {
							schedule = append(faults.MustParse(down[:len(down)-1]), schedule...)
						}
						b.run(t, schedule)
						if problem := b.disorder() + b.leftOut(); problem != "" || !b.complete {
							require.Fail(t, "no complete result, or a wrong one: "+problem, "%v", b)
						}
					}
				}
			}
		}
	}
}
