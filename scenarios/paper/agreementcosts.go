package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/report/figure"
)

// What Agree, Shrink and Revoke cost by several algorithms. No paper has these tables and figures: they set
// algorithms of different libraries side by side.

// scene is runs of several algorithms that differ in one number: how many ranks there are, or how many of them fail.
type scene struct {
	fails  string // who fails, and when
	title  string // of its panels; without one there are none
	x      figure.Axis
	at     func(point) int
	points []point
}

// quantity is what an algorithm costs, in a median run. It cannot be told (NaN) if half of the runs never end, or do not end
// as they must.
type quantity struct {
	name  string
	of    measure // as tables have it
	shown measure // as figures have it
	label string
}

var quantities = []quantity{
	{"messages", medianMessages, func(p point) float64 { return medianMessages(p) / float64(p.ranks()) }, "messages a rank"},
	{"ticks", medianDone, medianDone, "ticks until the last rank is done"},
}

func medianMessages(p point) float64 { return p.unlessBroken(p.Messages.Median()) }
func medianDone(p point) float64     { return p.unlessBroken(p.Done.Median()) }

// unlessBroken is a number of a point, or NaN.
func (p point) unlessBroken(x float64) float64 {
	if 2*min(p.Done.Len(), p.Held.Hits) <= p.Runs {
		return math.NaN()
	}
	return x
}

// standsAll reports whether the algorithm of a point claims to stand any failures.
func (p point) standsAll() bool {
	by := p.settings.Text("agreement")
	return by != "openmpi" && by != "mpich"
}

// nobodyFails is the scene of algorithms by the number of ranks.
func nobodyFails(points []point) scene {
	return scene{"nobody", "nobody fails", ranksAxis, point.ranks, points}
}

// someFail is a scene of algorithms by the number of failures. The runs without a failure are those of another scene, on as
// many ranks.
func someFail(fails, title string, nobody, points []point) scene {
	points = slices.Clone(points)
	for _, p := range nobody {
		if p.ranks() == points[0].ranks() {
			points = append(points, p)
		}
	}
	slices.SortStableFunc(points, func(a, b point) int { return a.failures() - b.failures() })
	return scene{fails, title, figure.Axis{Label: "ranks that fail"}, point.failures, points}
}

// failures is how many ranks fail, by chance or by name.
func (p point) failures() int {
	schedule := p.settings.Text("faults")
	if by := p.down(); by > 0 || schedule == "none" {
		return by
	}
	return 1 + strings.Count(schedule, ",")
}

// costs is the result of algorithms in several scenes. A run that breaks what was promised is an error, unless the algorithm is
// known to break.
func costs(title, note string, all []measured, algorithm func(point) string, scenes []scene) (*Result, error) {
	for _, m := range all {
		for _, p := range m.points {
			if p.standsAll() && p.Held.Hits < p.Held.Runs {
				return nil, fmt.Errorf("paper: %s: a promise is broken: %s", m.Name, m.LineOf(p.Point, p.Broken))
			}
		}
	}
	r := &Result{Note: note, Table: Table{Columns: []Column{{Name: "who fails", Left: true}, {Name: "cost", Left: true}, {Name: "P"}, {Name: "failed"}}}}
	for _, g := range grouped(scenes[0].points, algorithm) {
		r.Table.Columns = append(r.Table.Columns, Column{Name: g.key})
	}
	for _, s := range scenes {
		for _, q := range quantities {
			s.addRows(&r.Table, q, algorithm)
		}
	}
	scenes = slices.DeleteFunc(scenes, func(s scene) bool { return s.title == "" })
	r.Drawing = figure.Sheet{Title: title, Note: note, Columns: len(scenes), Figures: costPanels(scenes, algorithm)}
	return r, nil
}

// addRows appends the rows of a quantity, with a cell for each algorithm that has run so.
func (s scene) addRows(t *Table, q quantity, algorithm func(point) string) {
	for _, same := range grouped(s.points, s.at) {
		first := same.points[0]
		row := slices.Concat([]any{s.fails, q.name, first.ranks(), first.failures()}, make([]any, len(t.Columns)-4))
		for _, p := range same.points {
			row[slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == algorithm(p) })] = q.of(p)
		}
		t.add(row...)
	}
}

// costPanels are a row of panels for each quantity, with one for each scene. Algorithms that cost the same in all of them are drawn
// once, so that an algorithm looks the same everywhere. The names are under the last row.
func costPanels(scenes []scene, algorithm func(point) string) (panels []figure.Figure) {
	var whole []figure.Series // what all panels have of an algorithm
	for i, g := range grouped(scenes[0].points, algorithm) {
		whole = append(whole, figure.Series{Name: g.key, Of: i + 1})
	}
	for _, q := range quantities {
		for _, s := range scenes {
			f := figure.Figure{Title: s.title, X: s.x, Y: figure.Axis{Label: q.label, Log: 10}, Legend: figure.None}
			for i, g := range grouped(s.points, algorithm) {
				points := s.curve(q, g.points)
				f.Series = append(f.Series, figure.Series{Of: i + 1, Points: points})
				whole[i].Points = append(whole[i].Points, points...)
			}
			panels = append(panels, f)
		}
	}
	for i := range panels {
		f := &panels[i]
		if i >= len(panels)-len(scenes) {
			f.Legend = figure.Below
		}
		all := f.Series
		f.Series = nil
		for _, kept := range merged(whole) {
			f.Series = append(f.Series, figure.Series{Name: kept.Name, Of: kept.Of, Points: all[kept.Of-1].Points})
		}
	}
	return panels
}

// curve is a quantity of an algorithm, as far as it can be told.
func (s scene) curve(q quantity, points []point) (curve []figure.Point) {
	for _, p := range points {
		if y := q.shown(p); !math.IsNaN(y) {
			curve = append(curve, figure.Point{X: float64(s.at(p)), Y: y})
		}
	}
	return curve
}
