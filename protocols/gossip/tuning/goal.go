package tuning

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Goal is what a broadcast shall achieve.
type Goal struct {
	Variant  Variant
	Failures int // ranks that are down from the start, not the root

	// Delta is for Plain the expected number of live ranks that may be left out, and for
	// the others the chance, that a gap or span is longer than planned for. Opportunistic
	// correction then leaves somebody out; Checked and FailureProof only take longer.
	Delta float64

	OnlineFailures int // f, ranks that may fail during correction; FailureProof only

	// Margins, in messages of one rank: gossip goes on for ExtraGossip longer than is best,
	// and correction, if Opportunistic, for ExtraCorrection longer than needed. The paper
	// recommends one of each.
	ExtraGossip, ExtraCorrection int
}

// Limits of a goal. They keep the work of tuning small.
const (
	MaxOnlineFailures = 100
	MaxExtra          = 1000
)

// check notes everything that is wrong with the goal on a machine.
func (g Goal) check(machine clock.LogP) error {
	var bad problems.List
	checkMachine(&bad, machine, g.Failures)
	problems.Range(&bad, "variant", int(g.Variant), int(Plain), int(FailureProof), "")
	checkChance(&bad, "delta", g.Delta)
	problems.Range(&bad, "extra gossip", g.ExtraGossip, 0, MaxExtra, "")
	problems.Range(&bad, "extra correction", g.ExtraCorrection, 0, MaxExtra, "")
	g.checkOnlineFailures(&bad, machine.Ranks-g.Failures)
	return bad.Err("tuning")
}

// checkOnlineFailures notes failures that correction is not proof against: a g-node needs
// f+1 others on either side.
func (g Goal) checkOnlineFailures(bad *problems.List, alive int) {
	if g.Variant != FailureProof {
		problems.Range(bad, "online failures f of "+g.Variant.String(), g.OnlineFailures, 0, 0, "")
		return
	}
	problems.Range(bad, "online failures f", g.OnlineFailures, 0, MaxOnlineFailures, "")
	bad.Check(alive >= g.spanNodes(), "live ranks = %d, want 2f+3 = %d or more", alive, g.spanNodes())
}

// spanNodes is the number of consecutive g-nodes whose span matters to FailureProof, V.
func (g Goal) spanNodes() int { return 2*g.OnlineFailures + 3 }
