package emu

import "github.com/mangrove-emu/mangrove/report"

// explainDeadlocks says why ranks still wait.
func (m *Machine) explainDeadlocks(rep *report.Report, waiting []int32) {
	waits := make([]report.Wait, len(waiting))
	for i, id := range waiting {
		r := &m.ranks[id]
		waits[i] = report.WaitIn(r.call.String(), int(id), r.want, m.program.KindName, r.now)
	}
	rep.Explain(waits, m.losses(waiting))
}

// losses are the messages lost on their way, as far as they are kept; none if nobody waits for any.
func (m *Machine) losses(waiting []int32) (all []report.Loss) {
	if len(waiting) == 0 || m.ways.quiescence.Load() == 0 {
		return nil
	}
	for i := range m.ranks {
		if x := m.ranks[i].extra; x != nil {
			all = append(all, x.lost...)
		}
	}
	return all
}
