package paper

import "github.com/mangrove-emu/mangrove/report/figure"

const reduceFoot = `late: the root fails before it combines the last value (plain: nobody fails), and combining takes
100 ticks
Optimistic operations keep no backups before the first failure. Until then those of the thesis are
MPI's own, which beat its plain ones; ours are the plain ones with an agreement`

// reduceFigure is figure 5.23: ways to reduce; and what a late failure adds (section 3.5).
func reduceFigure(all []Measured) (*Result, error) {
	early, err := computed(all[0])
	if err != nil {
		return nil, err
	}
	late, err := computed(all[1])
	if err != nil {
		return nil, err
	}
	r := &Result{
		Note: "reduce, L=2 o=1; ticks until the last rank is done",
		Table: Table{Columns: []Column{
			{Name: "failure", Left: true}, {Name: "P"}, {Name: plain}, {Name: tolerant}, {Name: tolerantBackups},
			{Name: optimistic}, {Name: optimisticBackups},
		}},
		Foot: reduceFoot,
	}
	var free, slow []point // combining takes no time, and much
	for _, p := range early {
		if p.settings.Int("combine") == 0 {
			free = append(free, p)
		} else {
			slow = append(slow, p)
		}
	}
	sizes, rows := byWay(free, point.ranks)
	lateSizes, lateRows := byWay(late, point.ranks)
	for _, p := range slow {
		if w, ok := lateRows[p.ranks()]; ok {
			w[plain] = p
		}
	}
	r.addReduces("none", sizes, rows)
	r.addReduces("late", lateSizes, lateRows)
	r.Claims = reduceClaims(sizes, rows)
	r.Drawing = figure.Sheet{Title: "Ways to reduce", Note: "one number, L=2 o=1", Figures: []figure.Figure{
		reducePanel("nobody fails", sizes, rows),
		reducePanel("the root fails late, combining takes 100 ticks", lateSizes, lateRows),
	}}
	return r, nil
}

var reduceWays = []string{plain, tolerant, tolerantBackups, optimistic, optimisticBackups}

// addReduces appends the rows of a kind of failure.
func (r *Result) addReduces(failure string, sizes []int, rows map[int]ways) {
	for _, size := range sizes {
		row := []any{failure, size}
		for _, way := range reduceWays {
			row = append(row, rows[size][way].done())
		}
		r.Table.Add(row...)
	}
}

func reducePanel(title string, sizes []int, rows map[int]ways) figure.Figure {
	return figure.Figure{
		Title: title, X: figure.Axis{Label: "ranks", Log: 2}, Y: figure.Axis{Label: "run time (ticks)"},
		Series: merged(curves(sizes, rows, point.done, reduceWays...)), Legend: figure.Below,
	}
}

// reduceClaims compares the optimistic reduce with others.
func reduceClaims(sizes []int, rows map[int]ways) (claims []Claim) {
	for _, than := range []string{tolerant, plain} {
		over := newReach()
		for _, size := range sizes {
			if time := rows[size][than].done(); time > 0 {
				over.add(rows[size][optimistic].done() / time)
			}
		}
		claims = append(claims, Claim{What: "nobody fails: optimistic over " + than, Paper: "less than 1", Ours: over.text(2), Holds: over.high < 1})
	}
	return claims
}
