package emu

import (
	"github.com/mangrove-emu/mangrove/clock"

	"github.com/mangrove-emu/mangrove/report"
)

// explainDeadlocks says why ranks still wait.
func (m *Machine) explainDeadlocks(rep *report.Report, waiting []int32) {
	waits := make([]report.Wait, len(waiting))
	for i, id := range waiting {
		r := &m.ranks[id]
		w := report.Wait{Rank: int(id), Call: r.call.String(), Want: r.want.Describe(m.program.KindName), From: report.Anyone, Since: r.now}
		if r.call == callWait {
			w.Want = clock.Never.String()
		}
		if sender, named := r.want.Sender(); named {
			w.From = sender
		}
		waits[i] = w
	}
	rep.Explain(waits)
}
