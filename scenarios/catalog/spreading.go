package catalog

import (
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// spreading is the experiment of a program by which a root reaches everybody.
func spreading(program protocols.Program, root int, timing scenarios.Timing) scenarios.Experiment {
	return scenarios.Experiment{Program: program, Roots: []int{root}, Timing: timing, Checks: guarantee.Spreading()}
}

// onAnyNetwork goes with programs that send and receive, whenever that may be.
var onAnyNetwork = scenarios.Timing{Assumes: scenarios.NoLatency}

// withinLatency goes with programs that have deadlines.
func withinLatency(because string) scenarios.Timing {
	return scenarios.Timing{Assumes: scenarios.LongestLatency, Because: because}
}
