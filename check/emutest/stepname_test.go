package emutest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// A step may be called what no schedule can say. That is about the program, which nobody finds out who is told of a schedule that he has not written.
func TestAStepThatNoScheduleCanName(t *testing.T) {
	_, err := emutest.Check(t.Context(), emutest.Test{
		Machine: clock.LogP{Ranks: 2, Latency: 2, Overhead: 1},
		Program: protocols.Program{Main: func(p protocols.Proc) {
			p.Step("suspect 3")
			p.Send(1-p.Rank(), mailbox.Message{})
		}},
		Guarantees: []guarantee.Guarantee{guarantee.Termination{}},
		Faults:     1,
	})
	require.ErrorContains(t, err, `rank 0 passes step "suspect 3", at which no schedule can let it fail: `)
	require.ErrorContains(t, err, `step name "suspect 3", want one or more of A-Z a-z 0-9 - _ . /`)
}
