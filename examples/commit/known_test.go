//go:build !bug

package commit

import (
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
)

// If the coordinator fails, whoever has voted waits for ever.
func TestTwoPhaseCommitBlocksWithoutItsCoordinator(t *testing.T) {
	emutest.Known(t, emutest.Test{
		Machine:    machine,
		New:        instances(TwoPhase, votes[0].can),
		Guarantees: []guarantee.Guarantee{guarantee.Promise{Guarantee: guarantee.Termination{}, Stands: []guarantee.Premise{coordinatorLives}}},
		Roots:      []int{0},
		Faults:     2,
		Random:     1000,
	}, emutest.Break{Promise: "termination", Faults: "crash:0@after-send1", Beyond: true})
}

// A rank that is cut off looks as if it were dead, and takes those who are not for dead.
func TestThreePhaseCommitIsNotAtomicIfLinksAreCut(t *testing.T) {
	emutest.Known(t, emutest.Test{
		Machine: machine,
		New:     instances(ThreePhase, votes[0].can, guarantee.LinksHold),
		Faults:  1,
		Exact:   true,
		Cuts:    []clock.Time{0, 5, 10, 15, 20, 25, 30},
	}, emutest.Break{Promise: "atomicity", Faults: "cut:0|*@t8", Beyond: true})
}

// So does one whose messages are late by more than others wait.
func TestThreePhaseCommitIsNotAtomicIfMessagesAreLate(t *testing.T) {
	two := machine
	two.Ranks = 2
	emutest.Known(t, emutest.Test{
		Machine:    two,
		New:        instances(ThreePhase, votes[0].can[:2], guarantee.InTime, guarantee.NobodySlow),
		NoFailures: true,
		Random:     1000,
	}, emutest.Break{Promise: "atomicity", Faults: "late:0@send2+69", Beyond: true})
}
