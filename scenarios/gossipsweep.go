package scenarios

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
)

// GossipPoint is a point of figure 3, 5 or 9 of Corrected Gossip: how long a broadcast takes if
// ranks gossip until T, by the paper's equation and as measured.
type GossipPoint struct {
	GossipEnd clock.Time `json:"T"`
	Predicted clock.Time `json:"predicted"` // by the equation, with the wait after T
	Line      string     `json:"line"`
	Means     Means      `json:"measured"`
	Most      clock.Time `json:"most"` // the longest that was measured
}

// sweptMachine and sweptDelta are those of the figures.
var sweptMachine = clock.LogP{Ranks: 1024, Latency: 1, Overhead: 1, ManyReceives: true}

const sweptDelta = 6.93e-7

// GossipSweep measures a variant with gossip until every T of the figures, each with so many runs,
// and calls done after each.
func GossipSweep(ctx context.Context, v tuning.Variant, runs int, seed uint64, done func(GossipPoint)) ([]GossipPoint, error) {
	goal := tuning.Goal{Variant: v, Delta: sweptDelta}
	if v == tuning.FailureProof {
		goal.OnlineFailures = 1
	}
	plans, err := tuning.Sweep(sweptMachine, goal, 18, 36)
	if err != nil {
		return nil, err
	}
	var points []GossipPoint
	for _, plan := range plans {
		point := GossipPoint{GossipEnd: plan.GossipEnd, Predicted: plan.Latency, Line: sweptLine(plan)}
		if point.Means, err = Measure(ctx, point.Line, runs, seed); err != nil {
			return points, err
		}
		// Opportunistic correction is over when all are reached; ranks leave the others by
		// themselves.
		if point.Most = point.Means.MostExit; v == tuning.Opportunistic {
			point.Most = point.Means.MostColoring
		}
		points = append(points, point)
		done(point)
	}
	return points, nil
}

// sweptLine runs a plan. Opportunistic correction goes on for longer, until all are reached.
func sweptLine(plan tuning.Plan) string {
	line := fmt.Sprintf("gossip variant=%v T=%d", plan.Variant, plan.GossipEnd)
	if plan.Variant == tuning.Opportunistic {
		line += fmt.Sprintf(" C=%d", plan.CorrectionTime+100)
	}
	return fmt.Sprintf("%s P=%d L=%d o=%d receive=many", line, sweptMachine.Ranks, sweptMachine.Latency, sweptMachine.Overhead)
}
