package emu

import "errors"

// Keep has ranks that finish rest until the next run instead of ending their goroutines,
// which makes many runs of a large machine faster. Close ends what rests; without it a
// machine that is kept leaks goroutines.
func (m *Machine) Keep() { m.keep.Store(true) }

// Close ends all goroutines of a machine that is kept. The machine can be used again
// afterwards, as if new.
func (m *Machine) Close() error {
	if !m.running.CompareAndSwap(false, true) {
		return errors.New("emu: the machine is in use by a run")
	}
	defer m.running.Store(false)
	m.keep.Store(false)
	m.endGoroutines(func(r *rank) bool { return r.resting })
	for i := range m.ranks {
		m.ranks[i].resting = false
	}
	return nil
}

// endGoroutines ends the goroutines of the chosen ranks, all of them parked or at rest.
func (m *Machine) endGoroutines(chosen func(r *rank) bool) {
	m.share(func(worker, lo, hi int) {
		w := &m.workers[worker]
		w.batch = w.batch[:0]
		for i := lo; i < hi; i++ {
			if chosen(&m.ranks[i]) {
				w.batch = append(w.batch, int32(i))
			}
			if len(w.batch) == batchSize || i == hi-1 {
				w.endBatch()
			}
		}
	})
}

func (w *worker) endBatch() {
	if len(w.batch) == 0 {
		return
	}
	w.m.prefetch(w.batch)
	w.left.Store(int32(len(w.batch)))
	for _, id := range w.batch {
		r := &w.m.ranks[id]
		r.worker = uint16(w.index)
		r.box.End()
	}
	<-w.done
	w.batch = w.batch[:0]
}
