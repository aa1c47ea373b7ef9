package ulfm_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// outcome is what a rank has seen of one agreement.
type outcome struct {
	Flags  int64
	Failed []int // named by the error
}

// explored are programs that every schedule of one failure at P=7, and of two at P=5 (4 if the test
// is to be short), is tried on.
var explored = map[string]func(ranks int) emutest.Instance{
	"agree":  agreeing,
	"shrink": shrinking,
	"revoke": revoking,
}

// explore tries them.
func explore(t *testing.T, ranks, count int, detector emu.Detection, kinds ...faults.Kind) {
	for name, program := range explored {
		t.Run(fmt.Sprintf("%s/P=%d", name, ranks), func(t *testing.T) {
			emutest.Run(t, exploration(ranks, count, detector, program, kinds...))
		})
	}
}

func exploration(ranks, count int, detector emu.Detection, program func(ranks int) emutest.Instance, kinds ...faults.Kind) emutest.Test {
	return emutest.Test{
		Machine:      clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1},
		Detection:    detector,
		New:          func() emutest.Instance { return program(ranks) },
		Guarantees:   []guarantee.Guarantee{guarantee.NoDeadlock{}},
		Faults:       count,
		Kinds:        kinds,
		Random:       100,
		RandomFaults: ranks - 1,
	}
}

// Failures become known while votes and decisions of those who failed are still under way.
func TestFailuresThatOvertakeMessages(t *testing.T) {
	seeds := uint64(8)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		test := exploration(9, 1, prompt, agreeing, faults.Crash)
		test.Network = uneven{2, 40, seed}
		test.Seed, test.Random = seed, 300
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { emutest.Run(t, test) })
	}
}

func TestEverySingleFailureAtSevenRanks(t *testing.T) {
	explore(t, 7, 1, emu.Detection{Delay: 4, Hangs: true})
	explore(t, 7, 1, emu.Detection{Delay: 23, Hangs: true})
	explore(t, 7, 1, emu.Detection{Delay: 4, Spread: 36, Hangs: true})
}

// A hang that is noticed is a crash to all others; crashes alone take a quarter of the time.
func TestEveryPairOfFailuresAtFiveRanks(t *testing.T) {
	ranks := 5
	if testing.Short() {
		ranks = 4
	}
	explore(t, ranks, 2, emu.Detection{Delay: 4}, faults.Crash)
}

// agreeing is agreeingBy the algorithms of this library.
func agreeing(ranks int) emutest.Instance { return agreeingBy(ulfm.Options{})(ranks) }

// agreeingBy has three agreements, with an acknowledgement before the last two. Each rank's flags have
// all bits but its own, so that the result says who took part.
func agreeingBy(o ulfm.Options) func(ranks int) emutest.Instance {
	return func(ranks int) emutest.Instance {
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
}

// wrong says what is wrong with one outcome: who lives must have taken part.
func (o outcome) wrong(rep *report.Report, ranks int) error {
	for rank := range ranks {
		took := o.Flags&(1<<rank) == 0
		if lives := !rep.Ranks[rank].Outcome.Failed(); lives && !took {
			return fmt.Errorf("rank %d lives and did not take part: %b", rank, o.Flags)
		}
	}
	return nil
}

// checkAbsent panics if somebody did not take part in an agreement and was neither named nor
// acknowledged. Flags have all bits but those of ranks of the machine that took part.
func checkAbsent(c *ulfm.Comm, flags int64, err error) {
	failed, _ := named(err)
	for _, member := range append(failed, c.GetAcked()...) {
		flags &^= 1 << c.MachineRank(member)
	}
	for member := range c.Size() {
		if flags&(1<<c.MachineRank(member)) != 0 {
			panic(fmt.Sprintf("rank %d: member %d did not take part, error %v", c.Rank(), member, err))
		}
	}
}

// named returns the ranks that an error names, if it is one about failures.
func named(err error) ([]int, bool) {
	var failed *ulfm.FailedError
	if errors.As(err, &failed) {
		return failed.Ranks, true
	}
	return nil, err == nil
}

// same says whether the live ranks have seen the same.
func same[T any](rep *report.Report, seen []T) error {
	first := -1
	for rank := range seen {
		switch {
		case rep.Ranks[rank].Outcome.Failed():
		case first < 0:
			first = rank
		case !reflect.DeepEqual(seen[first], seen[rank]):
			return fmt.Errorf("rank %d has seen %+v, rank %d %+v", first, seen[first], rank, seen[rank])
		}
	}
	return nil
}

// shrinking shrinks twice, with an agreement on each new communicator.
func shrinking(ranks int) emutest.Instance {
	type group struct {
		Members []int
		Left    []int
		Flags   int64
		Failed  []int
	}
	seen := make([][]group, ranks)
	return emutest.Instance{
		Program: ulfm.Program(func(world *ulfm.Comm) {
			me := world.Rank()
			for range 2 {
				smaller, err := world.Shrink()
				if err != nil {
					panic(err)
				}
				var g group
				for member := range smaller.Size() {
					g.Members = append(g.Members, smaller.MachineRank(member))
				}
				g.Left = smaller.Left()
				var agreed error
				g.Flags, agreed = smaller.Agree(int64(me))
				g.Failed, _ = named(agreed)
				seen[me] = append(seen[me], g)
				world = smaller
			}
		}),
		Prepare: func() { clear(seen) },
		Check: func(rep *report.Report) error {
			for rank := range seen {
				for _, g := range seen[rank] {
					if len(g.Members)+len(g.Left) > ranks {
						return fmt.Errorf("rank %d: %v are members and %v are not", rank, g.Members, g.Left)
					}
					for _, left := range g.Left {
						if !rep.Ranks[left].Outcome.Failed() {
							return fmt.Errorf("rank %d: rank %d lives and was left out", rank, left)
						}
					}
				}
			}
			return same(rep, seen)
		},
	}
}

// revoking lets rank 1 revoke while all others wait for it; whoever is told of a failure instead
// revokes, too.
func revoking(ranks int) emutest.Instance {
	seen := make([]error, ranks)
	return emutest.Instance{
		Program: ulfm.Program(func(world *ulfm.Comm) {
			me := world.Rank()
			if me == 1 {
				world.Revoke()
			}
			_, err := world.Recv((me+1)%ranks, 0)
			if errors.Is(err, ulfm.ErrProcFailed) {
				world.Revoke()
				_, err = world.Recv((me+1)%ranks, 0)
			}
			seen[me] = err
		}),
		Prepare: func() { clear(seen) },
		Check: func(rep *report.Report) error {
			for rank, err := range seen {
				if !rep.Ranks[rank].Outcome.Failed() && err != ulfm.ErrRevoked {
					return fmt.Errorf("rank %d: %v", rank, err)
				}
			}
			return nil
		},
	}
}
