package tcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// Absent says that a process will not be started because its rank has failed before the run.
func (c *Coordinator) Absent(process int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.members[process].state = absent
	for _, rank := range c.layout.of(process) {
		t := c.follow(rank)
		first := t.FirstFailure()
		t.Happens(first, 0)
		f := failure{unheard(rank, report.Crashed, 0), first.Place}
		f.History = t.History()
		c.noteFailure(f)
	}
}

// Start waits until all processes are there, and lets the run begin after a delay, which should
// be long enough for all of them to hear of it. It is made longer if one of them has been slow to answer; without a
// delay the run begins at once.
func (c *Coordinator) Start(ctx context.Context, delay time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.gather(ctx, "joined", func(m *member) bool { return m.state != expected }); err != nil {
		return err
	}
	if c.cfg.Eager {
		c.broadcast(control{Connect: c.peers()})
		if err := c.gather(ctx, "connected to all others", func(m *member) bool { return m.connected || !m.live() }); err != nil {
			return err
		}
	}
	c.started = true
	if delay > 0 {
		delay = max(delay, 2*c.slowest)
	}
	c.startAt = c.now() + delay
	for _, m := range c.members {
		if m.live() {
			c.startMember(m)
		}
	}
	if c.cfg.Timeout != 0 {
		c.wg.Go(c.watchHeartbeats)
	}
	return nil
}

// gather waits until all processes have done something.
func (c *Coordinator) gather(ctx context.Context, what string, done func(*member) bool) error {
	missing := func(m *member) bool { return !done(m) }
	err := c.await(ctx, func() bool { return !slices.ContainsFunc(c.members, missing) })
	if err != nil && (c.err == nil || ctx.Err() != nil) { // when time is up, others may show that first
		var late []int
		for _, m := range c.members {
			if missing(m) {
				late = append(late, m.process)
			}
		}
		err = fmt.Errorf("%w: %s not %s", context.Cause(ctx), listProcesses(late), what)
	}
	return err
}

// peers are all processes, as others see them.
func (c *Coordinator) peers() (all []peer) {
	for _, m := range c.members {
		all = append(all, *m.peer())
	}
	return all
}

// startMember tells a process what it must know to begin.
func (c *Coordinator) startMember(m *member) {
	m.silence = -startGrace // it need not have said anything since it joined, and has to begin first
	m.tell(control{Start: &start{
		At: c.startAt, Peers: c.peers(), Failures: c.known, Version: c.version,
		Detector: c.cfg.Offered, Beat: cmp.Or(c.cfg.Timeout/beatsPerTimeout, usualBeat), History: c.histories[c.layout.first(m.process)], Order: c.orders[c.layout.first(m.process)],
		Record: c.recorded != nil,
	}})
}

// broadcast tells all processes something.
func (c *Coordinator) broadcast(msg control) {
	f := msg.frame()
	for _, m := range c.members {
		if m.live() {
			m.out.send(f)
		}
	}
}

// now is what the coordinator's clock shows.
func (c *Coordinator) now() time.Duration { return time.Since(c.anchor.at) }

// ticks is how far the run is, 0 before it.
func (c *Coordinator) ticks() clock.Time {
	if !c.started {
		return 0
	}
	return max(0, clock.Time((c.now()-c.startAt)/c.cfg.Tick))
}

// Until is how long it takes until the clocks of the run show an instant.
func (c *Coordinator) Until(t clock.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.startAt + time.Duration(t)*c.cfg.Tick - c.now()
}
