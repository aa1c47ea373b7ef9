package collective_test

import (
	"fmt"
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols/collective"
)

// strategies are all that an operation must survive failures with.
var strategies = []struct {
	name    string
	options collective.Options
}{
	{"tolerant", collective.Options{}},
	{"tolerant+backup", collective.Options{Backup: collective.AllBackups}},
	{"optimistic", collective.Options{Strategy: collective.Optimistic}},
	{"optimistic+backup", collective.Options{Strategy: collective.Optimistic, Backup: collective.AllBackups}},
}

// each calls f with all operations and strategies that make a difference.
func each(t *testing.T, ranks int, f func(*testing.T, call, collective.Options)) {
	for _, c := range calls(ranks, ranks-2) {
		for _, s := range strategies {
			if s.options.Backup != collective.NoBackup && c.name != "reduce" && c.name != "allreduce" {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s/P=%d", c.name, s.name, ranks), func(t *testing.T) { f(t, c, s.options) })
		}
	}
}

func TestEverySinglePointOfFailure(t *testing.T) {
	sizes, random := []int{5}, 100
	switch {
	case thorough.All():
		sizes = append(sizes, 8)
	case testing.Short():
		sizes, random = []int{4}, 10
	}
	for _, ranks := range sizes {
		each(t, ranks, func(t *testing.T, c call, options collective.Options) {
			test := standing(ranks, random, func() emutest.Instance { return c.instance(ranks, options, 2) })
			test.OnePerClass = !thorough.All()
			emutest.Run(t, test)
		})
	}
}

// standing tries every single failure, and so many schedules of more, up to all ranks but one.
func standing(ranks, random int, instance func() emutest.Instance) emutest.Test {
	return emutest.Test{
		Machine:      clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1},
		Detection:    emu.Detection{Delay: 4, Hangs: true},
		New:          instance,
		Guarantees:   []guarantee.Guarantee{guarantee.NoDeadlock{}},
		Faults:       1,
		Random:       random,
		RandomFaults: ranks - 1,
		OnePerClass:  testing.Short(),
	}
}
