package paper

import (
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

// outside counts the runs in which a correction took less, or more, than lemma 3 says.
func outside(all []point) (runs, wrong int) {
	for _, p := range all {
		for c, times := range p.Corrections {
			runs += times
			if low, high := lemma3(c.Gap); c.Took < low || c.Took > high {
				wrong += times
			}
		}
	}
	return runs, wrong
}

func boundsClaim(all []point) Claim {
	runs, wrong := outside(all)
	return Claim{"runs outside lemma 3's bounds", "0", fmt.Sprintf("%d of %s", wrong, thousands(runs)), wrong == 0}
}

// gapFigure is figure 10: which gaps were seen, and how long their correction took.
func gapFigure(all []Measured) (*Result, error) {
	points, err := all[0].points()
	if err != nil {
		return nil, err
	}
	trees, groups := grouped(points, point.treeName)
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
	most := 0
	seen := make(map[campaign.GapTime]map[string]int)
	for _, tree := range trees {
		r.Table.Columns = append(r.Table.Columns, Column{Name: tree})
		s := figure.Series{Name: tree, Style: figure.Points}
		counts := make(map[campaign.GapTime]int)
		for _, p := range groups[tree] {
			for c, times := range p.Corrections {
				counts[c] += times
			}
		}
		for _, c := range sortedPairs(counts) {
			s.Points = append(s.Points, figure.Point{X: float64(c.Gap), Y: float64(c.Took)})
			if seen[c] == nil {
				seen[c] = make(map[string]int)
			}
			seen[c][tree] = counts[c]
			most = max(most, c.Gap)
		}
		f.Series = append(f.Series, s)
	}
	for _, c := range sortedPairs(seen) {
		low, high := lemma3(c.Gap)
		row := []any{c.Gap, int(c.Took), int(low), int(high)}
		for _, tree := range trees {
			row = append(row, seen[c][tree])
		}
		r.Table.Add(row...)
	}
	f.Series = append(f.Series, bound("lemma 3", most, func(gap int) float64 { _, high := lemma3(gap); return float64(high) }),
		bound("", most, func(gap int) float64 { low, _ := lemma3(gap); return float64(low) }))
	runs, large := 0, 0
	for c, trees := range seen {
		for _, times := range trees {
			runs += times
			if c.Gap > 10 {
				large += times
			}
		}
	}
	share := 100 * float64(large) / float64(runs)
	r.Claims = []Claim{boundsClaim(points), {"runs with a gap of more than 10", "less than 1 %", fmt.Sprintf("%.2f %%", share), share < 1}}
	r.Drawing = f
	return r, nil
}

// bound draws a bound for every gap.
func bound(name string, most int, of func(gap int) float64) figure.Series {
	s := figure.Series{Name: name, Style: figure.Rule, Of: 99, Dashed: true}
	for _, gap := range []int{1, most} {
		s.Points = append(s.Points, figure.Point{X: float64(gap), Y: of(gap)})
	}
	return s
}

// sortedPairs lists pairs by their gap, then by their time.
func sortedPairs[V any](pairs map[campaign.GapTime]V) []campaign.GapTime {
	return slices.SortedFunc(maps.Keys(pairs), func(a, b campaign.GapTime) int {
		if a.Gap != b.Gap {
			return a.Gap - b.Gap
		}
		return int(a.Took - b.Took)
	})
}
