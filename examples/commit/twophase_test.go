package commit

import (
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
)

// Whoever fails and however late messages are, two-phase commit is atomic, and everybody decides if the coordinator lives.
func TestTwoPhaseCommitIsAtomic(t *testing.T) {
	for _, v := range votes {
		t.Run(v.name, func(t *testing.T) {
			emutest.Run(t, emutest.Test{
				Machine:    machine,
				New:        instances(TwoPhase, v.can),
				Guarantees: []guarantee.Guarantee{guarantee.When(coordinatorLives, guarantee.Termination{})},
				Roots:      []int{0}, // the coordinator
				Faults:     2,
				Random:     1000,
			})
		})
	}
}
