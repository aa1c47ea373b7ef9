package proctest

import (
	"errors"
	"sync"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
)

// setup is how a run differs from the usual one.
type setup struct {
	seed       uint64
	initiators []int
	faults     faults.Schedule
}

// gather runs main on every rank and returns what it returned on each of them.
func gather[T any](c *checker, main func(p protocols.Proc) T) []T {
	return gatherWith(c, setup{seed: 1}, main)
}

// gatherWith is gather with more to choose.
func gatherWith[T any](c *checker, s setup, main func(p protocols.Proc) T) []T {
	var mu sync.Mutex
	calls := make([]int, c.Ranks)
	results := make([]T, c.Ranks)
	var strangers []int
	err := c.run(s, protocols.Program{
		Initiators: s.initiators,
		Main: func(p protocols.Proc) {
			result := main(p)
			rank := p.Rank()
			mu.Lock()
			defer mu.Unlock()
			if rank < 0 || rank >= c.Ranks {
				strangers = append(strangers, rank)
				return
			}
			calls[rank]++
			results[rank] = result
		},
	})
	mu.Lock()
	defer mu.Unlock()
	c.judge(err, calls, strangers)
	return results
}

// run runs a program in which nobody should wait for ever.
func (c *checker) run(s setup, program protocols.Program) error {
	rep, err := c.machine.Run(c.LogP, s.seed, s.faults, program)
	if err == nil && len(rep.Deadlocks) > 0 {
		err = errors.New("deadlock: " + rep.Deadlocks[0].String())
	}
	return err
}

// judge notes a run that failed or did not run each rank's program once.
func (c *checker) judge(err error, calls, strangers []int) {
	before := len(c.found)
	if err != nil {
		c.errorf("the run failed: %w", err)
	}
	for _, rank := range strangers {
		c.errorf("a program ran as rank %d of %d", rank, c.Ranks)
	}
	for rank, n := range calls {
		if n != 1 {
			c.errorf("the program of rank %d returned %d times, want once", rank, n)
		}
	}
	c.broken = c.broken || len(c.found) > before
}
