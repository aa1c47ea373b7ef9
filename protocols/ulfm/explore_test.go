package ulfm_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/emutest"
	"github.com/mangrove-emu/mangrove/guarantee"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// outcome is what a rank has seen of one agreement.
type outcome struct {
	Flags  int64
	Failed []int // named by the error
	Known  []int // of GetFailed, sorted
}

// explored are programs that every schedule of one failure at P=7, and of two at P=5, is tried on.
var explored = map[string]func(ranks int) emutest.Instance{
	"agree":  agreeing,
	"shrink": shrinking,
	"revoke": revoking,
}

func explore(t *testing.T, ranks, faults int, detector emu.Detector) {
	for name, program := range explored {
		t.Run(fmt.Sprintf("%s/P=%d", name, ranks), func(t *testing.T) {
			emutest.Run(t, emutest.Test{
				Machine:      clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1},
				Detector:     detector,
				New:          func() emutest.Instance { return program(ranks) },
				Guarantees:   []guarantee.Guarantee{guarantee.NoDeadlock{}},
				Faults:       faults,
				Random:       300,
				RandomFaults: ranks - 1,
				OnePerClass:  testing.Short(),
			})
		})
	}
}

func TestEverySingleFailureAtSevenRanks(t *testing.T) {
	explore(t, 7, 1, emu.Detector{Delay: 4, Hangs: true})
	explore(t, 7, 1, emu.Detector{Delay: 23, Hangs: true})
}

func TestEveryPairOfFailuresAtFiveRanks(t *testing.T) {
	explore(t, 5, 2, emu.Detector{Delay: 4, Hangs: true})
}

// agreeing has three agreements, with an acknowledgement before the last two. Each rank's flags have
// all bits but its own, so that the result says who took part.
func agreeing(ranks int) emutest.Instance {
	seen := make([][]outcome, ranks)
	return emutest.Instance{
		Program: ulfm.Program(func(world *ulfm.Comm) {
			for range 3 {
				flags, err := world.Agree(^(1 << world.Rank()))
				failed, ok := named(err)
				if !ok {
					panic(err)
				}
				seen[world.Rank()] = append(seen[world.Rank()], outcome{Flags: flags, Failed: failed})
				world.FailureAck()
			}
		}),
		Prepare: func() { clear(seen) },
		Check: func(rep *emu.Report) error {
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

// wrong says what is wrong with one outcome: who did not take part must have failed, and be named
// unless that was acknowledged by all; who lives must have taken part.
func (o outcome) wrong(rep *emu.Report, ranks int) error {
	for rank := range ranks {
		took := o.Flags&(1<<rank) == 0
		if lives := !rep.Ranks[rank].Outcome.Failed(); lives && !took {
			return fmt.Errorf("rank %d lives and did not take part: %b", rank, o.Flags)
		}
	}
	return nil
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
func same[T any](rep *emu.Report, seen []T) error {
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
		Check: func(rep *emu.Report) error {
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
		Check: func(rep *emu.Report) error {
			for rank, err := range seen {
				if !rep.Ranks[rank].Outcome.Failed() && err != ulfm.ErrRevoked {
					return fmt.Errorf("rank %d: %v", rank, err)
				}
			}
			return nil
		},
	}
}
