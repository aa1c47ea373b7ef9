package emu

import "github.com/mangrove-emu/mangrove/report"

// waits says what ranks of this part still wait for: the first ones, so many at most.
func (m *Machine) waits(waiting []int32, most int) []report.Wait {
	waiting = waiting[:min(len(waiting), most)]
	waits := make([]report.Wait, len(waiting))
	for i, id := range waiting {
		r := m.own(int(id))
		waits[i] = report.WaitIn(r.call.String(), int(id), r.want, m.program.KindName, r.now)
	}
	return waits
}

// losses are the messages of ranks of this part that were lost on their way, as far as they are kept; none if nobody waits for any.
func (m *Machine) losses(waiting []int32) (all []report.Loss) {
	if m.ways.quiescence.Load() == 0 || len(waiting) == 0 && m.abroad == nil {
		return nil
	}
	for i := range m.ranks {
		if x := m.ranks[i].extra; x != nil {
			all = append(all, x.lost...)
		}
	}
	return all
}
