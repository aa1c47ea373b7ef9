package paper

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// coverage counts broadcasts that missed somebody.
type coverage struct {
	missed int              // of all
	below  int              // with less than 1 % down
	single int              // missed one rank
	most   stats.Proportion // with 4 % down
}

// add counts the runs of a point that missed somebody.
func (c *coverage) add(p point) {
	missed := p.Complete.Complement()
	c.missed += missed.Hits
	c.single += p.Missed.Count(1)
	switch {
	case p.downPercent() < 1:
		c.below += missed.Hits
	case p.downPercent() == 4:
		c.most.Hits += missed.Hits
		c.most.Runs += missed.Runs
	}
}

// coverageTable counts the broadcasts with opportunistic correction that miss somebody (section 4.3): as
// the paper optimizes it, and as it is in Corrected Gossip.
func coverageTable(all []measured) (*Result, error) {
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
	for _, correction := range grouped(all[0].points, point.correction) {
		f := figure.Figure{Title: correction.key, X: failedAxis, Y: figure.Axis{Label: "runs that miss somebody (%)"}}
		var sum coverage
		for _, tree := range grouped(correction.points, point.treeName) {
			s := figure.Series{Name: tree.key}
			for _, p := range tree.points {
				sum.add(p)
				missed := p.Complete.Complement()
				rate := 100 * missed.Rate()
				low, high := percents(missed)
				r.Table.add(correction.key, tree.key, p.downPercent(), missed.Runs, missed.Hits, rate, low, high, p.Missed.Count(1), p.Missed.Max())
				highest = max(highest, high)
				s.Points = append(s.Points, withBar(p.downPercent(), rate, low, high))
			}
			f.Series = append(f.Series, s)
		}
		sheet.Figures = append(sheet.Figures, f)
		r.Claims = append(r.Claims, sum.claims(correction.key)...)
	}
	for i := range sheet.Figures {
		sheet.Figures[i].Y.Max = highest
	}
	r.Drawing = sheet
	return r, nil
}

// percents is the interval of a proportion.
func percents(p stats.Proportion) (low, high float64) {
	low, high = p.ClopperPearson(stats.Level)
	return 100 * low, 100 * high
}

// printedMisses is the share of runs at 4 % that missed somebody, in percent: more than 90 % of the 2,600 that
// did in all, of 400,000.
const printedMisses = 0.6

// tellingWidth is how wide an interval may be for a comparison, in percentage points.
const tellingWidth = 15

// claims compares with what the paper says. The trees share their failures; what they make of them differs,
// so runs of different trees count as different ones.
func (c *coverage) claims(name string) []Claim {
	low, high := percents(c.most)
	if high-low > tellingWidth {
		return nil // almost any share would be compatible with so few runs
	}
	claims := []Claim{
		judged(name+": missed somebody at 4 %", fmt.Sprintf("%.1f %%", printedMisses),
			fmt.Sprintf("%.2f %% (%.2f to %.2f)", 100*c.most.Rate(), low, high), number(low).in(atMost(printedMisses)), number(high).in(atLeast(printedMisses))),
		judged(name+": runs that missed somebody at 0.1 %", "0", fmt.Sprint(c.below), number(float64(c.below)).in(number(0))),
	}
	if c.missed > 0 {
		single := 100 * float64(c.single) / float64(c.missed)
		claims = append(claims, judged(name+": of those, missed a single rank", "more than 90 %", fmt.Sprintf("%.0f %%", single), number(single).in(above(90))))
	}
	return claims
}
