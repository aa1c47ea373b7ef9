package paper

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// freeCorrection is how long a correction takes without failures, on a machine with L=2 and o=1 (lemma 2).
const freeCorrection = 8

// lemma3 bounds the time of a correction by the largest gap.
func lemma3(gap int) (low, high clock.Time) {
	g := clock.Time(gap)
	if g == 0 {
		return freeCorrection, freeCorrection
	}
	return freeCorrection + g, freeCorrection + 2*g + 1
}

// corrections adds up how often each gap and time was seen.
func corrections(points []point) map[campaign.GapTime]int {
	seen := make(map[campaign.GapTime]int)
	for _, p := range points {
		for c, times := range p.Corrections {
			seen[c] += times
		}
	}
	return seen
}

// countRuns is of how many runs something is so, and how many there are.
func countRuns(seen map[campaign.GapTime]int, is func(campaign.GapTime) bool) (hits, runs int) {
	for c, times := range seen {
		runs += times
		if is(c) {
			hits += times
		}
	}
	return hits, runs
}

// boundsClaim is that no correction took less, or more, than lemma 3 says.
func boundsClaim(seen map[campaign.GapTime]int) Claim {
	wrong, runs := countRuns(seen, func(c campaign.GapTime) bool {
		low, high := lemma3(c.Gap)
		return c.Took < low || c.Took > high
	})
	return judged("runs outside lemma 3's bounds", "0", fmt.Sprintf("%d of %s", wrong, thousands(runs)), number(float64(wrong)).in(number(0)))
}

// gapFigure is figure 10: which gaps were seen, and how long their correction took.
func gapFigure(all []measured) (*Result, error) {
	r := &Result{
		Note: faultNote(all) + "; all rates of failures together",
		Table: Table{Columns: []Column{
			{Name: "largest gap"}, {Name: "correction"}, {Name: "from"}, {Name: "to"},
		}},
	}
	f := figure.Figure{
		Title: "The largest gap and how long correction takes", Note: r.Note,
		X: figure.Axis{Label: "largest gap (ranks)"}, Y: figure.Axis{Label: "correction (ticks)"},
	}
	var byTree []map[campaign.GapTime]int
	for _, tree := range grouped(all[0].points, point.treeName) {
		r.Table.Columns = append(r.Table.Columns, Column{Name: tree.key})
		s := figure.Series{Name: tree.key, Style: figure.Points}
		seen := corrections(tree.points)
		for _, c := range sortedPairs(seen) {
			s.Points = append(s.Points, figure.Point{X: float64(c.Gap), Y: float64(c.Took)})
		}
		f.Series = append(f.Series, s)
		byTree = append(byTree, seen)
	}
	seen := corrections(all[0].points)
	largest := 0
	for _, c := range sortedPairs(seen) {
		largest = max(largest, c.Gap)
		low, high := lemma3(c.Gap)
		row := []any{c.Gap, int(c.Took), int(low), int(high)}
		for _, tree := range byTree {
			row = append(row, tree[c])
		}
		r.Table.add(row...)
	}
	f.Series = append(f.Series, bound("lemma 3", largest, func(gap int) clock.Time { _, high := lemma3(gap); return high }),
		bound("", largest, func(gap int) clock.Time { low, _ := lemma3(gap); return low }))
	large, runs := countRuns(seen, func(c campaign.GapTime) bool { return c.Gap > 10 })
	share := 100 * float64(large) / float64(runs)
	r.Claims = []Claim{boundsClaim(seen), judged("runs with a gap of more than 10", "less than 1 %", fmt.Sprintf("%.2f %%", share), number(share).in(below(1)))}
	r.Drawing = f
	return r, nil
}

// bound draws a bound for every gap.
func bound(name string, largest int, of func(gap int) clock.Time) figure.Series {
	s := figure.Series{Name: name, Style: figure.Rule, Of: 99, Dashed: true}
	for _, gap := range []int{1, largest} {
		s.Points = append(s.Points, figure.Point{X: float64(gap), Y: float64(of(gap))})
	}
	return s
}

// sortedPairs lists pairs by their gap, then by their time.
func sortedPairs(pairs map[campaign.GapTime]int) []campaign.GapTime {
	return slices.SortedFunc(maps.Keys(pairs), func(a, b campaign.GapTime) int {
		return cmp.Or(cmp.Compare(a.Gap, b.Gap), cmp.Compare(a.Took, b.Took))
	})
}
