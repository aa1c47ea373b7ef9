package paper

import "github.com/mangrove-emu/mangrove/report/figure"

// sizeFigure is figure 5.5: what tolerance adds to broadcasts of growing messages.
func sizeFigure(all []measured) *Result {
	r := &Result{
		Note: "broadcast on 128 ranks, L=1us o=300ns G=1ns; microseconds until the last rank is done",
		Table: Table{Columns: []Column{
			{Name: "bytes"}, {Name: plain, Digits: 1}, {Name: tolerant, Digits: 1}, {Name: "adds", Digits: 1},
			{Name: optimistic, Digits: 1}, {Name: "optimistic adds", Digits: 1},
		}},
	}
	micro := doneIn(1000)
	rows := byWay(all[0].points, func(p point) int { return 8 * p.settings.Int("n") })
	added := []figure.Series{looks[plain], looks[tolerant], looks[optimistic]}
	reached := newReach()
	for _, w := range rows {
		t, o := w.adds(tolerant, micro), w.adds(optimistic, micro)
		r.Table.add(w.at, micro(w.of[plain]), micro(w.of[tolerant]), t, micro(w.of[optimistic]), o)
		for i, y := range []float64{0, t, o} {
			added[i].Points = append(added[i].Points, figure.Point{X: float64(w.at), Y: y})
		}
		reached.add(t)
	}
	r.Claims = []Claim{judged("what tolerance adds, us", "almost constant", reached.text(1), reached.quotient().in(&reach{1, justUnder(1.01)}))}
	bytes := figure.Axis{Label: "message (bytes)", Log: 2}
	r.Drawing = figure.Sheet{Title: "Broadcasts of growing messages", Note: "128 ranks, L=1us o=300ns G=1ns, nobody fails", Figures: []figure.Figure{
		{Title: "run time", X: bytes, Y: figure.Axis{Label: "run time (us)", Log: 10}, Series: curves(rows, micro, plain, tolerant, optimistic)},
		{Title: "what it adds", X: bytes, Y: figure.Axis{Label: "run time beyond plain (us)"}, Series: added},
	}}
	return r
}
