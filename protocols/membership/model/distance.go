package model

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// Distance is the distance model, equation 6.1: every level costs as many latencies, there and
// back, as the longest way between a parent and its child has hops. Levels are those of the
// view, in which ranks may stand higher than before others have failed.
//
// As printed, the equation multiplies the sum over all levels by H-1 once more, which cannot be
// meant: the text and figure 6.1 have each level once.
func Distance(view membership.View, hops func(from, to int) int, latency, compute clock.Time) clock.Time {
	sum, height := longestWays(view, hops)
	return (2 * latency).Times(sum) + compute.Times(height)
}

// longestWays adds up the hops of the longest way from each level to the next, and counts the
// levels. It goes through the tree once, level by level.
func longestWays(view membership.View, hops func(from, to int) int) (sum, height int) {
	for level := rootOf(view); len(level) > 0; height++ {
		longest := 0
		var below []int
		for _, parent := range level {
			first := len(below)
			below = view.Children(parent, below)
			for _, child := range below[first:] {
				longest = max(longest, hops(parent, child))
			}
		}
		sum += longest
		level = below
	}
	return sum, height
}

// rootOf is the first level, if there is one.
func rootOf(view membership.View) []int {
	if root := view.Root(); root >= 0 {
		return []int{root}
	}
	return nil
}
