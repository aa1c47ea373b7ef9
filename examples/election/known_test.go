//go:build !bug

package election

import (
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
)

// An answer that is late by more than others wait is as good as none: two ranks lead, and who has heard of the wrong one last stays with it.
func TestALateAnswerMakesTwoLeaders(t *testing.T) {
	emutest.Known(t, emutest.Test{
		Machine:    machine,
		Detection:  detection,
		New:        bully(guarantee.InTime, guarantee.NobodySlow),
		NoFailures: true,
		Random:     1000,
	}, emutest.Break{Promise: "the highest rank that lives leads all", Faults: "late:2@send1+14", Beyond: true})
}

// One failure is enough to have all others of a ring wait for ever, but nobody takes anybody else for the leader.
func TestTheRingStandsNoFailure(t *testing.T) {
	emutest.Known(t, emutest.Test{Machine: machine, New: ring, Guarantees: ends, Faults: 2, Random: 1000}, emutest.Break{Promise: "termination", Faults: "crash:0@t0", Beyond: true})
}
