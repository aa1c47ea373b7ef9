package tuning

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// checkTime refuses an instant that gossip cannot end at.
func checkTime(bad *problems.List, name string, t clock.Time) {
	problems.Range(bad, name, t, 0, clock.Forever, "")
}

// checkChance refuses what is not strictly between 0 and 1, NaN included.
func checkChance(bad *problems.List, name string, value float64) {
	bad.Check(value > 0 && value < 1, "%s = %v, want above 0 and below 1", name, value)
}

// checkMachine refuses costs that no machine has, and failures beyond those of all but the root.
func checkMachine(bad *problems.List, machine clock.LogP, failures int) {
	problems.Range(bad, "ranks N", machine.Ranks, 2, clock.MaxRanks, "")
	problems.Range(bad, "failures", failures, 0, max(0, machine.Ranks-1), "")
	machine.Ranks = clock.MaxRanks // what clock has to say of ranks has been said
	*bad = append(*bad, problems.Of(machine.Validate())...)
}
