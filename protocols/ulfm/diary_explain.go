package ulfm

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// Explain says of a run that is over why ranks wait for ever, by the function of that name; nil if none does. It is for
// tests of one's own programs:
//
//	if why := diary.Explain(rep); why != nil {
//		return errors.New(strings.Join(why, "\n"))
//	}
func (d *Diary) Explain(rep *report.Report) []string {
	if len(rep.Deadlocks) == 0 {
		return nil
	}
	var lost []Lost
	var failed []int
	for _, f := range rep.Failed {
		lost = append(lost, Lost{Rank: f.Rank, At: f.Time, Hung: f.Outcome == report.Hung})
		failed = append(failed, f.Rank)
	}
	notes := make([]Note, len(d.ranks))
	for rank := range notes {
		notes[rank] = d.Note(rank, failed)
	}
	why := Explain(notes, lost, func(at clock.Time) string { return fmt.Sprintf("t=%d", at) })
	if why != nil {
		return why
	}
	for _, deadlock := range rep.Deadlocks { // all that is known then
		why = append(why, fmt.Sprintf("rank %d waits in %s", deadlock.Rank, d.Waiting(deadlock.Rank)))
	}
	return why
}
