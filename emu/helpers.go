package emu

import "sync"

// helpers are the goroutines of all workers but the first, which works on the goroutine that
// called Run. They live as long as the run.
type helpers struct {
	begin []chan struct{} // one for each worker but the first
	busy  sync.WaitGroup  // workers that have not finished their window
	alive sync.WaitGroup
}

// start has them wait for work.
func (h *helpers) start(workers []worker) {
	h.begin = h.begin[:0]
	for i := range workers[1:] {
		w := &workers[i+1]
		begin := make(chan struct{}, 1)
		h.begin = append(h.begin, begin)
		h.alive.Go(func() {
			for range begin {
				w.work()
				h.busy.Done()
			}
		})
	}
}

// work has the window's units worked on by no more workers than there are units, and
// waits for the barrier: until all have finished.
func (h *helpers) work(workers []worker, units int) {
	needed := min(len(workers), units) - 1
	if needed > 0 {
		h.busy.Add(needed)
		for _, begin := range h.begin[:needed] {
			begin <- struct{}{}
		}
	}
	workers[0].work()
	h.busy.Wait()
}

// stop ends them.
func (h *helpers) stop() {
	for _, begin := range h.begin {
		close(begin)
	}
	h.alive.Wait()
}
