package guarantee

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// SentOnce holds if no rank sends the same message to another twice: of the same kind, epoch and
// number. Ranks that have come back are left out: they know nothing of what they have sent before,
// may come to say the same again, and are answered again.
type SentOnce struct{}

// Name is the promise in a few words.
func (SentOnce) Name() string { return "no message is sent twice" }

// NeedsEvents is true.
func (SentOnce) NeedsEvents() bool { return true }

func (SentOnce) safety() {}

// Check compares all sends.
func (g SentOnce) Check(run Run) Verdict {
	back := make(map[int]bool)
	seen := make(map[message]clock.Time)
	for i := range run.Report.Events {
		e := &run.Report.Events[i]
		if e.Kind == report.EventRejoin {
			back[e.Rank] = true
		}
		if e.Kind != report.EventSend || back[e.Rank] || back[e.Peer] {
			continue
		}
		s := messageOf(e, e.Rank, e.Peer)
		if before, twice := seen[s]; twice {
			return Verdict{Name: g.Name(), Evidence: fmt.Sprintf("%s, as at t=%d", e, before)}
		}
		seen[s] = e.Time
	}
	return Verdict{Name: g.Name(), Value: looked(len(seen)), Evidence: fmt.Sprintf("%d sends, all different", len(seen))}
}
