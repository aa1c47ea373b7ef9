package paper

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
)

func medianLatency(p point) float64 { return p.latency().Median() }

// scaling is what figures 7a and 7b have in common: latency and work by the number of ranks.
func scaling(all []protocol, note, title string) *Result {
	r := &Result{Note: note}
	r.Table.addQuantity("latency (ticks)", sizeTable(all, 1, medianLatency))
	r.Table.addQuantity("messages a rank", sizeTable(all, 1, messagesPerRank))
	f := figure.Figure{
		Title: title, Note: note,
		X: ranksAxis, Y: figure.Axis{Label: "latency (ticks), median, 5 to 95 %"},
	}
	for _, g := range all {
		if g.key == "GOS" { // as in the paper; the table has it
			continue
		}
		s := figure.Series{Name: g.key, Dashed: g.key == "opt"}
		for _, p := range g.points {
			x := p.latency()
			s.Points = append(s.Points, withBar(float64(p.ranks()), x.Median(), x.Percentile(5), x.Percentile(95)))
		}
		f.Series = append(f.Series, s)
	}
	r.Drawing = f
	return r
}

// addQuantity appends the rows of a table of some quantity, which a second column names: numbers that mean
// something else are told apart by a cell, not by words in a name.
func (t *Table) addQuantity(quantity string, of Table) {
	t.Columns = slices.Insert(slices.Clone(of.Columns), 1, Column{Name: "quantity", Left: true})
	for _, row := range of.Rows {
		t.add(slices.Insert(slices.Clone(row), 1, any(quantity))...)
	}
}

// scalingNote says what was run.
func scalingNote(m measured, failures string) string {
	return fmt.Sprintf("L=2 o=1, many receives at once, %s, T and C tuned, medians of %s", failures, runsText(m.Runs))
}

// scalingFoot explains latencies and work.
func scalingFoot(fcg, big protocol) string {
	return fmt.Sprintf(`latency: OCG, BIG: the last message is received; CCG, FCG, GOS: the last rank is done; BFB: the root
knows that all have it. The paper's formula for BIG ends L+o earlier, when the last message is sent;
as we count it FCG is faster with %s. The paper's work of FCG is an erratum
(see gossip-table): gossip alone, until the T of its latencies, sends more than half as much as BIG`, fromRanks(fasterFrom(fcg, big, medianLatency)))
}

// fasterFrom is the number of ranks from which on one algorithm is faster than another; 0 if it is
// not even with the most.
func fasterFrom(a, b protocol, latency measure) int {
	from := 0
	for i := len(a.points) - 1; i >= 0 && latency(a.points[i]) < latency(b.points[i]); i-- {
		from = a.points[i].ranks()
	}
	return from
}

// asPrinted is the latency with that of BIG as the paper's formula has it: until the last rank has
// sent its last message.
func asPrinted(p point) float64 {
	return medianLatency(p) - p.notPrinted()
}

// notPrinted is what the paper leaves out of a latency: in BIG, that the last message has to come.
func (p point) notPrinted() float64 {
	if p.algorithm() != "BIG" {
		return 0
	}
	machine := p.settings.LogP()
	return float64(machine.Latency + machine.Overhead)
}

// lead is by how many ticks an algorithm is faster than others, with any number of ranks.
func lead(a protocol, others []protocol) *reach {
	return compared(others, slices.Repeat([]protocol{a}, len(others)), difference(medianLatency))
}

// bigClaim is from how many ranks on failure-proof gossip is faster than the binomial graph.
func bigClaim(fcg, big protocol, paper string) Claim {
	from := fasterFrom(fcg, big, asPrinted)
	return judged("FCG ends before BIG has sent its last message, with", paper, fromRanks(from), number(float64(from)).in(number(512)))
}

// fromRanks says from how many ranks on something is so.
func fromRanks(n int) string {
	if n == 0 {
		return "never"
	}
	return fmt.Sprintf("%d ranks or more", n)
}

// workOver is the work of one algorithm in percent of another's.
func workOver(a, b protocol) *reach {
	return compared([]protocol{a}, []protocol{b}, func(x, y point) float64 { return 100 * (x.Messages.Mean() / y.Messages.Mean()) })
}

// scalingFigure is figure 7a.
func scalingFigure(all []measured) (*Result, error) {
	groups := grouped(slices.Concat(all[0].points, all[1].points), point.algorithm)
	r := scaling(groups, scalingNote(all[0], "nobody fails"), "Latency by the number of ranks, without failures")
	ocg, ccg, fcg, gos, big, bfb, opt := named(groups, "OCG"), named(groups, "CCG"), named(groups, "FCG"), named(groups, "GOS"), named(groups, "BIG"), named(groups, "BFB"), named(groups, "opt")
	work := workOver(fcg, big)
	r.Foot = scalingFoot(fcg, big)
	r.Claims = []Claim{
		isSo("no other is faster than OCG, with any number of ranks", lead(ocg, []protocol{ccg, fcg, gos, big, bfb}).in(atLeast(0))),
		isSo("GOS is slower than OCG, CCG and FCG, with any number of ranks", lead(gos, []protocol{ocg, ccg, fcg}).in(below(0))),
		isSo("the optimal tree is faster than OCG, with any number of ranks", lead(ocg, []protocol{opt}).in(below(0))),
		bigClaim(fcg, big, "512 ranks or more"),
		judged("FCG: work in % of BIG's", "less than 50", work.text(0), work.in(below(50))),
	}
	return r, nil
}

// faultyScalingFigure is figure 7b. The points without failures are there to compare the work.
func faultyScalingFigure(all []measured) (*Result, error) {
	groups := grouped(slices.Concat(all[0].points, all[1].points), point.algorithm)
	r := scaling(groups, scalingNote(all[0], "one rank in 64 is down"), "Latency by the number of ranks, one in 64 of which is down")
	ocg, fcg, gos, big := named(groups, "OCG"), named(groups, "FCG"), named(groups, "GOS"), named(groups, "BIG")
	r.Foot = scalingFoot(fcg, big) + "\nequation 5, a coarse bound, prefers a smaller T if ranks are down, which saves FCG messages"
	reached, missed := 100.0, 0
	for _, g := range groups {
		for _, p := range g.points {
			switch g.key {
			case "OCG":
				reached = min(reached, 100-p.missedPercent())
			case "CCG", "FCG", "BIG", "BFB":
				missed += p.Complete.Complement().Hits
			}
		}
	}
	work := workOver(fcg, named(grouped(all[2].points, point.algorithm), "FCG"))
	r.Claims = []Claim{
		isSo("OCG is faster than GOS with any number of ranks", lead(gos, []protocol{ocg}).in(below(0))),
		bigClaim(fcg, big, "more than 256 ranks"),
		judged("OCG reaches of the live ranks, %", "99.999 or more", fmt.Sprintf("%.4f", reached), number(reached).in(atLeast(99.999))),
		judged("runs of CCG, FCG, BIG and BFB that miss somebody", "0", fmt.Sprint(missed), number(float64(missed)).in(number(0))),
		judged("FCG: work in % of that without failures", "very similar", work.text(0), work.in(&reach{justOver(80), justUnder(120)})),
	}
	return r, nil
}
