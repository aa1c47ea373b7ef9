package emu

import (
	"math/bits"
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
)

// batchSize is how many ranks a worker gathers, word by word, before it wakes them and
// waits for them to park; the last word may take a batch to almost twice that. Larger
// batches save little, and what they touch falls out of the cache.
const batchSize = 64

// worker drives ranks. In every window it takes units of ranks nobody else has taken, its own
// portion first, lets them receive their mail, and wakes those that have something to do.
type worker struct {
	m     *Machine
	index int
	pool  cells.Pool // cells for the messages of the ranks it runs

	starter  func()       // the goroutine of a rank to be started
	starting []int32      // ranks of the batch that are being started
	started  atomic.Int32 // how many of them have found out who they are

	left     atomic.Int32  // ranks of the batch that have not parked yet
	done     chan struct{} // the last one of them signals here
	expected atomic.Int64  // the earliest arrival among the messages sent

	batch      []int32    // ranks to wake
	words      []int32    // the words they lie in
	units      []int32    // the units taken in this window
	portion    portion    // where it begins
	quiescence clock.Time // the last instant of any message seen so far

	orders linkOrders  // of the links that a rank's mail has come by
	sent   []cells.Ref // the new mail of a rank

	dropped cells.List // messages that nobody will read
	unread  int        // how many
	wakes   int64
	_       [64]byte
}

// makeWorkers makes the workers.
func (m *Machine) makeWorkers(n int) {
	m.workers = make([]worker, n)
	for i := range m.workers {
		w := &m.workers[i]
		w.m, w.index = m, i
		w.done = make(chan struct{}, 1)
		w.starter = w.makeStarter()
	}
}

// reset prepares the worker for a run.
func (w *worker) reset() {
	w.expected.Store(int64(clock.Never))
	w.pool.Open(w.m.store)
	w.batch, w.words, w.units = w.batch[:0], w.words[:0], w.units[:0]
	w.dropped, w.unread = cells.List{}, 0
	w.quiescence, w.wakes = 0, 0
}

// expect notes that a message will arrive then. Most are later than one already noted.
func (w *worker) expect(arrival clock.Time) {
	for {
		earliest := w.expected.Load()
		if int64(arrival) >= earliest || w.expected.CompareAndSwap(earliest, int64(arrival)) {
			return
		}
	}
}

// takeExpected returns the earliest arrival noted in this window, or clock.Never.
func (w *worker) takeExpected() clock.Time {
	return clock.Time(w.expected.Swap(int64(clock.Never)))
}

// parked is called by each rank of the batch when it stops running.
func (w *worker) parked() {
	if w.left.Add(-1) == 0 {
		w.done <- struct{}{}
	}
}

// work does this worker's part of a window.
func (w *worker) work() {
	m := w.m
	for i := range m.workers {
		w.visitAll(&m.workers[(w.index+i)%len(m.workers)].portion)
	}
	w.release()
	for _, unit := range w.units {
		m.refreshUnit(int(unit))
	}
	w.units = w.units[:0]
	w.freeDropped()
}

// visit looks after the words of a unit that have mail or ranks to wake.
func (w *worker) visit(unit int) {
	m := w.m
	w.units = append(w.units, int32(unit))
	last := min((unit+1)<<m.shift, len(m.in.marks))
	for word := unit << m.shift; word < last; word++ {
		marks := m.in.takeMarks(word) | m.takeDue(word)
		if marks == 0 && m.wordMin[word] >= m.end {
			continue
		}
		for ; marks != 0; marks &= marks - 1 {
			w.admit(word<<6 + bits.TrailingZeros64(marks))
		}
		w.gather(word)
		if len(w.batch) >= batchSize {
			w.release()
		}
	}
}

// gather adds the ranks of a word that can act in this window to the batch.
func (w *worker) gather(word int) {
	m := w.m
	w.words = append(w.words, int32(word))
	for i, at := range m.wakeAt[word<<6 : word<<6+64] {
		if at < m.end {
			w.batch = append(w.batch, int32(word<<6+i))
		}
	}
}

// release wakes the batch and waits until all of it has parked.
func (w *worker) release() {
	m := w.m
	if len(w.batch) > 0 {
		m.prefetch(w.batch)
		w.listStarters()
		w.pool.RefillEmpty(len(w.batch), func(i int) *cells.Reserve { return &m.ranks[w.batch[i]].reserve })
		w.left.Store(int32(len(w.batch)))
		for _, id := range w.batch {
			w.wake(&m.ranks[id])
		}
		<-w.done
		w.wakes += int64(len(w.batch))
		w.batch = w.batch[:0]
	}
	for _, word := range w.words {
		m.refreshWord(int(word))
	}
	w.words = w.words[:0]
}

// wake lets a rank run until the end of the window.
func (w *worker) wake(r *rank) {
	received := r.arrived.Take()
	r.worker = uint16(w.index)
	if r.state == dormant {
		w.start(r, received)
		return
	}
	r.box.HandOver(received, w.m.end)
}
