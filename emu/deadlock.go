package emu

import "github.com/mangrove-emu/mangrove/report"

// explainDeadlocks says why ranks still wait.
func (m *Machine) explainDeadlocks(rep *report.Report, waiting []int32) {
	waits := make([]report.Wait, len(waiting))
	for i, id := range waiting {
		r := &m.ranks[id]
		waits[i] = report.WaitIn(r.call.String(), int(id), r.want, m.program.KindName, r.now)
	}
	rep.Explain(waits)
}
