package paper

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

const queryFoot = `plain       without failures, without any tolerance
tolerant    the partition of the failed rank is generated again, in 18 seconds
replicas    the same, restored ten times as fast
optimistic  as tolerant, with one agreement an operation until a rank fails
restart     everything again on the ranks that are left
fresh       everything again on as many ranks as before, as in the thesis; starting
            the job again takes no time here, which is why it is as fast as tolerant`

// queryWays are the columns of the table, and the lines of the figures.
var queryWays = []string{plain, tolerant, replicas, optimistic, restart, fresh}

// queryFigure is figures 5.17 to 5.21 and 5.24: a query whose ranks fail, against a restart.
func queryFigure(ctx context.Context, o Options) (*Result, error) {
	machine := scaledQuery
	if o.Size == campaign.Full {
		machine = wholeQuery
	}
	all, err := measureQueries(ctx, machine, o)
	if err != nil {
		return nil, err
	}
	return queryResult(machine, all), nil
}

func queryResult(m queryMachine, all []queryTimes) *Result {
	r := &Result{
		Note:   fmt.Sprintf("TPC-H query 3, a gigabyte for each rank%s; seconds until the last rank is done", m.note),
		Table:  Table{Columns: []Column{{Name: "failure in", Left: true}, {Name: "P"}}},
		Claims: queryClaims(all),
		Foot:   queryFoot,
	}
	if last := all[len(all)-1]; last.answer != nil {
		r.Answer = &Answer{fmt.Sprintf("The answer on %d ranks, whatever fails:", last.ranks), last.answer}
	}
	for _, way := range queryWays {
		r.Table.Columns = append(r.Table.Columns, Column{Name: way, Digits: 3})
	}
	for _, t := range all {
		row := []any{t.phase, t.ranks}
		for _, way := range queryWays {
			if took, known := t.took[way]; known {
				row = append(row, took)
			} else {
				row = append(row, nil)
			}
		}
		r.Table.add(row...)
	}
	sheet := figure.Sheet{Title: "TPC-H query 3 if a rank fails in one of its phases", Note: "a gigabyte for each rank, generated in 18 seconds; rank P/2 fails", Columns: 3}
	for _, phase := range queryPhases {
		sheet.Figures = append(sheet.Figures, phasePanel(phase, all))
	}
	sheet.Figures = append(sheet.Figures, restartPanel(all))
	r.Drawing = sheet
	return r
}

// phasePanel draws all ways over the number of ranks.
func phasePanel(phase string, all []queryTimes) figure.Figure {
	f := figure.Figure{Title: "a rank fails in " + phase, X: queryRanks(all), Y: figure.Axis{Label: "run time (s)", Max: 60}}
	if phase == "none" {
		f.Title = "nobody fails"
	}
	for i, way := range queryWays {
		s := figure.Series{Name: way, Style: figure.Bars, Of: i + 1}
		for _, t := range all {
			if y, known := t.took[way]; known && t.phase == phase {
				s.Points = append(s.Points, figure.Point{X: float64(len(s.Points)), Y: y})
			}
		}
		if len(s.Points) > 0 {
			f.Series = append(f.Series, s)
		}
	}
	return f
}

// queryRanks is an axis on which the bars of each number of ranks stand together.
func queryRanks(all []queryTimes) figure.Axis {
	a := figure.Axis{Label: "ranks"}
	for _, t := range all {
		if t.phase == "none" {
			a.Names = append(a.Names, fmt.Sprint(t.ranks))
		}
	}
	return a
}

// restartPanel draws who wins, which the others are too coarse for.
func restartPanel(all []queryTimes) figure.Figure {
	f := figure.Figure{Title: "fresh against tolerant", X: queryRanks(all), Y: figure.Axis{Label: "fresh - tolerant (s)"}}
	for _, phase := range queryPhases[1:] {
		s := figure.Series{Name: phase, Style: figure.Bars}
		for _, t := range all {
			if t.phase == phase {
				s.Points = append(s.Points, figure.Point{X: float64(len(s.Points)), Y: t.advantage()})
			}
		}
		f.Series = append(f.Series, s)
	}
	return f
}

// advantage is how many seconds sooner than a restart on fresh ranks the tolerant query is done.
func (t queryTimes) advantage() float64 { return t.took[fresh] - t.took[tolerant] }

// queryClaims compares what section 5.3.2 concludes.
func queryClaims(all []queryTimes) []Claim {
	onLeft, onFresh, optimists := newReach(), newReach(), newReach()
	var added []float64                   // by tolerance without failures, in us, from the fewest ranks
	advantage := make(map[string]float64) // by phase, on the most ranks
	for _, t := range all {
		if t.phase == "none" {
			added = append(added, 1e6*(t.took[tolerant]-t.took[plain]))
			continue
		}
		onLeft.add(t.took[tolerant] / t.took[restart])
		onFresh.add(t.took[tolerant] / t.took[fresh])
		if t.phase == "reduce" {
			optimists.add(t.took[optimistic] / t.took[tolerant])
		}
		advantage[t.phase] = t.advantage()
	}
	early, late := advantage["gather"], advantage["reduce"]
	grows := fmt.Sprintf("%.2f", late/early)
	if min(early, late) <= 0 { // a quotient says nothing then
		grows = "tolerant is not faster"
	}
	return []Claim{
		judged("no failure: tolerance adds, us", "grows with ranks", fmt.Sprintf("%.0f to %.0f", added[0], added[len(added)-1]), number(added[0]).in(above(0)), steps(added).in(atLeast(0))),
		judged("failure: tolerant over restart on the ranks left", "less than 1", onLeft.text(2), onLeft.in(below(1))),
		judged("failure: tolerant over restart on fresh ranks", "less than 1", onFresh.text(3), onFresh.in(below(1))),
		judged("fresh - tolerant: last phase over the first", "more than 1", grows, number(early).in(above(0)), number(late/early).in(above(1))),
		judged("last phase: optimistic over tolerant", "less than 1", optimists.text(7), optimists.in(below(1))),
	}
}
