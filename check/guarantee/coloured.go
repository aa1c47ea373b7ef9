package guarantee

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/report"
)

// OnlyColouredRanksSend holds if nobody passes on a message that it has not got. It is the
// protocol's part of guarantee I: "an uncolored process becomes colored only by receiving a
// message from a colored process" (Corrected Trees, section 2.1).
//
// What is checked: before a rank that is no root completes a send, its program has taken a
// message of the same epoch from its mailbox. To have it in the mailbox is not enough, for a
// program knows only what it has taken. Roots may send whatever they like.
//
// It is for broadcasts; in a reduction, say, everybody begins of its own accord.
type OnlyColouredRanksSend struct{}

// Name is the promise in a few words.
func (OnlyColouredRanksSend) Name() string { return "only coloured ranks send" }

// NeedsEvents is true.
func (OnlyColouredRanksSend) NeedsEvents() bool { return true }

func (OnlyColouredRanksSend) safety() {}

// Check looks for the first send out of nothing.
func (g OnlyColouredRanksSend) Check(run Run) Verdict {
	coloured := make(map[operation]bool)
	sends := 0
	// The events of one rank are in the order in which they happened.
	for i := range run.Report.Events {
		e := &run.Report.Events[i]
		switch op := (operation{e.Rank, e.Epoch}); e.Kind {
		case report.EventTake:
			coloured[op] = true
		case report.EventSend:
			if !coloured[op] && !slices.Contains(run.Roots, e.Rank) {
				return Verdict{Name: g.Name(), Evidence: fmt.Sprintf("%s: it had taken no message of epoch %d before", e, e.Epoch)}
			}
			sends++
		}
	}
	return Verdict{Name: g.Name(), Value: looked(sends), Evidence: fmt.Sprintf("%d sends, all by roots or coloured ranks", sends)}
}

// operation is a rank's part in one of several broadcasts.
type operation struct {
	rank  int
	epoch uint32
}
