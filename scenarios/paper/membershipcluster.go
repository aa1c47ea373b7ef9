package paper

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/report/figure"
)

const clusterFoot = `H           levels of the tree
T_s         from the root's first step to the last acknowledgement, when a rank joins; one clock, that of the root
base        the base model, with the latency between two ranks of the machine as calibrated
contention  the same with half of T_s of a parent and all its children for the latency
emulated    T_s on the emulator, with the machine as calibrated, what all ranks share as a switch
Processes share the processors of one machine, where the thesis had nodes that share a switch. Rows were measured by turns.
A change that is not over after 180 ms is measured once more.`

// clusterFigure is figures 6.3 to 6.11: how long it takes to agree on a view, over TCP and over MPI, beside models. What the thesis shows as latency under
// contention is in the column contention, as far as it enters the model.
func clusterFigure(ctx context.Context, o Options) (*Result, error) {
	all, err := measureClusters(ctx, o)
	if err != nil {
		return nil, err
	}
	return clusterResult(all), nil
}

func clusterResult(all []*clusterChange) *Result {
	r := &Result{
		Note: "View changes on processes of this machine, a rank in each, when a rank joins. Microseconds",
		Table: Table{Columns: []Column{{Name: "over", Left: true}, {Name: "a"}, {Name: "P"}, {Name: "H"}, {Name: "T_s", Digits: 1}, {Name: "lowest", Digits: 1}, {Name: "highest", Digits: 1},
			{Name: "base", Digits: 1}, {Name: "contention", Digits: 1}, {Name: "emulated", Digits: 1}, {Name: "T_s/base", Digits: 2}, {Name: "T_s/contention", Digits: 2}, {Name: "T_s/emulated", Digits: 2}}},
		Claims: clusterClaims(all),
		Foot:   clusterFoot,
	}
	for _, c := range all {
		took := c.took.Median()
		r.Table.add(c.over.name, c.children, c.ranks, c.height, took, c.took.Min(), c.took.Max(), c.base, c.contended, c.emulated, took/c.base, took/c.contended, took/c.emulated)
	}
	sheet := figure.Sheet{Title: "How long it takes to agree on a view, on processes", Note: fmt.Sprintf("a rank joins; medians of %d, lowest and highest", all[0].took.Len()), Columns: 2}
	for _, over := range transports {
		for _, children := range []int{2, 4} {
			sheet.Figures = append(sheet.Figures, clusterPanel(all, over.name, children))
		}
	}
	r.Drawing = sheet
	return r
}

// clusterPanel draws what was measured over a transport, and what was predicted.
func clusterPanel(all []*clusterChange, over string, children int) figure.Figure {
	f := figure.Figure{
		Title: fmt.Sprintf("over %s, %d children (a=%d)", over, children, children),
		X:     figure.Axis{Label: "ranks"}, Y: figure.Axis{Label: "T_s (us)"}, Legend: figure.Below,
	}
	measured, base, contention, emulated := figure.Series{Name: "measured"}, figure.Series{Name: "base model", Dashed: true}, figure.Series{Name: "contention model", Dashed: true}, figure.Series{Name: "emulated"}
	for _, c := range all {
		if c.over.name != over || c.children != children {
			continue
		}
		x := float64(c.ranks)
		measured.Points = append(measured.Points, figure.Point{X: x, Y: c.took.Median(), Low: c.took.Min(), High: c.took.Max()})
		base.Points = append(base.Points, figure.Point{X: x, Y: c.base})
		contention.Points = append(contention.Points, figure.Point{X: x, Y: c.contended})
		emulated.Points = append(emulated.Points, figure.Point{X: x, Y: c.emulated})
	}
	f.Series = []figure.Series{measured, base, contention, emulated}
	return f
}

// clusterClaims compares what sections 6.1.2 and 6.1.3 say. There are no numbers in the text; "resembles" is taken for within a factor of two, as
// processors are shared here, and a switch there.
func clusterClaims(all []*clusterChange) (claims []Claim) {
	resembles := &reach{0.5, 2}
	for _, over := range transports {
		base, contention, growth := newReach(), newReach(), newReach()
		for _, c := range all {
			if c.over.name != over.name {
				continue
			}
			took := c.took.Median()
			base.add(took / c.base)
			family := findChange(all, over.name, c.children, c.children+1)
			if c.height == family.height {
				continue
			}
			growth.add(took / family.took.Median())
			if complete(c.ranks, c.children) { // of a family itself it is 1 by definition
				contention.add(took / c.contended)
			}
		}
		claims = append(claims,
			judged(over.name+": T_s over base model", "more than 1", base.text(2), base.in(above(1))),
			judged(over.name+": T_s over contention model, complete trees", "about 1", contention.text(2), contention.in(resembles)),
			judged(over.name+": T_s of higher trees over that of two levels", "more than 1", growth.text(2), growth.in(above(1))),
		)
	}
	quotient := newReach()
	for _, c := range all {
		if c.over.name == transports[0].name {
			quotient.add(c.took.Median() / findChange(all, transports[1].name, c.children, c.ranks).took.Median())
		}
	}
	return append(claims, judged("T_s over TCP over that over MPI", "more than 1", quotient.text(2), quotient.in(above(1))))
}
