package tcp

import (
	"context"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// What those need who start processes again.

// AwaitFailure reports whether a rank has failed before an instant and has not come back. What the
// schedule puts before the instant is waited for, as it may be late: that the rank fails, and that its
// process is there again after an earlier failure.
func (c *Coordinator) AwaitFailure(ctx context.Context, rank int, before clock.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.await(ctx, func() bool { return c.over || !c.mayYetFail(rank, before) })
	return c.hasFailed(rank, before)
}

// mayYetFail reports whether a rank will fail in its present life because the schedule says so, and before
// an instant.
func (c *Coordinator) mayYetFail(rank int, before clock.Time) bool {
	m := c.members[c.layout.process(rank)]
	switch {
	case m.state == expected:
		return true // or not: that is known when it is there
	case c.down[rank]:
		return false
	}
	return c.follow(rank).StopsAt() < before
}

func (c *Coordinator) hasFailed(rank int, before clock.Time) bool {
	if !c.down[rank] {
		return false
	}
	for _, f := range slices.Backward(c.failures) {
		if f.Rank == rank {
			return f.Exit < before || c.follow(rank).FailedBefore(before)
		}
	}
	return false
}

// Expect lets a process join that is started again, because its rank rejoins at an instant of the
// schedule, and returns its new life. It waits until the former life is over: if that hangs, the caller
// kills it first.
func (c *Coordinator) Expect(ctx context.Context, process int, rejoins clock.Time) (life int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.members[process]
	failed := func() bool { return m.state == ended || m.state == absent || m.state == hanging && !m.fenced }
	if c.await(ctx, failed) != nil {
		return 0, fmt.Errorf("tcp: process %d has not failed", process)
	}
	c.members[process] = &member{process: process, life: m.life + 1, born: rejoins}
	return m.life + 1, nil
}

// GiveUp says that a process that was expected will not join in this life of its.
func (c *Coordinator) GiveUp(process, life int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := c.members[process]; c.started && m.state == expected && m.life == life {
		m.state = ended
		c.endIfIdle()
		c.cond.Broadcast()
	}
}
