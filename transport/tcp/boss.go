package tcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// boss is the coordinator as one process sees it.
type boss struct {
	node    *Node
	session *wire.Session
	out     *outbox
	start   start
	changes chan change
	probes  chan int
	gone    chan struct{} // closed when it has nothing more to say
	bye     chan struct{}
}

// coordinatorProcess is the number that the coordinator goes by in handshakes.
const coordinatorProcess = -1

const (
	dialTimeout = 10 * time.Second
	// clockReadings is how often the coordinator is asked what time it is. The answer that came
	// fastest is the most precise one.
	clockReadings = 8
)

// Join presents this process to the coordinator, which may still have to be started, and returns
// when it is known when to begin.
func (n *Node) Join(ctx context.Context, coordinator string) error {
	return n.joinAt(ctx, coordinator, coordinatorProcess)
}

// joinAt joins a coordinator that goes by some number.
func (n *Node) joinAt(ctx context.Context, coordinator string, process int) error {
	session, err := n.seek(ctx, coordinator, process)
	if err != nil {
		return err
	}
	b := &boss{
		node: n, session: session, out: newOutbox(session, n.stir), gone: make(chan struct{}), bye: make(chan struct{}),
		changes: make(chan change, 4*n.cfg.Ranks+16), probes: make(chan int, 16),
	}
	defer context.AfterFunc(ctx, func() { session.Close() })()
	if err := b.join(); err != nil {
		session.Close()
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return fmt.Errorf("tcp: process %d cannot join: %w", n.cfg.Process, err)
	}
	n.boss = b
	n.detector.init(&b.start)
	n.version.Store(int64(b.start.Version))
	close(n.ready)
	return nil
}

// seek connects to the coordinator, and tries again until it is there.
func (n *Node) seek(ctx context.Context, coordinator string, process int) (*wire.Session, error) {
	for {
		s, err := n.dial(coordinator, wire.Member, process, 0)
		if err == nil {
			return s, nil
		}
		if errors.Is(err, wire.ErrRefused) || errors.Is(err, wire.ErrSecret) || errors.Is(err, errForeignKey) || ctx.Err() != nil {
			return nil, fmt.Errorf("tcp: process %d cannot join: coordinator %s: %w", n.cfg.Process, coordinator, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// join reads the clock and waits for the start.
func (b *boss) join() error {
	n := b.node
	origin, err := b.readClock()
	if err != nil {
		return err
	}
	b.tell(control{Join: &joining{Address: n.address, Pid: os.Getpid(), Terms: n.cfg.terms()}})
	for {
		c, err := readControl(b.session)
		switch {
		case err != nil:
			return err
		case c.Over:
			return errors.New("the run is over")
		case c.Meet != nil:
			if err := n.meet(c.Meet); err != nil {
				return err
			}
			b.tell(control{Met: true})
			continue
		case c.Start == nil:
			continue
		}
		b.start = *c.Start
		break
	}
	n.begin = origin.Add(b.start.At)
	if err := n.introduce(b.start.Peers); err != nil {
		return err
	}
	if n.cfg.Life > 0 {
		for i := range n.ranks {
			r := n.ranks[i].Load()
			r.born = b.start.Born // what should have struck since then does
			r.from = n.now()
			r.now = r.from
		}
	}
	return nil
}

// readClock returns when the coordinator's clock showed 0, on the clock of this process.
func (b *boss) readClock() (origin time.Time, err error) {
	fastest := time.Duration(-1)
	for i := range clockReadings {
		asked := time.Now()
		b.tell(control{Asked: &clockAsked{i}})
		c, err := readControl(b.session)
		if err != nil {
			return origin, err
		}
		if c.Clock == nil || c.Clock.Number != i {
			return origin, errors.New("the coordinator does not say what time it is")
		}
		if took := time.Since(asked); fastest < 0 || took < fastest {
			fastest = took
			origin = asked.Add(took / 2).Add(-c.Clock.Time)
		}
	}
	return origin, nil
}

// tell sends something to the coordinator.
func (b *boss) tell(c control) { b.out.send(c.frame()) }

// obey does what the coordinator says, until the connection ends.
func (b *boss) obey() {
	defer close(b.gone)
	b.node.background(b.follow)
	for {
		c, err := readControl(b.session)
		switch {
		case err != nil:
			b.node.finish(fmt.Errorf("tcp: process %d has lost the coordinator: %w", b.node.cfg.Process, err))
			return
		case c.Change != nil:
			b.changes <- *c.Change
		case c.Probe != 0:
			select {
			case b.probes <- c.Probe:
			case <-b.node.over: // nobody reads them any more
			}
		case c.Over:
			b.node.finish(nil)
		case c.Bye:
			close(b.bye)
			return
		}
	}
}

// deliver sends a report to the coordinator and waits until it has it.
func (b *boss) deliver(ctx context.Context, rep *processReport) error {
	f := control{Report: rep}.frame()
	if !b.session.Fits(len(f.Payload)) {
		return fmt.Errorf("tcp: the report of process %d has %d bytes, which is more than a frame may have; want more processes", b.node.cfg.Process, len(f.Payload))
	}
	b.out.send(f)
	select {
	case <-b.bye:
		return nil
	case <-b.gone:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-b.bye:
		return nil
	default:
		return fmt.Errorf("tcp: process %d has lost the coordinator before that had its report", b.node.cfg.Process)
	}
}

func (b *boss) close() {
	b.out.close()
}
