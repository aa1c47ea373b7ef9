package paper

import (
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
)

const reduceFoot = `late: the root fails before it combines the last value (plain: nobody fails), and combining takes
100 ticks
Optimistic operations keep no backups before the first failure. Until then those of the thesis are
MPI's own, which beat its plain ones; ours are the plain ones with an agreement`

// reduceFigure is figure 5.23: ways to reduce; and what a late failure adds (section 3.5).
func reduceFigure(all []measured) *Result {
	r := &Result{
		Note: "reduce, L=2 o=1; ticks until the last rank is done",
		Table: Table{Columns: []Column{
			{Name: "failure", Left: true}, {Name: "P"}, {Name: plain}, {Name: tolerant}, {Name: tolerantBackups},
			{Name: optimistic}, {Name: optimisticBackups},
		}},
		Foot: reduceFoot,
	}
	var free, slow []point // combining takes no time, and much
	for _, p := range all[0].points {
		if p.settings.Int("combine") == 0 {
			free = append(free, p)
		} else {
			slow = append(slow, p)
		}
	}
	rows, lateRows := byWay(free, point.ranks), byWay(all[1].points, point.ranks)
	for _, w := range lateRows {
		w.of[plain] = slow[slices.IndexFunc(slow, func(p point) bool { return p.ranks() == w.at })]
	}
	r.addReduces("none", rows)
	r.addReduces("late", lateRows)
	r.Claims = reduceClaims(rows)
	r.Drawing = figure.Sheet{Title: "Ways to reduce", Note: "one number, L=2 o=1", Figures: []figure.Figure{
		reducePanel("nobody fails", rows),
		reducePanel("the root fails late, combining takes 100 ticks", lateRows),
	}}
	return r
}

var reduceWays = []string{plain, tolerant, tolerantBackups, optimistic, optimisticBackups}

// addReduces appends the rows of a kind of failure.
func (r *Result) addReduces(failure string, rows []ways) {
	for _, w := range rows {
		row := []any{failure, w.at}
		for _, way := range reduceWays {
			row = append(row, w.of[way].done())
		}
		r.Table.add(row...)
	}
}

func reducePanel(title string, rows []ways) figure.Figure {
	return figure.Figure{
		Title: title, X: ranksAxis, Y: figure.Axis{Label: "run time (ticks)"},
		Series: merged(curves(rows, point.done, reduceWays...)), Legend: figure.Below,
	}
}

// reduceClaims compares the optimistic reduce with others.
func reduceClaims(rows []ways) (claims []Claim) {
	for _, than := range []string{tolerant, plain} {
		over := newReach()
		for _, w := range rows {
			if time := w.of[than].done(); time > 0 {
				over.add(w.of[optimistic].done() / time)
			}
		}
		claims = append(claims, judged("nobody fails: optimistic over "+than, "less than 1", over.text(2), over.in(below(1))))
	}
	return claims
}
