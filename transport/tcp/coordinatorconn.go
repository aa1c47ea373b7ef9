package tcp

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// coordinatorConn is the coordinator as one process sees it.
type coordinatorConn struct {
	node      *Node
	session   *wire.Session
	name      string // who that is, and where
	out       *outbox
	start     start
	changes   chan change
	probes    chan int
	asked     timeAsked // what time it is, the last time
	heard     chan timeHeard
	drifts    bool          // the clock of this host goes wrong, which has been said
	gone      chan struct{} // closed when it has nothing more to say
	delivered bool          // it has the report; to be read when it is gone
}

func newCoordinatorConn(n *Node, s *wire.Session) *coordinatorConn {
	return &coordinatorConn{
		name: "the coordinator", node: n, session: s, out: newOutbox(s, n.changed), gone: make(chan struct{}),
		changes: make(chan change, 4*n.cfg.Ranks+16), probes: make(chan int, 16), heard: make(chan timeHeard, 1),
	}
}

// tell sends something to the coordinator.
func (cc *coordinatorConn) tell(c control) { cc.out.send(c.frame()) }

// listen does what the coordinator says, until the connection ends.
func (cc *coordinatorConn) listen() {
	defer close(cc.gone)
	defer close(cc.changes)
	cc.node.background(cc.applyChanges)
	for {
		c, err := readControl(cc.session)
		switch {
		case err != nil:
			cc.node.finish(cc.lost(err))
			return
		case c.Change != nil:
			cc.changes <- *c.Change
		case c.Probe != 0:
			select {
			case cc.probes <- c.Probe:
			case <-cc.node.over: // nobody reads them any more
			}
		case c.Clock != nil:
			cc.heardTime(c.Clock)
		case c.Describe:
			cc.tell(control{Standing: cc.node.standing()})
		case c.Over:
			cc.node.finish(nil)
		case c.Delivered:
			cc.delivered = true
			return
		}
	}
}

// deliver sends a report to the coordinator and waits until it has it.
func (cc *coordinatorConn) deliver(ctx context.Context, reports []rankReport) error {
	f := control{Report: reports, ClockError: cc.node.clockError()}.frame()
	if !cc.session.Fits(len(f.Payload)) {
		return fmt.Errorf("tcp: the report of process %d has %d bytes, which is more than a frame may have; want more processes", cc.node.cfg.Process, len(f.Payload))
	}
	cc.deliverEvents()
	cc.out.send(f)
	select {
	case <-cc.gone:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if !cc.delivered {
		return fmt.Errorf("tcp: process %d has lost %s before that had its report", cc.node.cfg.Process, cc.name)
	}
	return nil
}

// lost is that there is no coordinator any more, and why.
func (cc *coordinatorConn) lost(err error) error {
	return fmt.Errorf("tcp: process %d has lost %s: %w", cc.node.cfg.Process, cc.name, plain(err))
}
