package proctest

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
)

// describe prints the parameters by their letters, leaving out those that have no effect.
func describe(p clock.LogP) string {
	text := fmt.Sprintf("P=%d,L=%d,o=%d", p.Ranks, p.Latency, p.Overhead)
	if p.Gap != 0 {
		text += fmt.Sprintf(",g=%d", p.Gap)
	}
	if p.PerByte != 0 {
		text += fmt.Sprintf(",G=%d", p.PerByte)
	}
	return text
}

// logP returns machines whose gap has no effect: latency above, at and below overhead.
func logP(ranks int) []clock.LogP {
	return withRanks(ranks,
		clock.LogP{Latency: 2, Overhead: 1},
		clock.LogP{Latency: 1, Overhead: 1},
		clock.LogP{Latency: 5, Overhead: 2},
		clock.LogP{Latency: 1, Overhead: 3},
		clock.LogP{Latency: 7, Overhead: 4},
	)
}

// gapped returns machines with a gap: above, at and below the overhead.
func gapped(ranks int) []clock.LogP {
	return withRanks(ranks,
		clock.LogP{Latency: 2, Overhead: 1, Gap: 3},
		clock.LogP{Latency: 1, Overhead: 1, Gap: 10},
		clock.LogP{Latency: 5, Overhead: 2, Gap: 7},
		clock.LogP{Latency: 3, Overhead: 4, Gap: 4},
		clock.LogP{Latency: 3, Overhead: 4, Gap: 2},
	)
}

// logGP returns machines on which bytes cost time, with and without a gap.
func logGP(ranks int) []clock.LogP {
	return withRanks(ranks,
		clock.LogP{Latency: 2, Overhead: 1, PerByte: 1},
		clock.LogP{Latency: 1, Overhead: 3, PerByte: 2},
		clock.LogP{Latency: 5, Overhead: 2, Gap: 7, PerByte: 3},
		clock.LogP{Latency: 7, Overhead: 4, Gap: 5, PerByte: 10},
	)
}

// simple returns one machine, for claims that have nothing to do with time.
func simple(ranks int) []clock.LogP {
	return withRanks(ranks, clock.LogP{Latency: 2, Overhead: 1})
}

func withRanks(ranks int, machines ...clock.LogP) []clock.LogP {
	for i := range machines {
		machines[i].Ranks = ranks
	}
	return machines
}
