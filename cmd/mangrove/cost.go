package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// printCosts prints what it costs to stand failures, and what to begin again instead, if that was
// asked for.
func printCosts(w io.Writer, costs []scenarios.TeamCost) {
	if len(costs) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-28s %10s %7s %10s %7s\n", "cost", "messages", "times", "ticks", "times")
	for _, c := range costs {
		if c.Done {
			fmt.Fprintf(w, "%-28s %10d %7.2f %10d %7.2f\n", c.Name, c.Messages, c.TimesMessages, c.Time, c.TimesTime)
		} else {
			fmt.Fprintf(w, "%-28s %10d %7.2f %10s %7s\n", c.Name, c.Messages, c.TimesMessages, "never", "-")
		}
	}
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
