package paper

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// drawn leaves out 4-ary trees, as figure 7 does: they lie between others.
func drawn(trees []bySize) []bySize {
	return slices.DeleteFunc(slices.Clone(trees), func(g bySize) bool { return g.points[0].treeName() == "4-ary" })
}

// latencyFigure is figure 7.
func latencyFigure(all []Measured) (*Result, error) {
	trees, err := all[0].points()
	if err != nil {
		return nil, err
	}
	gossips, err := all[1].points()
	if err != nil {
		return nil, err
	}
	plain := treesBySize(trees, "none", ", no correction")
	ack := treesBySize(trees, "ack", ", acknowledged")
	checked := treesBySize(trees, "checked", ", checked")
	ccg := bestBySize("gossip, checked", gossips, fastest)
	r := &Result{
		Note:  fmt.Sprintf("L=2 o=1, nobody fails; ticks until all is quiet, by the number of ranks; gossip: mean of %s", runsText(all[1].Runs)),
		Table: sizeTable(slices.Concat(plain, checked, ack, []bySize{ccg}), 0, quiescence),
	}
	low, high := extremes(checked, plain, func(x, y point) float64 { return quiescence(x) - quiescence(y) })
	r.Claims = append(r.Claims, Claim{"checked correction adds, ticks", "8", between(low, high, 0), low == 8 && high == 8})
	twice := func(x, y point) float64 { return quiescence(x) / quiescence(y) }
	low, high = extremes(drawn(ack), drawn(plain), twice)
	r.Claims = append(r.Claims, Claim{"acknowledged trees over dissemination", "2", between(low, high, 2), low > 1.85 && high <= 2})
	low, high = extremes(ack[1:2], plain[1:2], twice)
	r.Foot = fmt.Sprintf("acknowledged 4-ary trees, which are not in the figure, take %s times as long: who is\nreached late is answered at once", between(low, high, 2))

	f := figure.Figure{
		Title: "Latency without failures", Note: "L=2 o=1",
		X: figure.Axis{Label: "ranks", Log: 2}, Y: figure.Axis{Label: "quiescence (ticks)"},
	}
	acknowledged, corrected := drawn(ack), drawn(checked)
	for i := range corrected {
		f.Series = append(f.Series, acknowledged[i].line(quiescence, figure.Series{Of: i + 1}), corrected[i].line(quiescence, figure.Series{Of: i + 1, Dashed: true}))
	}
	of := len(checked) + 1
	f.Series = append(f.Series, ccg.ribbon("gossip, 5 to 95 %", func(p point) *stats.Sample { return &p.Quiescence }, of), ccg.line(quiescence, figure.Series{Of: of}))
	r.Drawing = f
	return r, nil
}
