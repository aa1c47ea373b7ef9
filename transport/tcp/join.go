package tcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// coordinatorProcess is the number that the coordinator goes by in handshakes.
const coordinatorProcess = -1

// Join presents this process to the coordinator, which may still have to be started, and returns
// when it is known when to begin.
func (n *Node) Join(ctx context.Context, coordinator string) error {
	return n.joinAt(ctx, coordinator, coordinatorProcess)
}

// joinAt joins a coordinator that goes by some number.
func (n *Node) joinAt(ctx context.Context, coordinator string, process int) error {
	session, err := n.reachCoordinator(ctx, coordinator, process)
	if err != nil {
		return err
	}
	cc := newCoordinatorConn(n, session)
	cc.name = nameOf(coordinator, process)
	defer context.AfterFunc(ctx, func() { session.Close() })()
	if err := cc.join(); err != nil {
		session.Close()
		if ctx.Err() != nil {
			return fmt.Errorf("%w: process %d has joined, but the run has not begun: others have not joined, or not connected to all others", context.Cause(ctx), n.cfg.Process)
		}
		return fmt.Errorf("tcp: %w", n.cannotJoin(coordinator, process, err))
	}
	n.coordinator = cc
	n.detector.init(&cc.start)
	n.version.Store(int64(cc.start.Version))
	if cc.start.Record {
		n.startRecording()
	}
	close(n.ready)
	return nil
}

// reachCoordinator connects to the coordinator, and tries again until it is there.
func (n *Node) reachCoordinator(ctx context.Context, coordinator string, process int) (*wire.Session, error) {
	trying, cancel := context.WithCancel(ctx)
	defer cancel()
	var somebodyElse, last error
	var patience *time.Timer // with somebody else
	pause := reachPause
	for {
		s, err := n.dial(trying, coordinator, wire.Member, process, 0)
		if last == nil || !expired(ctx) { // else it says no more than that time is up
			last = err
		}
		switch {
		case err == nil:
			return s, nil
		case errors.Is(err, wire.ErrRefused) || errors.Is(err, wire.ErrSecret):
			return nil, fmt.Errorf("tcp: %w", n.cannotJoin(coordinator, process, err))
		case somebodyElse == nil && foreign(err) != nil:
			somebodyElse = err
			patience = time.AfterFunc(foreignPatience, cancel)
			defer patience.Stop()
			pause = foreignPatience / 10 // each attempt is one of a stranger there
		case trying.Err() != nil && ctx.Err() == nil:
			return nil, fmt.Errorf("tcp: %w", n.cannotJoin(coordinator, process, somebodyElse))
		case somebodyElse != nil && foreign(err) == nil && patience.Stop(): // who was there has gone
			somebodyElse, pause = nil, reachPause
		}
		select {
		case <-ctx.Done():
			if somebodyElse != nil {
				last = somebodyElse
			}
			return nil, fmt.Errorf("%w: %w", context.Cause(ctx), n.cannotJoin(coordinator, process, last))
		case <-time.After(pause):
		}
	}
}

// reachPause is the time between two attempts.
const reachPause = 20 * time.Millisecond

// foreignPatience is how long somebody else may be at the address of the coordinator: a job that was there before may not have ended yet.
const foreignPatience = 2 * time.Second

// join reads the clock and waits for the start.
func (cc *coordinatorConn) join() error {
	n := cc.node
	if err := cc.readClock(); err != nil {
		return err
	}
	cc.tell(control{Join: &joining{Address: n.address, Terms: n.cfg.terms()}})
	cc.keepTime()
	if err := cc.awaitStart(); err != nil {
		return err
	}
	n.beginAt(cc.start.At)
	if err := n.setPeers(cc.start.Peers); err != nil {
		return err
	}
	if n.cfg.Life > 0 {
		for i := range n.ranks {
			r := n.ranks[i].Load()
			r.from = n.now()
			r.now = r.from
		}
	}
	return nil
}

// awaitStart does what is to be done before the run begins, and waits to hear when that is.
func (cc *coordinatorConn) awaitStart() error {
	for {
		c, err := readControl(cc.session)
		switch {
		case err != nil:
			return err
		case c.Clock != nil:
			cc.heardTime(c.Clock)
		case c.Over:
			return errors.New("the run is over")
		case c.Connect != nil:
			if err := cc.node.connectToAll(c.Connect); err != nil {
				return err
			}
			cc.tell(control{Connected: true})
		case c.Start != nil:
			cc.start = *c.Start
			return nil
		}
	}
}

// expired reports whether time is up. The network may say so a moment before the context does.
func expired(ctx context.Context) bool {
	deadline, limited := ctx.Deadline()
	return ctx.Err() != nil || limited && !time.Now().Before(deadline)
}

// setPeers takes notice of how all processes are.
func (n *Node) setPeers(peers []peer) error {
	if len(peers) != n.cfg.Processes {
		return fmt.Errorf("a job of %d processes, want %d", len(peers), n.cfg.Processes)
	}
	for _, p := range peers {
		n.setPeer(p)
	}
	return nil
}
