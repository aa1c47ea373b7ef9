package tcp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// Node is one process of a job: some of its ranks, and the ways to all others.
type Node struct {
	cfg      Config
	layout   layout
	costs    clock.Costs
	secure   *tls.Config // nil: connections are not encrypted
	acceptor *acceptor
	address  string  // that others know; "": that of the acceptor
	links    []*link // by process; that to this one is never used. None if there is a carrier
	others   []way   // by process: links, or what the carrier has in their place
	watch    watch
	ways     *faults.Links
	held     *held // nil if nothing is ever late

	coordinator *coordinatorConn            // the coordinator, as this side sees it
	host        atomic.Pointer[Coordinator] // if this node is the host of it
	ready       chan struct{}               // closed when the node has joined; others may be faster
	detector    detectorState
	begin       time.Time // when the clock shows 0, if it is that of the coordinator's host
	steered     *steering // the clock, if it is that of another host
	program     protocols.Program
	ranks       []atomic.Pointer[rank] // the last lives of those here

	readingError time.Duration                         // of the clock, if it is that of the coordinator's host
	skewed       func(own time.Duration) time.Duration // in tests: what a clock shows that is not the host's

	version atomic.Int64  // of what is known of others' failures
	active  atomic.Int64  // how many ranks may do something of their own accord
	changes atomic.Int64  // that may have made the process idle, or a different idle one
	poke    chan struct{} // has an element if something has changed
	over    chan struct{} // closed when the run is

	open context.Context // until the node is closed
	shut context.CancelFunc

	mu       sync.Mutex
	closed   bool
	failed   error
	programs sync.WaitGroup // of ranks, and what the clock does to them
	wg       sync.WaitGroup // everything else that runs
}

// Listen makes a process that others can connect to as soon as they know its address. What it does is
// up to Join and Run.
func Listen(cfg Config) (*Node, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	n := &Node{
		cfg: cfg, layout: cfg.layout(), costs: cfg.Costs(), ways: cfg.Faults.Links(cfg.Ranks),
		poke: make(chan struct{}, 1), over: make(chan struct{}), ready: make(chan struct{}),
	}
	n.held = newHeld(n)
	n.open, n.shut = context.WithCancel(context.Background())
	n.makeWays()
	ranks := n.layout.of(cfg.Process)
	n.ranks = make([]atomic.Pointer[rank], len(ranks))
	for i, id := range ranks {
		n.ranks[i].Store(n.newRank(id, cfg.Life, 0))
	}
	var err error
	if err = n.checkStorage(); err != nil {
		return nil, err
	}
	if n.secure, err = cfg.encryption(); err != nil {
		return nil, err
	}
	if n.acceptor, err = acceptAt(cfg.Listen, n.handshake(wire.Peer), n.secure, n.logf, n.accept); err != nil {
		return nil, err
	}
	n.address = announced(cfg.Listen, n.Addr())
	if cfg.Carrier != nil {
		n.background(n.receiveCarried)
	}
	return n, nil
}

// announced is the address that others are told: the host as it was given, for what it means here may
// be something else than what it means there, and the port that was found.
func announced(given string, found net.Addr) string {
	host, _, err := net.SplitHostPort(given)
	if ip := net.ParseIP(host); err != nil || host == "" || ip != nil && ip.IsUnspecified() {
		return found.String()
	}
	_, port, err := net.SplitHostPort(found.String())
	if err != nil {
		return found.String()
	}
	return net.JoinHostPort(host, port)
}

// Address is what others are told to reach this process at.
func (n *Node) Address() string { return n.address }

// Addr is where others reach this process.
func (n *Node) Addr() net.Addr { return n.acceptor.listener.Addr() }

func (n *Node) handshake(role wire.Role) wire.Handshake {
	return wire.Handshake{Job: n.cfg.Job.Job, Self: wire.Identity{Role: role, Process: n.cfg.Process, Life: n.cfg.Life}, Limit: n.cfg.maxFrame(role)}
}

// logf writes a line about something unusual.
func (n *Node) logf(format string, args ...any) {
	if n.cfg.Log != nil {
		n.cfg.Log(fmt.Sprintf("process %d: ", n.cfg.Process) + fmt.Sprintf(format, args...))
	}
}

// background runs f in a goroutine that Close waits for; false if the node is closed.
func (n *Node) background(f func()) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return false
	}
	n.wg.Go(f)
	return true
}

// accept lets another process in.
func (n *Node) accept(s *wire.Session) {
	who := s.Peer
	switch host := n.host.Load(); {
	case host != nil && who.Role == wire.Member:
		host.accept(s)
		return
	case n.cfg.Hosts && who.Role == wire.Member:
		s.Close() // the coordinator will be here soon, and the other side tries again
		return
	}
	if who.Role != wire.Peer || who.Process < 0 || who.Process >= len(n.links) || who.Process == n.cfg.Process || who.Life < 0 {
		n.logf("connection from %s dropped: it is process %d in life %d with role %d", s.RemoteAddr(), who.Process, who.Life, who.Role)
		s.Refuse("no such process here")
		return
	}
	n.links[who.Process].accept(s)
}

// newRank makes a rank whose life begins at some instant.
func (n *Node) newRank(id, life int, from clock.Time) *rank {
	return &rank{
		node: n, id: id, life: life, from: from, now: from, box: newInbox(n.activate),
		rand: rand.New(rand.NewPCG(n.cfg.Seed, uint64(id))), stop: make(chan struct{}), quiet: make(chan struct{}),
		status: rankStatus{outcome: report.Deadlocked, exit: clock.Never},
	}
}

// local is one of the ranks here.
func (n *Node) local(id int) *rank { return n.ranks[id-n.layout.first(n.cfg.Process)].Load() }

func (n *Node) isOver() bool {
	select {
	case <-n.over:
		return true
	default:
		return false
	}
}

// finish ends the run; an error says why it did not end well.
func (n *Node) finish(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.failed == nil {
		n.failed = err
	}
	if !n.isOver() {
		close(n.over)
	}
}

// Close ends everything that this process does on the network. Ranks that are still running end
// in their next call.
func (n *Node) Close() error {
	n.finish(errors.New("tcp: closed"))
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	n.shut()
	n.acceptor.close()
	if n.coordinator != nil {
		n.coordinator.out.close()
	}
	for _, l := range n.others {
		l.close()
	}
	for _, l := range n.links {
		l.dropped.close() // nothing more is dropped that would be worth a line
	}
	n.wg.Wait()
	n.closeStorage()
	return nil
}
