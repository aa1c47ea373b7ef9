package paper

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/report/figure"
)

const longBlocksFoot = `a byte stands for eight: the machine takes 8 ns for each, and a rank has half a MB
least: what the bytes of P-1 blocks take that each rank has to send, in any algorithm
plain takes up to %.1f %% longer than that, and tolerance adds up to %.1f %%
In the thesis plain takes slightly less than MPI's own operation, which is not modelled, but cannot
take less than least`

// longBlocksFigure is figure 5.14: an all-to-all of 4 MB a rank. It makes no claim, since what the thesis compares
// with is not measured.
func longBlocksFigure(all []measured) *Result {
	r := &Result{
		Note: "all-to-all of 4 MB a rank, L=1us o=300ns G=1ns; microseconds until the last rank is done",
		Table: Table{Columns: []Column{
			{Name: "P"}, {Name: "block, bytes"}, {Name: "least", Digits: 1}, {Name: plain, Digits: 1}, {Name: "plain/least", Digits: 3},
			{Name: tolerant, Digits: 1}, {Name: "tolerant/plain", Digits: 3}, {Name: optimistic, Digits: 1},
		}},
	}
	micro := doneIn(1000)
	rows := byWay(all[0].points, point.ranks)
	bound := figure.Series{Name: "least", Style: figure.Rule, Of: 4, Dashed: true}
	over := func(p point) float64 { return p.done() / leastAllToAll(p) }
	slowest, added := 0.0, 0.0
	for _, w := range rows {
		base := w.of[plain]
		least := leastAllToAll(base) / 1000
		r.Table.add(w.at, blockBytes(base), least, micro(base), over(base),
			micro(w.of[tolerant]), w.over(tolerant, micro), micro(w.of[optimistic]))
		bound.Points = append(bound.Points, figure.Point{X: float64(w.at), Y: least})
		slowest, added = max(slowest, over(base)), max(added, w.adds(tolerant, micro)/micro(base))
	}
	r.Foot = fmt.Sprintf(longBlocksFoot, 100*(slowest-1), 100*added)
	r.Drawing = figure.Sheet{Title: "All-to-all of 4 MB a rank", Note: "L=1us o=300ns G=1ns, nobody fails", Figures: []figure.Figure{
		{Title: "run time", X: ranksAxis, Y: figure.Axis{Label: "run time (us)"}, Series: append(curves(rows, micro, plain, tolerant, optimistic), bound)},
		{Title: "over the least that any takes", X: ranksAxis, Y: figure.Axis{Label: "time over the least"}, Series: curves(rows, over, plain, tolerant, optimistic)},
	}}
	return r
}

// standsFor is how many bytes one of the campaign stands for.
const standsFor = 8

// blockBytes is the size of a block, in bytes that it stands for.
func blockBytes(p point) int { return standsFor * 8 * p.settings.Int("n") }

// leastAllToAll is how long a rank is busy with the bytes of the blocks that it has for others, in ticks.
func leastAllToAll(p point) float64 {
	m := p.settings.LogP()
	return float64(m.Ranks-1) * float64(m.PerByte) * float64(8*p.settings.Int("n")-1)
}
