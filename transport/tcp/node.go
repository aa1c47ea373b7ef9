package tcp

import (
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// Node is one process of a job: some of its ranks, and the ways to all others.
type Node struct {
	cfg     Config
	layout  Layout
	costs   clock.Costs
	secure  *tls.Config // nil: connections are not encrypted
	door    *door
	address string  // that others know; "": that of the door
	links   []*link // by process; that to this one is never used
	cuts    []cut

	boss     *boss                       // the coordinator, as this side sees it
	host     atomic.Pointer[Coordinator] // if this node is the host of it
	ready    chan struct{}               // closed when the node has joined; others may be faster
	detector detectorState
	begin    time.Time              // when the clock shows 0
	ranks    []atomic.Pointer[rank] // the last lives of those here
	timers   timers

	version atomic.Int64  // of what is known of others' failures
	active  atomic.Int64  // how many ranks may do something of their own accord
	calm    *calm         // says when the process has been idle for a while
	over    chan struct{} // closed when the run is

	mu       sync.Mutex
	closed   bool
	failed   error
	programs sync.WaitGroup
	wg       sync.WaitGroup // everything else that runs
}

// Listen opens the door of a process. Others can connect to it as soon as they know its address;
// what it does is up to Join and Run.
func Listen(cfg Config) (*Node, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	n := &Node{
		cfg: cfg, layout: cfg.layout(), costs: cfg.Costs(), cuts: cutsOf(cfg.Faults, cfg.Ranks),
		calm: newCalm(), over: make(chan struct{}), ready: make(chan struct{}),
	}
	for process := range cfg.Processes {
		n.links = append(n.links, &link{node: n, process: process})
	}
	n.ranks = make([]atomic.Pointer[rank], n.layout.Count(cfg.Process))
	for i := range n.ranks {
		n.ranks[i].Store(n.newRank(n.layout.First(cfg.Process)+i, cfg.Life, 0))
	}
	var err error
	if n.secure, err = cfg.encryption(); err != nil {
		return nil, err
	}
	if n.door, err = openDoor(cfg.Listen, n.handshake(wire.Peer), n.secure, n.logf, n.enter); err != nil {
		return nil, err
	}
	n.address = announced(cfg.Listen, n.Addr())
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

// encryption is that of the job, or nil.
func (j *Job) encryption() (*tls.Config, error) {
	if !j.Encrypt {
		return nil, nil
	}
	return encryption(j.Job)
}

// Addr is where others reach this process.
func (n *Node) Addr() net.Addr { return n.door.listener.Addr() }

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

// dial opens a connection to another process, or to the coordinator.
func (n *Node) dial(address string, role wire.Role, process, life int) (*wire.Session, error) {
	if address == "" {
		return nil, errors.New("it was never started")
	}
	conn, err := (&net.Dialer{Timeout: dialTimeout}).Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	if n.secure != nil {
		conn = tls.Client(conn, n.secure)
	}
	s, err := n.handshake(role).Connect(conn)
	if err != nil {
		return nil, err
	}
	if s.Peer.Process != process || s.Peer.Life != life {
		s.Close()
		return nil, fmt.Errorf("process %d in life %d is there, want process %d in life %d", s.Peer.Process, s.Peer.Life, process, life)
	}
	return s, nil
}

// enter lets another process in.
func (n *Node) enter(s *wire.Session) {
	who := s.Peer
	if host := n.host.Load(); host != nil && who.Role == wire.Member {
		host.enter(s)
		return
	}
	if who.Role != wire.Peer || who.Process < 0 || who.Process >= len(n.links) || who.Process == n.cfg.Process || who.Life < 0 {
		n.logf("connection from %s dropped: it is process %d in life %d with role %d", s.RemoteAddr(), who.Process, who.Life, who.Role)
		s.Refuse("no such process here")
		return
	}
	n.links[who.Process].admit(s)
}

// newRank makes a rank whose life begins at some instant.
func (n *Node) newRank(id, life int, born clock.Time) *rank {
	return &rank{
		node: n, id: id, life: life, born: born, now: born, box: newInbox(n.wake),
		rand: rand.New(rand.NewPCG(n.cfg.Seed, uint64(id))), stop: make(chan struct{}),
		status: rankStatus{outcome: report.Deadlocked, exit: clock.Never},
	}
}

// local is one of the ranks here.
func (n *Node) local(id int) *rank { return n.ranks[id-n.layout.First(n.cfg.Process)].Load() }

// now is what the clock of the process shows: 0 until the run begins.
func (n *Node) now() clock.Time { return max(0, clock.Time(time.Since(n.begin)/n.cfg.Tick)) }

// until is how long it takes until an instant; false if it is too far away to wait for.
func (n *Node) until(t clock.Time) (d time.Duration, finite bool) {
	if t > clock.Time((1<<62)/n.cfg.Tick) {
		return 0, false
	}
	return time.Until(n.begin.Add(time.Duration(t) * n.cfg.Tick)), true
}

// post takes a message to where it goes.
func (n *Node) post(f wire.Frame) {
	if severed(n.cuts, f.From, f.To, f.Left) {
		return
	}
	process := n.layout.Process(f.To)
	if process == n.cfg.Process {
		n.receive(&f)
		return
	}
	n.links[process].send(f)
}

// half sends the first half of a message that another process would get.
func (n *Node) half(f wire.Frame) {
	if process := n.layout.Process(f.To); process != n.cfg.Process {
		n.links[process].half(f)
	}
}

// deliver takes in a frame that another process has sent.
func (n *Node) deliver(process int, f *wire.Frame) error {
	switch {
	case f.Type != wire.Message:
		return fmt.Errorf("frame of type %d, want %d", f.Type, wire.Message)
	case f.From >= n.cfg.Ranks || n.layout.Process(f.From) != process:
		return fmt.Errorf("a message of rank %d, which does not live there", f.From)
	case f.To >= n.cfg.Ranks || n.layout.Process(f.To) != n.cfg.Process:
		return fmt.Errorf("a message for rank %d, which does not live here", f.To)
	case f.Kind == protocols.Failed:
		return fmt.Errorf("a message of kind %d, want 0 to %d", f.Kind, protocols.Failed-1)
	case f.Left < 0 || f.Left > maxLeft:
		return fmt.Errorf("a message that left at t=%d, want 0 to %d", f.Left, maxLeft)
	}
	n.receive(f)
	return nil
}

// maxLeft is far from where adding the latency would go wrong.
const maxLeft = clock.Never / 2

// receive gives a message to one of the ranks here.
func (n *Node) receive(f *wire.Frame) {
	r := n.local(f.To)
	l := letter{from: f.From, msg: f.Message}
	r.late.note(n.now() - f.Left - n.latency(f.From, f.To))
	if n.cfg.Pace == Model {
		l.at = f.Left + n.latency(f.From, f.To)
		r.box.expect(l)
		return
	}
	l.at = n.now()
	r.box.receive(l)
}

func (n *Node) latency(from, to int) clock.Time {
	if n.cfg.Network == nil {
		return n.cfg.Latency
	}
	return n.cfg.Network.Latency(from, to)
}

// rest says that a rank waits for a message and nothing else, or has ended.
func (n *Node) rest() {
	if n.active.Add(-1) == 0 {
		n.stir()
	}
}

func (n *Node) wake() { n.active.Add(1) }

// stir says that something has changed that may make the process idle.
func (n *Node) stir() { n.calm.stir() }

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
	n.door.close()
	if n.boss != nil {
		n.boss.close()
	}
	for _, l := range n.links {
		l.close()
	}
	n.wg.Wait()
	return nil
}
