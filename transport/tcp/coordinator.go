package tcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
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

// Detection says how failures are noticed.
type Detection struct {
	// Offered lets programs ask for failures. A crash is noticed by its closed connection.
	Offered bool
	// Timeout after the last sign of life is when a process that hangs counts as failed. 0: hangs
	// are not noticed.
	Timeout time.Duration
}

// beats is how many signs of life a process gives within the timeout.
const beats = 5

// minTimeout is the least that a timeout can be.
const minTimeout = time.Millisecond

// Coordinator brings the processes of a job together: it knows where they are, says when to
// begin, in which order failures become known and when the run is over, and gathers the reports.
// It takes no part in what ranks send each other.
type Coordinator struct {
	cfg     CoordinatorConfig
	layout  Layout
	door    *door     // nil: processes come in at that of a node
	origin  time.Time // when its clock shows 0
	startAt time.Duration

	mu       sync.Mutex
	cond     sync.Cond
	members  []*member // by process
	started  bool
	over     bool
	closed   bool
	holds    int          // reasons why the run is not over even if nothing happens
	version  int          // of the last change
	known    []int        // ranks that the failure detector has told of, in that order
	present  []int        // of these, the ranks that are back
	suspects map[int]bool // of these, the ranks that are not
	failures []failure    // in the order in which they happened
	rejoins  []report.Rejoin
	down     map[int]bool // ranks that have failed and not come back
	wall     time.Duration
	probe    int
	first    map[int]int64 // what processes had received when the last probe began
	err      error         // why the run does not end well
	finished chan struct{} // closed when the run is over, or the coordinator
	wg       sync.WaitGroup
}

// member is a process as the coordinator sees it.
type member struct {
	process int
	life    int
	born    clock.Time // when the schedule lets this life begin
	state   memberState
	address string
	pid     int
	session *wire.Session
	out     *outbox
	asked   int       // how often it has asked what time it is
	heard   time.Time // when it last gave a sign of life
	met     bool      // it is connected to all others
	fenced  bool      // somebody sees to it that it ends
	status  *status
	words   *lastWords
	report  *processReport
	counts  Counts
}

type memberState uint8

const (
	expected memberState = iota
	absent               // it was never started
	joined
	hanging // it has said that it will take no part any more
	ended   // its connection is closed
	done    // and its report is here
)

// live reports whether something can still come from it.
func (m *member) live() bool { return m.state == joined }

// NewCoordinator opens the door for the processes of a job.
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
	if c.door, err = openDoor(cfg.Listen, h, secure, c.logf, c.enter); err != nil {
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
		cfg: cfg, layout: cfg.layout(), origin: time.Now(),
		down: make(map[int]bool), suspects: make(map[int]bool), finished: make(chan struct{}),
	}
	c.cond.L = &c.mu
	for process := range cfg.Processes {
		c.members = append(c.members, &member{process: process})
	}
	c.knowFromStart()
	return c, nil
}

// Address is what processes are told to reach the coordinator at.
func (c *Coordinator) Address() string { return announced(c.cfg.Listen, c.Addr()) }

// Addr is where the coordinator listens.
func (c *Coordinator) Addr() net.Addr { return c.door.listener.Addr() }

func (c *Coordinator) logf(format string, args ...any) {
	if c.cfg.Log != nil {
		c.cfg.Log("coordinator: " + fmt.Sprintf(format, args...))
	}
}

// knowFromStart is about ranks that fail before the run: they are known to have failed, unless
// they hang and that is not noticed.
func (c *Coordinator) knowFromStart() {
	for _, f := range c.cfg.Faults {
		if f.At != faults.OnTime(0) || !f.Kind.Stops() || f.Kind == faults.Hang && c.cfg.Timeout == 0 {
			continue
		}
		if c.cfg.Offered && !c.suspects[f.Rank] {
			c.suspects[f.Rank] = true
			c.known = append(c.known, f.Rank)
		}
	}
	slices.Sort(c.known)
}

// Absent says that a process will not be started because its rank has failed before the run.
func (c *Coordinator) Absent(process int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.members[process].state = absent
	for i, f := range c.cfg.Faults {
		if f.Kind == faults.Crash && f.At == faults.OnTime(0) && c.layout.Process(f.Rank) == process {
			c.noteFailure(failure{unheard(f.Rank, report.Crashed, 0), i})
		}
	}
}

// enter lets a process in.
func (c *Coordinator) enter(s *wire.Session) {
	who := s.Peer
	if who.Role != wire.Member || who.Process < 0 || who.Process >= len(c.members) {
		c.logf("connection from %s dropped: it is process %d in life %d with role %d", s.RemoteAddr(), who.Process, who.Life, who.Role)
		s.Refuse("no such process in this job")
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.members[who.Process]
	if c.closed || m.state != expected || m.life != who.Life {
		c.logf("connection from %s dropped: process %d in life %d is not expected", s.RemoteAddr(), who.Process, who.Life)
		s.Refuse("not expected")
		return
	}
	if err := s.Welcome(); err != nil {
		c.logf("connection from %s dropped: %v", s.RemoteAddr(), err)
		return
	}
	if m.out != nil {
		m.out.close() // it has given up that connection before it joined
	}
	m.session, m.out, m.asked, m.heard = s, newOutbox(s, func() {}), 0, time.Now()
	c.wg.Go(func() { c.listen(m, s) })
}

// now is what the coordinator's clock shows.
func (c *Coordinator) now() time.Duration { return time.Since(c.origin) }

// ticks is how far the run is, 0 before it.
func (c *Coordinator) ticks() clock.Time {
	if !c.started {
		return 0
	}
	return max(0, clock.Time((c.now()-c.startAt)/c.cfg.Tick))
}

// Start waits until all processes are there, and lets the run begin after a delay, which should
// be long enough for all of them to hear of it. It returns when that is.
func (c *Coordinator) Start(ctx context.Context, delay time.Duration) (time.Time, error) {
	defer context.AfterFunc(ctx, c.wakeAll)()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.gather(ctx, "joined", func(m *member) bool { return m.state != expected }); err != nil {
		return time.Time{}, err
	}
	if c.cfg.Eager {
		c.broadcast(control{Meet: c.peers()})
		if err := c.gather(ctx, "connected to all others", func(m *member) bool { return m.met || !m.live() }); err != nil {
			return time.Time{}, err
		}
	}
	c.started = true
	c.startAt = c.now() + delay
	for _, m := range c.members {
		if m.live() {
			c.startMember(m)
		}
	}
	if c.cfg.Timeout > 0 {
		c.wg.Go(c.watchSigns)
	}
	return c.origin.Add(c.startAt), nil
}

// gather waits until all processes have done something.
func (c *Coordinator) gather(ctx context.Context, what string, done func(*member) bool) error {
	for {
		missing := slices.IndexFunc(c.members, func(m *member) bool { return !done(m) })
		switch {
		case c.err != nil:
			return c.err
		case missing < 0:
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("tcp: process %d has not %s: %w", missing, what, context.Cause(ctx))
		}
		c.cond.Wait()
	}
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

// peers are all processes, as others see them.
func (c *Coordinator) peers() (all []peer) {
	for _, m := range c.members {
		all = append(all, peer{Address: m.address, Life: m.life, Gone: m.state != joined && m.state != expected})
	}
	return all
}

func (c *Coordinator) wakeAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cond.Broadcast()
}

// startMember tells a process what it must know to begin.
func (c *Coordinator) startMember(m *member) {
	m.heard = time.Now() // it need not have said anything since it joined
	m.out.send(control{Start: &start{
		At: c.startAt, Peers: c.peers(), Failed: c.known, Present: c.present, Version: c.version,
		Detector: c.cfg.Offered, Beat: c.cfg.Timeout / beats, Born: m.born, Counts: m.counts,
	}}.frame())
}

// Until is how long it takes until the clocks of the run show an instant.
func (c *Coordinator) Until(t clock.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.startAt + time.Duration(t)*c.cfg.Tick - c.now()
}

// Hold keeps the run from being over until the function that it returns is called: somebody has
// more to do to it.
func (c *Coordinator) Hold() (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holds++
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.holds--
		c.consider()
	})
}

// Wait returns when the run is over and all reports are there.
func (c *Coordinator) Wait(ctx context.Context) (*Result, error) {
	defer context.AfterFunc(ctx, c.wakeAll)()
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.complete() && ctx.Err() == nil && c.err == nil {
		c.cond.Wait()
	}
	switch {
	case c.err != nil:
		return nil, c.err
	case !c.complete():
		return nil, context.Cause(ctx)
	}
	return c.result(), nil
}

// dismiss says that nobody need be watched any more.
func (c *Coordinator) dismiss() {
	select {
	case <-c.finished:
	default:
		close(c.finished)
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
	c.dismiss()
	c.fail(errors.New("tcp: the coordinator was closed"))
	for _, m := range c.members {
		if m.out != nil {
			m.out.close()
		}
	}
	c.mu.Unlock()
	if c.door != nil {
		c.door.close()
	}
	c.wg.Wait()
	return nil
}
