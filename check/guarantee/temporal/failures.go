package temporal

import (
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/report"
)

// failures are the ranks that have failed and have not come back.
type failures map[int]bool

// see has an event happen, and reports whether its rank had failed before. Then the rank has done nothing: a message got into the mailbox of one that hangs, which nobody
// reads any more. A failure itself is not late, nor is that the rank comes back.
func (f failures) see(e report.Event) (late bool) {
	if Rejoin.Is(e) {
		delete(f, e.Rank)
	}
	late = f[e.Rank]
	if Failure.Is(e) {
		f[e.Rank] = true
	}
	return late
}

// lateEvents says for each event of a run whether its rank had failed before.
func lateEvents(run guarantee.Run) []bool {
	failed := make(failures)
	late := make([]bool, len(run.Report.Events))
	for i, e := range run.Report.Events {
		late[i] = failed.see(e)
	}
	return late
}
