package paper

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/report/figure"
)

// numberingFigure is figure 1b: how long correction takes if the tree is numbered in order, and if
// it is interleaved.
func numberingFigure(all []measured) (*Result, error) {
	r := &Result{
		Note: fmt.Sprintf("checked correction, L=2 o=1, %s a row", runsText(all[0].Runs)),
		Table: Table{Columns: []Column{
			{Name: "numbering", Left: true}, {Name: "P"}, {Name: "down"}, {Name: "mean", Digits: 1}, {Name: "±", Digits: 1},
			{Name: "median"}, {Name: "99 %"}, {Name: "longest"}, {Name: "largest gap"},
		}},
	}
	f := figure.Figure{
		Title: "Correction of binomial trees", Note: r.Note + "; bars: 95 % confidence",
		X: figure.Axis{Label: "ranks that have failed", Log: 2},
		Y: figure.Axis{Label: "correction (ticks), mean", Log: 10},
	}
	type line struct {
		numbering string
		ranks     int
	}
	lines := grouped(all[0].points, func(p point) line { return line{p.settings.Text("numbering"), p.ranks()} })
	for i, l := range lines {
		numbering, ranks := l.key.numbering, l.key.ranks
		s := figure.Series{Name: fmt.Sprintf("%s, P=%d", numbering, ranks), Of: 1 + i/2, Dashed: i%2 == 0}
		for _, p := range l.points {
			mean, sure := p.Correction.Mean(), confidence(&p.Correction)
			r.Table.add(numbering, ranks, p.down(), mean, sure, p.Correction.Median(), p.Correction.Percentile(99), p.Correction.Max(), p.Gap.Max())
			s.Points = append(s.Points, withBar(float64(p.down()), mean, min(mean, max(mean-sure, freeCorrection)), mean+sure))
			if numbering == "interleaved" && ranks == 65536 {
				r.Claims = append(r.Claims, judged(fmt.Sprintf("interleaved, 64K ranks, %d down: ticks", p.down()), "8 to 10.5", fmt.Sprintf("%.1f", mean), number(mean).in(&reach{8, justUnder(10.55)})))
			}
		}
		f.Series = append(f.Series, s)
	}
	r.Drawing = f
	return r, nil
}
