package emu

import "sync"

// crew is the goroutines of all workers but the first, which works on the goroutine that
// called Run. They live as long as the run.
type crew struct {
	begin []chan struct{} // one for each worker but the first
	busy  sync.WaitGroup  // workers that have not finished their window
	alive sync.WaitGroup
}

// start sends everybody to wait for work.
func (c *crew) start(workers []worker) {
	c.begin = c.begin[:0]
	for i := range workers[1:] {
		w := &workers[i+1]
		begin := make(chan struct{}, 1)
		c.begin = append(c.begin, begin)
		c.alive.Go(func() {
			for range begin {
				w.work()
				c.busy.Done()
			}
		})
	}
}

// work has the window's units worked on by no more workers than there are units, and
// waits for the barrier: until all have finished.
func (c *crew) work(workers []worker, units int) {
	helpers := min(len(workers), units) - 1
	if helpers > 0 {
		c.busy.Add(helpers)
		for _, begin := range c.begin[:helpers] {
			begin <- struct{}{}
		}
	}
	workers[0].work()
	c.busy.Wait()
}

// stop sends everybody home.
func (c *crew) stop() {
	for _, begin := range c.begin {
		close(begin)
	}
	c.alive.Wait()
}
