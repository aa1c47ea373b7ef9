package emu

import "sync/atomic"

// portion is which of the units that are due in a window one worker looks after first. It is about the same ranks in each
// window, so that it finds them in the cache of its processor. What it has not come to when others are done with
// theirs, these take.
type portion struct {
	next atomic.Int64 // the first that nobody has taken: a place in Machine.due
	end  int64        // the place behind the last
}

// divide gives each worker its portion of the units that are due.
func (m *Machine) divide() {
	begin := 0
	for i := range m.workers {
		end := begin
		for end < len(m.due) && m.belongs(m.due[end]) == i {
			end++
		}
		p := &m.workers[i].portion
		p.next.Store(int64(begin))
		p.end = int64(end)
		begin = end
	}
}

// belongs says in which worker's portion a unit is.
func (m *Machine) belongs(unit int32) int { return int(unit) * len(m.workers) / len(m.unitMin) }

// visitAll visits all units of a portion that nobody has taken.
func (w *worker) visitAll(p *portion) {
	for !w.m.stopping.Load() {
		i := p.next.Add(1) - 1
		if i >= p.end {
			return
		}
		w.visit(int(w.m.due[i]))
	}
}
