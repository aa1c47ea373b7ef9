package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// showCosts prints what it costs to stand failures, and what to begin again instead.
func (a *app) showCosts(ctx context.Context, run *scenarios.Run, opts scenarios.Options) error {
	costs, err := run.Costs(ctx, opts)
	if err != nil {
		if ctx.Err() != nil {
			return interrupted{}
		}
		return failure{err}
	}
	_, err = fmt.Fprint(a.stdout, "\n", costTable(costs))
	return err
}

// costTable shows costs, and how many times those of the first they are.
func costTable(costs []scenarios.TeamCost) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s %10s %7s %10s %7s\n", "cost", "messages", "times", "ticks", "times")
	for _, c := range costs {
		fmt.Fprintf(&b, "%-28s %10d %7.2f %10d %7.2f\n", c.Name, c.Messages, c.TimesMessages, c.Time, c.TimesTime)
	}
	return b.String()
}

// withStrategies names the protocols that have a plain version.
func withStrategies(g scenarios.Registry) string {
	var names []string
	for _, p := range g {
		for _, k := range p.Keys {
			if k.Name == "strategy" {
				names = append(names, p.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}
