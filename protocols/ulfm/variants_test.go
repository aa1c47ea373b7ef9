package ulfm_test

import (
	"fmt"
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// by has the program of an instance run by other algorithms.
func agreeingBy(o ulfm.Options, ranks int) emutest.Instance {
	seen := make([][]outcome, ranks)
	return emutest.Instance{
		Program: o.Program(func(world *ulfm.Comm) {
			for range 3 {
				flags, err := world.Agree(^(1 << world.Rank()))
				failed, ok := named(err)
				if !ok {
					panic(err)
				}
				checkAbsent(world, flags, err)
				seen[world.Rank()] = append(seen[world.Rank()], outcome{Flags: flags, Failed: failed})
				world.FailureAck()
			}
		}),
		Prepare: func() { clear(seen) },
		Check: func(rep *report.Report) error {
			if err := same(rep, seen); err != nil {
				return err
			}
			for rank, all := range seen {
				for i, o := range all {
					if err := o.wrong(rep, ranks); err != nil {
						return fmt.Errorf("rank %d, agreement %d: %w", rank, i, err)
					}
				}
			}
			return nil
		},
	}
}

func TestVariants(t *testing.T) {
	for _, a := range []ulfm.Agreement{ulfm.Rounds, ulfm.EarlyReturning, ulfm.OpenMPI, ulfm.Gathering} {
		for _, ranks := range []int{5, 8} {
			t.Run(fmt.Sprintf("%v/%d", a, ranks), func(t *testing.T) {
				emutest.Run(t, emutest.Test{
					Machine:      clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1},
					Detection:    emu.Detection{Delay: 4},
					New:          func() emutest.Instance { return agreeingBy(ulfm.Options{Agreement: a}, ranks) },
					Guarantees:   []guarantee.Guarantee{guarantee.NoDeadlock{}},
					Faults:       2 - ranks/8,
					Kinds:        []faults.Kind{faults.Crash},
					Random:       1000,
					RandomFaults: ranks - 1,
				})
			})
		}
	}
}
