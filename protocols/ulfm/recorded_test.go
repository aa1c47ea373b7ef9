package ulfm_test

import (
	"testing"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Runs that random search found, each the only kind that shows a mistake in one line of the code.
func TestRecordedRuns(t *testing.T) {
	tests := []struct {
		name    string
		options ulfm.Options
		machine clock.LogP
		network uneven
		delay   clock.Time
		spread  clock.Time
		faults  string
		program []action
	}{
		{
			"a vote without the decision comes after one with it", ulfm.Options{},
			clock.LogP{Ranks: 14, Latency: 1, Overhead: 1, PerByte: 1}, uneven{1, 32, 0}, 20, 0,
			"crash:0@before-send6,crash:1@before-send3,crash:3@before-send5,crash:6@after-send5,hang:2@recv1,hang:5@after-send6,hang:4@before-send4,crash:7@before-send14,hang:12@t0",
			[]action{{"compute", 27153}, {"acknowledge", 33871}, {"uniform", 4}, {"shrink", 7}},
		},
		{
			"who was started anew asks about an agreement that others have done with", ulfm.Options{},
			clock.LogP{Ranks: 12, Latency: 1, Overhead: 1, PerByte: 1}, uneven{1, 66, 0}, 3, 1,
			"crash:3@t0,rejoin:3@t3000,crash:5@t0,rejoin:5@t3000,crash:2@before-send1,crash:7@after-send1,crash:6@before-send16,crash:8@t0,crash:11@before-send18,crash:1@before-send1,crash:9@recv8",
			[]action{{"agree", 0}, {"grow", 0}},
		},
		{
			"of those who reduce as MPICH does one knows that the communicator is revoked", ulfm.Options{Agreement: ulfm.Gathering},
			clock.LogP{Ranks: 3, Latency: 1, Overhead: 1}, uneven{1, 1, 0}, 3, 0,
			"crash:1@t0",
			[]action{{"revoke", 1}, {"uniform", 0}},
		},
		{
			"who is asked by the next root has the decision of the last one, which it does not know to have failed", ulfm.Options{Agreement: ulfm.EarlyReturning},
			clock.LogP{Ranks: 8, Latency: 1, Overhead: 1, PerByte: 2}, uneven{1, 1, 0}, 3, 33,
			"crash:3@before-send1,crash:0@after-send1,crash:1@t0",
			[]action{{"agree", 0}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cfg := emu.Config{LogP: test.machine, Network: test.network, Detection: emu.Detection{Delay: test.delay, Spread: test.spread, Hangs: true}}
			experiment{test.options, cfg, faults.MustParse(test.faults), test.program}.requireSurvivors(t)
		})
	}
}
