package paper

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
)

// thesisFactors are the average factors of tolerance over the thesis' own plain version, for up to 128
// processes. For scatter and gather it gives those of both over MPI's own operation; these are the quotients.
// For all-to-all it gives none.
var thesisFactors = map[string]struct {
	text   string
	factor float64
}{
	"broadcast": {"4.60", 4.60},
	"scatter":   {"3.74*", 4.90 / 1.31},
	"gather":    {"3.95*", 5.09 / 1.29},
	"reduce":    {"1.34", 1.34},
}

// mostThesisRanks is the largest machine of the thesis.
const mostThesisRanks = 128

// sameFactor is how far apart factors may be that count as the same. The thesis has measured on a cluster; ours
// come from messages alone.
const sameFactor = 0.15

const overheadFoot = `messages: those of tolerant over those of plain
* 4.90 over 1.31 and 5.09 over 1.29, both over MPI's own operation
Averages within 15 % of the thesis' count as the same. Two agreements cannot add only a third to a
reduce of one number; see docs/collectives.md`

// operation is what an operation takes, by the number of ranks.
type operation struct {
	name string
	rows []ways
}

// overheadFigure is figures 5.3 to 5.13 but for 5.5: what tolerance takes, without failures.
func overheadFigure(all []measured) *Result {
	var operations []operation
	for _, same := range grouped(all[0].points, func(p point) string { return p.settings.Text("op") }) {
		operations = append(operations, operation{same.key, byWay(same.points, point.ranks)})
	}
	r := &Result{
		Note:  "L=2 o=1, one number of 8 bytes; ticks until the last rank is done",
		Table: overheadTable(operations),
		Foot:  overheadFoot,
	}
	sheet := figure.Sheet{Title: "What it takes to tolerate failures", Note: "one number of 8 bytes, L=2 o=1, nobody fails", Columns: 3}
	for _, op := range operations {
		r.addAverage(op)
		sheet.Figures = append(sheet.Figures, op.panel())
	}
	r.Claims = append(r.Claims, operations[0].agreementClaim())
	sheet.Figures = append(sheet.Figures, factorsPanel(operations))
	r.Drawing = sheet
	return r
}

func overheadTable(operations []operation) Table {
	t := Table{Columns: []Column{
		{Name: "operation", Left: true}, {Name: "P"}, {Name: plain}, {Name: tolerant}, {Name: "tolerant/plain", Digits: 2},
		{Name: optimistic}, {Name: "optimistic/plain", Digits: 2}, {Name: "messages", Digits: 2},
	}}
	messages := func(p point) float64 { return p.Messages.Mean() }
	for _, op := range operations {
		for _, w := range op.rows {
			t.add(op.name, w.at, w.of[plain].done(), w.of[tolerant].done(), w.over(tolerant, point.done),
				w.of[optimistic].done(), w.over(optimistic, point.done), w.over(tolerant, messages))
		}
	}
	return t
}

// panel draws run times.
func (op operation) panel() figure.Figure {
	f := figure.Figure{
		Title: op.name, X: ranksAxis, Y: figure.Axis{Label: "run time (ticks)"},
		Series: curves(op.rows, point.done, plain, tolerant, optimistic),
	}
	if op.name == "alltoall" { // its time grows with the number of ranks, that of others with its logarithm
		f.Y.Log = 10
	}
	return f
}

// factorsPanel draws what tolerance takes over plain. Operations that are the same there are drawn once.
func factorsPanel(operations []operation) figure.Figure {
	var tolerants, optimists []figure.Series
	for i, op := range operations {
		tolerants = append(tolerants, figure.Series{Name: op.name, Of: i + 1, Points: op.factors(tolerant)})
		optimists = append(optimists, figure.Series{Of: i + 1, Dashed: true, Points: op.factors(optimistic)})
	}
	return figure.Figure{
		Title: "overhead (dashed: optimistic)", X: ranksAxis, Y: figure.Axis{Label: "time over that of plain"},
		Series: slices.Concat(merged(tolerants), merged(optimists)),
	}
}

// factors are how many times as long as plain a way takes.
func (op operation) factors(way string) (all []figure.Point) {
	for _, w := range op.rows {
		if factor, ok := w.over(way, point.done).(float64); ok {
			all = append(all, figure.Point{X: float64(w.at), Y: factor})
		}
	}
	return all
}

// average is the mean factor of tolerance over the sizes that the thesis has.
func (op operation) average() float64 {
	sum, count := 0.0, 0
	for _, p := range op.factors(tolerant) {
		if p.X <= mostThesisRanks {
			sum, count = sum+p.Y, count+1
		}
	}
	return sum / float64(count)
}

// addAverage compares the average factor with that of the thesis, or tells it where the thesis has none.
func (r *Result) addAverage(op operation) {
	average := op.average()
	thesis, ok := thesisFactors[op.name]
	if !ok {
		r.Foot += fmt.Sprintf("\n%s: %.2f on the average of 2 to 128 ranks; the thesis has no number", op.name, average)
		return
	}
	r.Claims = append(r.Claims, judged(op.name+": tolerant over plain, average of 2 to 128 ranks", thesis.text, fmt.Sprintf("%.2f", average),
		number(average).in(near(thesis.factor, sameFactor))))
}

// agreementClaim is why tolerance takes so long: an optimistic broadcast is the plain one and an agreement.
func (op operation) agreementClaim() Claim {
	agreement := newReach()
	for _, p := range op.factors(optimistic) {
		agreement.add(p.Y - 1)
	}
	return judged("an agreement over a "+op.name+" of one number", "more than 1", agreement.text(2), agreement.in(above(1)))
}
