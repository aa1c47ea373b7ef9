package paper

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// drawn leaves out 4-ary trees, as figure 7 does: they lie between others.
func drawn(trees []protocol) []protocol {
	return slices.DeleteFunc(slices.Clone(trees), func(g protocol) bool { return g.points[0].treeName() == "4-ary" })
}

// latencyFigure is figure 7.
func latencyFigure(all []measured) (*Result, error) {
	trees := all[0].points
	plain := treesBySize(trees, "none", ", no correction")
	ack := treesBySize(trees, "ack", ", acknowledged")
	checked := treesBySize(trees, "checked", ", checked")
	ccg := bestBySize("gossip, checked", all[1].points, quiescence)

	adds := compared(checked, plain, difference(quiescence))
	twice := compared(drawn(ack), drawn(plain), quotient(quiescence))
	r := &Result{
		Note:  fmt.Sprintf("L=2 o=1, nobody fails; ticks until all is quiet, by the number of ranks; gossip: mean of %s", runsText(all[1].Runs)),
		Table: sizeTable(slices.Concat(plain, checked, ack, []protocol{ccg}), 0, quiescence),
		Claims: []Claim{
			judged("checked correction adds, ticks", "8", adds.text(0), adds.in(number(8))),
			judged("acknowledged trees over dissemination", "2", twice.text(2), twice.in(&reach{justOver(1.85), 2})),
		},
		Foot: fmt.Sprintf("acknowledged 4-ary trees, which are not in the figure, take %s times as long: who is\nreached late is answered at once",
			compared(ack[1:2], plain[1:2], quotient(quiescence)).text(2)),
	}
	f := figure.Figure{
		Title: "Latency without failures", Note: "L=2 o=1",
		X: ranksAxis, Y: figure.Axis{Label: "quiescence (ticks)"},
	}
	acknowledged, corrected := drawn(ack), drawn(checked)
	for i := range corrected {
		f.Series = append(f.Series, sizeLine(acknowledged[i], quiescence, figure.Series{Of: i + 1}), sizeLine(corrected[i], quiescence, figure.Series{Of: i + 1, Dashed: true}))
	}
	of := len(checked) + 1
	f.Series = append(f.Series, sizeRibbon(ccg, "gossip, 5 to 95 %", func(p point) *stats.Sample { return &p.Quiescence }, of), sizeLine(ccg, quiescence, figure.Series{Of: of}))
	r.Drawing = f
	return r, nil
}
