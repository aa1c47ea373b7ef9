package paper

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
)

// The ways to compute that the thesis compares.
const (
	plain             = "plain"
	tolerant          = "tolerant"
	optimistic        = "optimistic"
	tolerantBackups   = "tolerant + backups"
	optimisticBackups = "optimistic + backups"
)

// ways are points that differ in nothing but the way to compute.
type ways struct {
	at int // what they have in common: the number of ranks, or of bytes
	of map[string]point
}

// way is how a point computes.
func (p point) way() string {
	if p.settings.Text("backup") == "all" {
		return p.settings.Text("strategy") + " + backups"
	}
	return p.settings.Text("strategy")
}

// done is when the last rank was done, in ticks.
func (p point) done() float64 { return p.Done.Mean() }

// doneIn is the same in another unit.
func doneIn(ticks float64) measure { return func(p point) float64 { return p.done() / ticks } }

// ofResults evaluates computations. That a run has no result, or a wrong one, is an error.
func ofResults(evaluate func([]measured) *Result) func([]measured) (*Result, error) {
	return func(all []measured) (*Result, error) {
		for _, m := range all {
			for _, p := range m.points {
				if p.Done.Len() < p.Runs || p.Held.Hits < p.Held.Runs {
					return nil, fmt.Errorf("paper: %s: no result, or a wrong one: %s", m.Name, m.LineOf(p.Point, 0))
				}
			}
		}
		return evaluate(all), nil
	}
}

// byWay sorts points into rows with the same key, in the order in which the keys first come.
func byWay(points []point, key func(point) int) (rows []ways) {
	for _, g := range grouped(points, key) {
		w := ways{g.key, make(map[string]point)}
		for _, p := range g.points {
			w.of[p.way()] = p
		}
		rows = append(rows, w)
	}
	return rows
}

// over is what a way takes over what plain takes; nothing if that is nothing.
func (w ways) over(way string, m measure) any {
	if m(w.of[plain]) == 0 {
		return nil
	}
	return m(w.of[way]) / m(w.of[plain])
}

// adds is what a way takes beyond plain.
func (w ways) adds(way string, m measure) float64 { return m(w.of[way]) - m(w.of[plain]) }

// looks of ways in all figures: those with backups are dashed.
var looks = map[string]figure.Series{
	plain:             {Name: plain, Of: 1},
	tolerant:          {Name: tolerant, Of: 2},
	optimistic:        {Name: optimistic, Of: 3},
	tolerantBackups:   {Name: tolerantBackups, Of: 2, Dashed: true},
	optimisticBackups: {Name: optimisticBackups, Of: 3, Dashed: true},
}

// curves draws some ways over what rows have in common. One rank sends nothing, and is left out.
func curves(rows []ways, m measure, names ...string) []figure.Series {
	var all []figure.Series
	for _, name := range names {
		s := looks[name]
		for _, w := range rows {
			if y := m(w.of[name]); y > 0 {
				s.Points = append(s.Points, figure.Point{X: float64(w.at), Y: y})
			}
		}
		all = append(all, s)
	}
	return all
}

// merged draws series that lie on each other as one, with the names of all that have one.
func merged(all []figure.Series) []figure.Series {
	var kept []figure.Series
	for _, s := range all {
		i := slices.IndexFunc(kept, func(k figure.Series) bool { return slices.Equal(k.Points, s.Points) })
		if i < 0 {
			kept = append(kept, s)
			continue
		}
		if s.Name != "" {
			kept[i].Name += " and " + s.Name
		}
	}
	return kept
}
