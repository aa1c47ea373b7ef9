package catalog

import (
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// spreading is the experiment of a program by which a root reaches everybody.
func spreading(program protocols.Program, root int, timing scenarios.Timing, promises []guarantee.Guarantee) scenarios.Experiment {
	return scenarios.Experiment{Program: program, Roots: []int{root}, Timing: timing, Promises: promises}
}

// spread are the promises of a broadcast in which ranks depend on nobody once they have the message.
func spread(needs, stands premises) []guarantee.Guarantee {
	return append(guarantee.Spreading(needs, stands), guarantee.Promise{Guarantee: guarantee.ReachedRanksReturn{}, MayLose: true})
}

// onAnyNetwork goes with programs whose deadlines, if they have any, suit all networks.
var onAnyNetwork = scenarios.Timing{Assumes: scenarios.NoLatency}

// untimed goes with programs that do not even look at the clock.
var untimed = scenarios.Timing{Assumes: scenarios.NoLatency, Untimed: true}

// withinLatency goes with programs that have deadlines.
func withinLatency(because string) scenarios.Timing {
	return scenarios.Timing{Assumes: scenarios.LongestLatency, Because: because}
}
