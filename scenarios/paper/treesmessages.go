package paper

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
)

// messagesFigure is figure 6.
func messagesFigure(all []Measured) (*Result, error) {
	var points [3][]point
	for i := range all {
		var err error
		if points[i], err = all[i].points(); err != nil {
			return nil, err
		}
	}
	plain := treesBySize(points[0], "none", ", no correction")
	ack := treesBySize(points[0], "ack", ", acknowledged")
	checked := treesBySize(points[0], "checked", ", checked")
	optimized := treesBySize(points[0], "optimized", ", opportunistic")
	ccg := bestBySize("gossip, checked", points[1], fastest)
	ocg := bestBySize("gossip, opportunistic", points[2], surest)
	groups := slices.Concat(plain[:1], ack[:1], checked, optimized, []bySize{ccg, ocg})

	r := &Result{
		Note:  "L=2 o=1, nobody fails; messages a rank sends on the average, by the number of ranks",
		Table: sizeTable(groups, 2, messagesPerRank),
		Foot: fmt.Sprintf("gossip ends at the T with the smallest latency (checked), or the first that has\nmissed nobody in %s (opportunistic, 4 messages each way)",
			runsText(all[2].Runs)),
	}
	low, high := extremes(checked, plain, func(x, y point) float64 { return messagesPerRank(x) - messagesPerRank(y) })
	r.Claims = append(r.Claims, Claim{"checked correction: messages a rank beyond the tree", "5", between(low, high, 2), low > 4.995 && high < 5.005})
	low, high = extremes(ack, plain, func(x, _ point) float64 { return messagesPerRank(x) })
	r.Claims = append(r.Claims, Claim{"acknowledged tree: messages a rank", "2", between(low, high, 2), low > 1.98 && high <= 2})
	low, high = extremes(optimized, checked, func(x, y point) float64 { return messagesPerRank(x) / messagesPerRank(y) })
	r.Claims = append(r.Claims, Claim{"opportunistic over checked", "up to 1", between(low, high, 2), high <= 1})
	low, high = extremes([]bySize{ccg, ocg}, []bySize{checked[0], checked[0]}, func(x, y point) float64 { return messagesPerRank(x) / messagesPerRank(y) })
	r.Claims = append(r.Claims, Claim{"gossip over checked trees", "more than 1", between(low, high, 2), low > 1})

	f := figure.Figure{
		Title: "Messages a rank sends, without failures", Note: "L=2 o=1",
		X: figure.Axis{Label: "ranks", Log: 2}, Y: figure.Axis{Label: "messages a rank (mean)"},
	}
	all4 := checked[0]
	all4.name = "all trees, checked"
	f.Series = append(f.Series, ocg.line(messagesPerRank, figure.Series{}), ccg.line(messagesPerRank, figure.Series{}), all4.line(messagesPerRank, figure.Series{}))
	for _, g := range optimized {
		f.Series = append(f.Series, g.line(messagesPerRank, figure.Series{}))
	}
	for i, g := range []bySize{ack[0], plain[0]} {
		g.name = []string{"all trees, acknowledged", "all trees, no correction"}[i]
		f.Series = append(f.Series, g.line(messagesPerRank, figure.Series{Style: figure.Rule, Dashed: i == 0}))
	}
	r.Drawing = f
	return r, nil
}
