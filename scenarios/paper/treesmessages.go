package paper

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
)

// messagesFigure is figure 6.
func messagesFigure(all []measured) (*Result, error) {
	trees := all[0].points
	plain := treesBySize(trees, "none", ", no correction")
	ack := treesBySize(trees, "ack", ", acknowledged")
	checked := treesBySize(trees, "checked", ", checked")
	optimized := treesBySize(trees, "optimized", ", opportunistic")
	ccg := bestBySize("gossip, checked", all[1].points, quiescence)
	ocg := bestBySize("gossip, opportunistic", all[2].points, missedRanks)

	beyond := compared(checked, plain, difference(messagesPerRank))
	acknowledged := compared(ack, plain, func(x, _ point) float64 { return messagesPerRank(x) })
	less := compared(optimized, checked, quotient(messagesPerRank))
	more := compared([]protocol{ccg, ocg}, []protocol{checked[0], checked[0]}, quotient(messagesPerRank))
	r := &Result{
		Note:  "L=2 o=1, nobody fails; messages a rank sends on the average, by the number of ranks",
		Table: sizeTable(slices.Concat(plain[:1], ack[:1], checked, optimized, []protocol{ccg, ocg}), 2, messagesPerRank),
		Claims: []Claim{
			judged("checked correction: messages a rank beyond the tree", "5", beyond.text(2), beyond.in(&reach{justOver(4.995), justUnder(5.005)})),
			judged("acknowledged tree: messages a rank", "2", acknowledged.text(2), acknowledged.in(&reach{justOver(1.98), 2})),
			judged("opportunistic over checked", "up to 1", less.text(2), less.in(atMost(1))),
			judged("gossip over checked trees", "more than 1", more.text(2), more.in(above(1))),
		},
		Foot: fmt.Sprintf("gossip ends at the T with the smallest latency (checked), or the first that has\nmissed nobody in %s (opportunistic, 4 messages each way)",
			runsText(all[2].Runs)),
	}
	f := figure.Figure{
		Title: "Messages a rank sends, without failures", Note: "L=2 o=1",
		X: ranksAxis, Y: figure.Axis{Label: "messages a rank (mean)"},
	}
	draw := func(g protocol, s figure.Series) { f.Series = append(f.Series, sizeLine(g, messagesPerRank, s)) }
	draw(ocg, figure.Series{})
	draw(ccg, figure.Series{})
	draw(protocol{"all trees, checked", checked[0].points}, figure.Series{})
	for _, g := range optimized {
		draw(g, figure.Series{})
	}
	draw(protocol{"all trees, acknowledged", ack[0].points}, figure.Series{Style: figure.Rule, Dashed: true})
	draw(protocol{"all trees, no correction", plain[0].points}, figure.Series{Style: figure.Rule})
	r.Drawing = f
	return r, nil
}
