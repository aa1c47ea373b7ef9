package catalog

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// noting says what a rank was in the middle of, and which of some ranks it knows to have failed.
type noting func(rank int, failed []int) ulfm.Note

// waitingDetails say in which calls ranks wait for ever, and why.
func waitingDetails(rep *report.Report, note noting, unit line.Unit) (all []scenarios.Detail) {
	const most = 8
	if len(rep.Deadlocks) == 0 {
		return nil
	}
	var lost []ulfm.Lost
	var failed []int
	for rank := range rep.Ranks {
		if !rep.Ranks[rank].Outcome.Failed() {
			continue
		}
		failed = append(failed, rank)
		lost = append(lost, ulfm.Lost{Rank: rank, At: rep.Ranks[rank].Exit, Hung: rep.Ranks[rank].Outcome == report.Hung})
	}
	notes := make([]ulfm.Note, len(rep.Ranks))
	for rank := range notes {
		notes[rank] = note(rank, failed)
	}
	for _, d := range rep.Deadlocks[:min(most, len(rep.Deadlocks))] {
		if n := notes[d.Rank]; n.Text != "" {
			all = append(all, scenarios.Detail{Name: fmt.Sprintf("rank %d in", d.Rank), Text: fmt.Sprintf("%s, since %s", n.Text, unit.Show(n.Since))})
		}
	}
	for _, why := range ulfm.Explain(notes, lost, unit.Show) {
		all = append(all, scenarios.Detail{Name: "why", Text: why})
	}
	return all
}

// noteElsewhere is what a rank hands over that has run in another process: nobody can ask it later. If it is known how the run has ended, nothing is
// handed over that nobody will ask for.
func noteElsewhere(note noting, rank, ranks int, ending *scenarios.Ending) *ulfm.Note {
	if ending == nil {
		ending = &scenarios.Ending{Waiting: true}
		for i := range ranks {
			ending.Failed = append(ending.Failed, i)
		}
	}
	if !ending.Waiting {
		return nil
	}
	n := note(rank, ending.Failed)
	return &n
}
