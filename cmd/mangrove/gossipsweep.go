package main

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
	"github.com/mangrove-emu/mangrove/scenarios"
)

const gossipSweepHead = `1,024 ranks, L=o=1, %s of each row; the equation is for delta = 6.93e-7

   T  equation  longest     mean
`

const gossipSweepFoot = `
equation  what the paper predicts, the wait L+o after T included
longest   the longest of our runs: until %s
`

// gossipSweep returns the experiment that measures a variant for many T.
func gossipSweep(v tuning.Variant, until string) func(*app, context.Context, paperFlags) error {
	return func(a *app, ctx context.Context, f paperFlags) error {
		show := func(scenarios.GossipPoint) {}
		if !f.json {
			fmt.Fprintf(a.stdout, gossipSweepHead, count(f.runs, "run"))
			show = func(p scenarios.GossipPoint) {
				mean := p.Means.Exit
				if v == tuning.Opportunistic {
					mean = p.Means.Coloring
				}
				fmt.Fprintf(a.stdout, "%4d %9d %8d %8.1f\n", p.GossipEnd, p.Predicted, p.Most, mean)
			}
		}
		points, err := scenarios.GossipSweep(ctx, v, f.runs, f.seed, show)
		switch {
		case err != nil:
			return err
		case f.json:
			return printJSON(a.stdout, points)
		}
		_, err = fmt.Fprintf(a.stdout, gossipSweepFoot, until)
		return err
	}
}
