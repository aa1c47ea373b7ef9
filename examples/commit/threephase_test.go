package commit

import (
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
)

// Whoever crashes or hangs, three-phase commit is atomic, and everybody who lives decides, if messages are in time.
func TestThreePhaseCommitDoesNotBlock(t *testing.T) {
	for _, v := range votes {
		t.Run(v.name, func(t *testing.T) {
			emutest.Run(t, emutest.Test{
				Machine:    machine,
				New:        instances(ThreePhase, v.can),
				Guarantees: []guarantee.Guarantee{guarantee.Termination{By: ranks * round}, guarantee.When(guarantee.NobodyFails, guarantee.Termination{By: round})},
				Faults:     2,
				Random:     1000,
				Exact:      true,
			})
		})
	}
}
