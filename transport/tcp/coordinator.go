package tcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// CoordinatorConfig describes who brings the processes of a job together.
type CoordinatorConfig struct {
	Job
	Detection
	// Initiators are those of the program: they are coloured from the start.
	Initiators []int

	Listen   string // as in Config
	Anywhere bool
	Log      func(line string)
	// Fence is called for a process that has given no sign of life in time, and must see to it
	// that it never does again: others will go on without it. Optional.
	Fence func(process int)
}

// Coordinator brings the processes of a job together: it knows where they are, says when to
// begin, in which order failures become known and when the run is over, and gathers the reports.
// It takes no part in what ranks send each other.
type Coordinator struct {
	cfg      CoordinatorConfig
	layout   layout
	acceptor *acceptor // nil: processes come in at that of a node
	anchor   anchor    // when its clock shows 0
	startAt  time.Duration
	slowest  time.Duration // that a process took to hear something and to answer

	mu       sync.Mutex
	cond     sync.Cond
	members  []*member // by process
	started  bool
	over     bool
	closed   bool
	holds    int         // reasons why the run is not over even if nothing happens
	version  int         // of the last change
	known    failureList // what the failure detector has told of
	failures []failure   // in the order in which they happened
	rejoins  []report.Rejoin
	down     map[int]bool // ranks that have failed and not come back
	// histories are how far ranks with faults have come, as far as they have said so.
	histories map[int]faults.History
	orders    map[int]linkOrder // of their links, in the same way
	recorded  [][]recorded      // the events of each rank; nil if they are not wanted
	// unrecorded are ranks whose events have been lost with their processes.
	unrecorded map[int]bool
	// clockErrors are by how much clocks of processes were wrong at most, in any of their lives, as far as they have said so.
	clockErrors []time.Duration

	wall  time.Duration
	probe int
	first map[int]int64 // what processes had received when the last probe began
	err   error         // why the run does not end well
	wg    sync.WaitGroup

	watching     context.Context // until the run is over, or the coordinator closed
	stopWatching context.CancelFunc
}

// NewCoordinator listens for the processes of a job.
func NewCoordinator(cfg CoordinatorConfig) (*Coordinator, error) {
	if err := checkAddress(cfg.Listen, cfg.Anywhere); err != nil {
		return nil, err
	}
	c, err := newCoordinator(cfg)
	if err != nil {
		return nil, err
	}
	secure, err := cfg.encryption()
	if err != nil {
		return nil, err
	}
	h := wire.Handshake{Job: cfg.Job.Job, Self: wire.Identity{Role: wire.Member, Process: coordinatorProcess}, Limit: cfg.maxFrame(wire.Member)}
	if c.acceptor, err = acceptAt(cfg.Listen, h, secure, c.logf, c.accept); err != nil {
		return nil, err
	}
	return c, nil
}

// newCoordinator makes a coordinator that somebody else lets processes in for.
func newCoordinator(cfg CoordinatorConfig) (*Coordinator, error) {
	wrong := cfg.problems()
	if cfg.Timeout < 0 || cfg.Timeout > 0 && (cfg.Timeout < minTimeout || !cfg.Offered) {
		wrong.Add("tcp: timeout of %s for signs of life, want 0, or %s or more and a failure detector", cfg.Timeout, minTimeout)
	}
	for _, rank := range cfg.Initiators {
		if rank < 0 || rank >= cfg.Ranks {
			wrong.Add("tcp: initiator %d, want 0 to %d", rank, cfg.Ranks-1)
		}
	}
	if err := wrong.Err(""); err != nil {
		return nil, err
	}
	c := &Coordinator{
		cfg: cfg, layout: cfg.layout(), anchor: dropAnchor(), clockErrors: make([]time.Duration, cfg.Processes),
		down: make(map[int]bool), known: failureList{Suspected: make(map[int]bool)}, histories: make(map[int]faults.History), orders: make(map[int]linkOrder),
	}
	c.cond.L = &c.mu
	c.watching, c.stopWatching = context.WithCancel(context.Background())
	for process := range cfg.Processes {
		c.members = append(c.members, &member{process: process})
	}
	c.knowFromStart()
	return c, nil
}

// Address is what processes are told to reach the coordinator at.
func (c *Coordinator) Address() string { return announced(c.cfg.Listen, c.Addr()) }

// Addr is where the coordinator listens.
func (c *Coordinator) Addr() net.Addr { return c.acceptor.listener.Addr() }

func (c *Coordinator) logf(format string, args ...any) {
	if c.cfg.Log != nil {
		c.cfg.Log("coordinator: " + fmt.Sprintf(format, args...))
	}
}

// Wait returns when the run is over and all reports are there.
func (c *Coordinator) Wait(ctx context.Context) (*Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.await(ctx, c.complete); err != nil {
		return nil, err
	}
	return c.result(), nil
}

// await waits until something is so, unless the run fails or the context ends before. The caller has the lock.
func (c *Coordinator) await(ctx context.Context, so func() bool) error {
	defer context.AfterFunc(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.cond.Broadcast()
	})()
	for {
		switch {
		case c.err != nil:
			return c.err
		case so():
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		c.cond.Wait()
	}
}

// fail ends the run with an error.
func (c *Coordinator) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.cond.Broadcast()
}

// Close ends everything. Processes that are still there lose the coordinator and end, too.
func (c *Coordinator) Close() error {
	c.mu.Lock()
	c.closed = true
	c.stopWatching()
	c.fail(errors.New("tcp: the coordinator was closed"))
	for _, m := range c.members {
		if m.out != nil {
			if m.state == done {
				m.out.flush(deliveryPatience) // it has yet to hear that its report is here
			}
			m.out.close()
		}
	}
	c.mu.Unlock()
	if c.acceptor != nil {
		c.acceptor.close()
	}
	c.wg.Wait()
	return nil
}
