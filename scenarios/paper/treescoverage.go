package paper

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// coverage counts broadcasts that missed somebody.
type coverage struct {
	stats.Proportion     // of all
	below            int // with less than 1 % down
	single           int // missed one rank
	most             stats.Proportion
}

// add counts the runs of a point and returns how many of them missed somebody.
func (c *coverage) add(p point) stats.Proportion {
	missed := stats.Proportion{Hits: p.Complete.Runs - p.Complete.Hits, Runs: p.Complete.Runs}
	join(&c.Proportion, missed)
	c.single += p.Missed.Count(1)
	switch {
	case p.downPercent() < 1:
		c.below += missed.Hits
	case p.downPercent() == 4:
		join(&c.most, missed)
	}
	return missed
}

func join(sum *stats.Proportion, p stats.Proportion) {
	sum.Hits += p.Hits
	sum.Runs += p.Runs
}

// coverageTable counts the broadcasts with opportunistic correction that miss somebody (section 4.3): as
// the paper optimizes it, and as it is in Corrected Gossip.
func coverageTable(all []Measured) (*Result, error) {
	points, err := all[0].points()
	if err != nil {
		return nil, err
	}
	r := &Result{
		Note: fmt.Sprintf("65,536 ranks, overlapped correction with 4 messages each way, L=2 o=1, %s a row", runsText(all[0].Runs)),
		Table: Table{Columns: []Column{
			{Name: "correction", Left: true}, {Name: "tree", Left: true}, {Name: "down %", Digits: 1}, {Name: "runs"}, {Name: "missed"}, {Name: "%", Digits: 2},
			{Name: "from", Digits: 2}, {Name: "to", Digits: 2}, {Name: "one rank"}, {Name: "most"},
		}},
		Foot: `missed    runs that did not reach all live ranks; %, and its 95 % interval (Clopper, Pearson)
one rank  of these, those that missed a single rank
most      ranks missed in a run
optimized as the paper describes it, opportunistic without its optimization`,
	}
	sheet := figure.Sheet{Title: "Broadcasts that miss a live rank", Note: r.Note + "; 95 % intervals", Columns: 2}
	highest := 0.0 // of both figures, so that they have the same axis
	corrections, groups := grouped(points, func(p point) string { return p.settings.Text("correction") })
	for _, name := range corrections {
		f := figure.Figure{
			Title: name, X: figure.Axis{Label: "ranks that have failed (%)", Log: 10},
			Y: figure.Axis{Label: "runs that miss somebody (%)"},
		}
		var sum coverage
		trees, same := grouped(groups[name], point.treeName)
		for _, tree := range trees {
			s := figure.Series{Name: tree}
			for _, p := range same[tree] {
				missed := sum.add(p)
				low, high := missed.ClopperPearson(level)
				r.Table.Add(name, tree, p.downPercent(), missed.Runs, missed.Hits, 100*missed.Rate(), 100*low, 100*high, p.Missed.Count(1), p.Missed.Max())
				highest = max(highest, 100*high)
				s.Points = append(s.Points, withBar(p.downPercent(), 100*missed.Rate(), 100*low, 100*high))
			}
			f.Series = append(f.Series, s)
		}
		sheet.Figures = append(sheet.Figures, f)
		r.Claims = append(r.Claims, sum.claims(name)...)
	}
	for i := range sheet.Figures {
		sheet.Figures[i].Y.Max = highest
	}
	r.Drawing = sheet
	return r, nil
}

// printedMisses is the share of runs at 4 % that missed somebody: more than 90 % of the 2,600 that did in
// all, of 400,000.
const printedMisses = 0.006

// tellingWidth is how wide an interval may be for a comparison.
const tellingWidth = 0.15

// claims compares with what the paper says. The trees share their failures; what they make of them differs,
// so runs of different trees count as different ones.
func (c *coverage) claims(name string) []Claim {
	low, high := c.most.ClopperPearson(level)
	if high-low > tellingWidth {
		return nil // almost any share would be compatible with so few runs
	}
	claims := []Claim{
		{name + ": missed somebody at 4 %", fmt.Sprintf("%.1f %%", 100*printedMisses),
			fmt.Sprintf("%.2f %% (%.2f to %.2f)", 100*c.most.Rate(), 100*low, 100*high), low <= printedMisses && printedMisses <= high},
		{name + ": runs that missed somebody at 0.1 %", "0", fmt.Sprint(c.below), c.below == 0},
	}
	if c.Hits > 0 {
		single := float64(c.single) / float64(c.Hits)
		claims = append(claims, Claim{name + ": of those, missed a single rank", "more than 90 %", fmt.Sprintf("%.0f %%", 100*single), single > 0.9})
	}
	return claims
}
