package guarantee

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// Termination holds if the program of every live rank returned.
//
// What is checked: no rank waits for ever; and if By is given, the programs of live ranks
// returned at that instant or before. It does not matter when the last message is received:
// a rank that has finished still receives.
type Termination struct {
	By clock.Time // 0: at any time
}

// Name is the promise in a word, and the bound if there is one.
func (g Termination) Name() string {
	if g.By == 0 {
		return "termination"
	}
	return "termination by t=" + g.By.String()
}

// NeedsEvents is false.
func (Termination) NeedsEvents() bool { return false }

func (Termination) safety() {} // who does nothing returns at once

// Check looks for ranks that wait for ever, then for late ones.
func (g Termination) Check(run Run) Verdict {
	rep := run.Report
	switch {
	case len(rep.Deadlocks) > 0:
		return Verdict{Name: g.Name(), Evidence: "did not return: " + listAll(rep.Deadlocks, rep.Waiting(), "; ")}
	case g.By > 0 && rep.Exit > g.By:
		late := rep.Find(func(_ int, r *report.RankResult) bool { return r.Outcome == report.Finished && r.Exit > g.By })
		return Verdict{Name: g.Name(), Evidence: fmt.Sprintf("%s returned after t=%d, the last at t=%d", listFound(late), g.By, rep.Exit)}
	}
	return Verdict{Name: g.Name(), Value: looked(run.live()), Evidence: fmt.Sprintf("all %d live ranks returned, the last at t=%d", run.live(), rep.Exit)}
}
