package paper

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/mangrove-emu/mangrove/report/figure"
)

const stabilizationFoot = `H      levels of the tree
T_s    from the root's first step to the last acknowledgement
base, distance   what the models of the thesis predict
other  what models leave out: overheads, serialized sends, waiting for ports
path   levels on the path that took longest
torus  8x8x8, and 8x8x16 for 1,024 ranks
ratio  T_s / distance, on the torus`

// stabilizationFigure is figures 6.1 and 6.2: how long it takes to agree, beside what models say.
func stabilizationFigure(ctx context.Context, _ Options) (*Result, error) {
	all, err := measureViewChanges(ctx)
	if err != nil {
		return nil, err
	}
	return stabilizationResult(all), nil
}

func stabilizationResult(all []viewChange) *Result {
	r := &Result{
		Note: "BlueGene/L: L=4.6 us a hop, O_cp=2 us, o=0.1 us; rank P/2 fails. Microseconds",
		Table: Table{Columns: []Column{
			{Name: "a"}, {Name: "P"}, {Name: "H"}, {Name: "one hop: T_s", Digits: 1}, {Name: "base", Digits: 1}, {Name: "other", Digits: 1}, {Name: "path"},
			{Name: "torus: T_s", Digits: 1}, {Name: "distance", Digits: 1}, {Name: "torus: other", Digits: 1}, {Name: "ratio", Digits: 2},
		}},
		Claims: stabilizationClaims(all),
		Foot:   stabilizationFoot,
	}
	sheet := figure.Sheet{Title: "How long it takes to agree on a view", Note: "BlueGene/L: L=4.6 us a hop, O_cp=2 us; rank P/2 of P fails", Columns: 2}
	for _, children := range []int{2, 4} {
		sheet.Figures = append(sheet.Figures, stabilizationPanel(children, all))
	}
	for _, v := range all {
		one, torus := &v.single, &v.torus
		r.Table.add(v.children, v.ranks, one.Height, micros(one.Measured), micros(one.Base), micros(one.Items.Unmodelled()), one.Items.Levels,
			micros(torus.Measured), micros(torus.Distance), micros(torus.Items.Unmodelled()), v.ratio())
	}
	r.Drawing = sheet
	return r
}

// ratio is what was measured on the torus over what the distance model says.
func (v viewChange) ratio() float64 { return float64(v.torus.Measured) / float64(v.torus.Distance) }

// stabilizationPanel draws what was measured and what models predict. Both panels have the same axes.
func stabilizationPanel(children int, all []viewChange) figure.Figure {
	f := figure.Figure{
		Title: fmt.Sprintf("%d children (a=%d)", children, children),
		X:     ranksAxis, Y: figure.Axis{Label: "T_s (us)", Max: 800},
	}
	for i, c := range []struct {
		name  string
		model bool
		of    func(viewChange) float64
	}{
		{"torus, measured", false, func(v viewChange) float64 { return micros(v.torus.Measured) }},
		{"distance model", true, func(v viewChange) float64 { return micros(v.torus.Distance) }},
		{"one hop, measured", false, func(v viewChange) float64 { return micros(v.single.Measured) }},
		{"base model", true, func(v viewChange) float64 { return micros(v.single.Base) }},
	} {
		s := figure.Series{Name: c.name, Of: 1 + i/2, Dashed: c.model}
		for _, v := range all {
			if v.children == children {
				s.Points = append(s.Points, figure.Point{X: float64(v.ranks), Y: c.of(v)})
			}
		}
		f.Series = append(f.Series, s)
	}
	return f
}

// stabilizationClaims compares what section 6.1.1 says.
func stabilizationClaims(all []viewChange) []Claim {
	largest, base, children := newReach(), newReach(), newReach()
	binary, fours, others := newReach(), newReach(), newReach()
	oneHop, torus := newReach(), newReach() // us for each doubling of P, with two children
	byRanks := make(map[int]viewChange)     // with two children
	for i, v := range all {
		if v.ranks == 1024 {
			largest.add(micros(v.torus.Measured))
			base.add(float64(v.single.Base) / float64(v.torus.Measured))
		}
		switch {
		case v.children == 2:
			binary.add(v.ratio())
			byRanks[v.ranks] = v
			if i > 0 {
				oneHop.add(micros(v.single.Measured - all[i-1].single.Measured))
				torus.add(micros(v.torus.Measured - all[i-1].torus.Measured))
			}
			continue
		case bits.Len(uint(v.ranks))%2 == 1: // a power of four
			fours.add(v.ratio())
		default:
			others.add(v.ratio())
		}
		children.add(float64(v.torus.Measured) / float64(byRanks[v.ranks].torus.Measured))
	}
	about1 := &reach{justOver(0.9), justUnder(1.1)}
	return []Claim{
		judged("T_s on 1,024 ranks, us", "hundreds", largest.text(0), largest.in(&reach{100, justUnder(1000)})),
		judged("T_s with four children over that with two", "less than 1", children.text(2), children.in(below(1))),
		judged("base model over T_s, 1,024 ranks", "far below 1", base.text(2), base.in(below(0.5))),
		judged("T_s over distance model, two children", "about 1", binary.text(2), binary.in(about1)),
		judged("T_s over distance model, four children, powers of four", "about 1", fours.text(2), fours.in(about1)),
		judged("T_s over distance model, four children, in between", "more than 1", others.text(2), others.in(above(1))),
		judged("us for each doubling of ranks, one hop, two children", "the same", oneHop.text(1), number(oneHop.high-oneHop.low).in(below(0.1))),
		judged("us for each doubling of ranks, torus, two children", "the same", torus.text(1), torus.quotient().in(&reach{1, justUnder(1.1)})),
	}
}
