package emu_test

import (
	"cmp"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// reference is a slow and obvious machine: it goes from instant to instant and lets one
// rank act at a time. It knows nothing of windows, workers, cells or settling.
type reference struct {
	logp       clock.LogP
	disk       clock.Disk
	network    clock.Network
	ranks      []*refRank
	arrivals   []refArrival
	bottleneck refSwitch
	now        clock.Time
	sent       int
	schedule   faults.Schedule
	unordered  bool
	jitter     clock.Jitter
	noise      *clock.Noise
	seed       uint64
	arrived    map[[2]int]clock.Time // by sender and receiver, when the last message of a link does
	events     []report.Event
	quiescence clock.Time
	detector   refDetectorState
}

type refArrival struct {
	at       clock.Time
	from, to int
	order    int
	msg      mailbox.Message
}

type refReceived struct {
	start, at clock.Time // of the receive, and its end
	from      int
	msg       mailbox.Message
}

// refRank is a rank of the reference machine. Its goroutine and the machine's take turns.
type refRank struct {
	m        *reference
	id       int
	random   *rand.Rand
	seed     uint64
	faults   []faults.Fault
	slow     []faults.Fault // slow-downs in effect, with the time they took effect
	resume   chan bool      // false ends the goroutine
	yield    chan struct{}
	now      clock.Time
	sendFree clock.Time
	recvFree clock.Time
	inPort   []refArrival  // arrived, receive not started
	receives []refReceived // receive under way
	mailbox  []refReceived
	sends    int
	takes    int
	steps    map[string]int
	deadAt   clock.Time
	stopped  bool // its program has ended in whatever way
	failed   bool
	lives    int
	storage  *refStorage
	upSince  clock.Time            // when its present life began
	fired    map[faults.Fault]bool // those that are tied to the program and ended a life
	program  protocols.Program
	suspect  clock.Time // since when it is suspected, or will be
	lingers  bool       // it waits in Linger
	waits    bool       // it waited for ever

	// What the rank waits for: the instant, or a message that want accepts.
	until clock.Time
	want  mailbox.Want
}

func runReference(cfg emu.Config, program protocols.Program, opts emu.Options) *reference {
	m := &reference{
		logp: cfg.LogP, disk: cfg.Disk, network: cfg.Network, now: -1,
		schedule: opts.Faults, unordered: cfg.Unordered, jitter: cfg.Jitter, noise: cfg.Noise, seed: opts.Seed, arrived: make(map[[2]int]clock.Time),
	}
	if m.network == nil {
		m.network = clock.Uniform(cfg.Latency)
	}
	for id := range cfg.Ranks {
		r := &refRank{
			m: m, id: id, random: rand.New(rand.NewPCG(opts.Seed, uint64(id))),
			resume: make(chan bool), yield: make(chan struct{}),
			steps: make(map[string]int), fired: make(map[faults.Fault]bool), want: mailbox.None,
			upSince: -1, program: program, seed: opts.Seed,
		}
		r.storage = &refStorage{r: r, safe: make(map[string]*string)}
		for _, f := range opts.Faults {
			if f.Rank == id && f.Right == "" {
				r.faults = append(r.faults, f)
			}
		}
		r.deadAt = r.nextOnTime(faults.Crash)
		m.ranks = append(m.ranks, r)
		go r.main(program)
	}
	m.startDetector(cfg.Detection)
	for m.instant() {
	}
	m.finishLingering()
	for _, r := range m.ranks {
		if !r.stopped {
			r.stopped = true
			r.resume <- false
			<-r.yield
		}
	}
	m.crashLate()
	slices.SortStableFunc(m.events, report.CompareEvents)
	return m
}

// crashLate notes crashes of ranks whose program had ended before, if anything was still
// going on then.
func (m *reference) crashLate() {
	last := m.quiescence
	crashed := make(map[int]bool)
	for _, e := range m.events {
		switch e.Kind {
		case report.EventExit, report.EventHang, report.EventCrash:
			last = max(last, e.Time)
			crashed[e.Rank] = e.Kind == report.EventCrash
		}
	}
	for _, r := range m.ranks {
		if ended, ok := crashed[r.id]; ok && !ended && r.deadAt <= last {
			m.note(r.deadAt, r.id, report.EventCrash, -1, mailbox.Message{})
			r.crashedLate()
		}
	}
}

// instant handles the next instant at which something happens; false if there is none.
func (m *reference) instant() bool {
	t := min(m.bottleneck.nextInstant(), m.nextDetection())
	for _, a := range m.arrivals {
		t = min(t, a.at)
	}
	for _, r := range m.ranks {
		t = min(t, r.nextInstant(), r.nextRejoin())
	}
	if t == clock.Never {
		return false
	}
	m.now = t
	m.pass()
	for _, r := range m.ranks {
		r.rejoin()
	}
	m.detect()
	m.arrive()
	for _, r := range m.ranks {
		r.serve()
	}
	for _, r := range m.ranks {
		r.stopByClock()
		for !r.stopped && r.ready() {
			r.resume <- true
			<-r.yield
		}
	}
	return true
}

// nextInstant is when this rank next needs attention.
func (r *refRank) nextInstant() clock.Time {
	t := clock.Never
	if len(r.inPort) > 0 {
		t = min(t, max(r.inPort[0].at, r.recvFree))
	}
	if len(r.receives) > 0 {
		t = min(t, r.receives[0].at)
	}
	if len(r.inPort)+len(r.receives) > 0 {
		t = min(t, r.deadAt)
	}
	if r.stopped {
		return t
	}
	return max(r.m.now, min(t, r.until, r.stopTime()))
}

// stopTime is when the clock stops the program.
func (r *refRank) stopTime() clock.Time {
	return min(r.nextOnTime(faults.Crash), r.nextOnTime(faults.Hang))
}

// nextOnTime is the first instant of this life for which a fault is scheduled.
func (r *refRank) nextOnTime(kind faults.Kind) clock.Time {
	t := clock.Never
	for _, f := range r.faults {
		if f.At.Anchor == faults.AtTime && f.Kind == kind && f.At.Time > r.upSince {
			t = min(t, f.At.Time)
		}
	}
	return t
}

// arrive moves what arrives now into the receivers' ports.
func (m *reference) arrive() {
	slices.SortStableFunc(m.arrivals, func(a, b refArrival) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from), cmp.Compare(a.order, b.order))
	})
	for len(m.arrivals) > 0 && m.arrivals[0].at == m.now {
		a := m.arrivals[0]
		m.arrivals = m.arrivals[1:]
		m.busy(a.at, a.msg)
		r := m.ranks[a.to]
		if r.deadAt < m.now {
			m.lose(r, a.from, a.msg)
			continue
		}
		r.inPort = append(r.inPort, a)
	}
}

// serve ends and starts receives.
func (r *refRank) serve() {
	now := r.m.now
	for {
		switch {
		case len(r.receives) > 0 && r.receives[0].at <= now:
			d := r.receives[0]
			r.receives = r.receives[1:]
			r.m.busy(d.at, d.msg)
			r.mailbox = append(r.mailbox, d)
			r.m.note(now, r.id, receipt(d.msg), d.from, d.msg)
		case len(r.inPort) > 0 && max(r.inPort[0].at, r.recvFree) <= now && r.deadAt > now:
			a := r.inPort[0]
			r.inPort = r.inPort[1:]
			costs := r.costsWith(a.from, a.msg, now)
			r.recvFree = now + costs.Receiving
			r.receives = append(r.receives, refReceived{start: now, from: a.from, msg: a.msg})
			r.endReceive(len(r.receives)-1, costs)
		default:
			if r.deadAt == now {
				r.die()
			}
			return
		}
	}
}

// die loses what is in the receive port.
func (r *refRank) die() {
	for _, d := range r.receives {
		if d.start < r.m.now {
			r.m.busy(r.m.now, d.msg)
		}
		r.m.lose(r, d.from, d.msg)
	}
	for _, a := range r.inPort {
		r.m.lose(r, a.from, a.msg)
	}
	r.receives, r.inPort = nil, nil
}

// costsWith are those of receiving a message. Notices of the detector cost as little as messages can.
func (r *refRank) costsWith(from int, msg mailbox.Message, t clock.Time) clock.Costs {
	n, ok := r.m.network.(clock.Nodes)
	if msg.Kind != protocols.Failed || !ok {
		return r.costs(from, t)
	}
	if n.Inside.Overhead < r.m.logp.Overhead {
		return r.costs(r.id, t)
	}
	return r.costs(-1, t)
}

// blockOf are the ranks that share a node with a rank, itself among them.
func blockOf(n clock.Nodes, rank int) (all []int) {
	for node := range n.Nodes {
		all = all[:0]
		for r := range n.Ranks {
			if node*n.Ranks <= r*n.Nodes && r*n.Nodes < (node+1)*n.Ranks {
				all = append(all, r)
			}
		}
		if slices.Contains(all, rank) {
			break
		}
	}
	return all
}

// costs of an operation with another rank that starts at t.
func (r *refRank) costs(peer int, t clock.Time) clock.Costs {
	logp := r.m.logp
	if n, ok := r.m.network.(clock.Nodes); ok && peer >= 0 && slices.Contains(blockOf(n, r.id), peer) {
		logp.Overhead = n.Inside.Overhead
	}
	costs := logp.Costs()
	from := clock.Time(-1)
	for _, f := range slices.Concat(r.faults, r.slow) {
		timed := f.At.Anchor == faults.AtTime && f.Kind == faults.Slow
		if timed && f.At.Time <= t && f.At.Time >= from {
			costs, from = logp.Costs().Times(f.Factor), f.At.Time
		}
	}
	return r.inNoise(t, costs)
}

// stopByClock lets a crash or hang of this instant take effect.
func (r *refRank) stopByClock() {
	if f, found := r.byClock(r.m.now); found && !r.stopped {
		r.fail(f)
		r.stopped = true
		r.resume <- false
		<-r.yield
	}
}

// fail notes the failure of the rank now.
func (r *refRank) fail(f faults.Fault) {
	r.failed = true
	event := report.EventHang
	if f.Kind == faults.Crash || r.deadAt <= r.m.now {
		event = report.EventCrash
		r.deadAt = min(r.deadAt, r.m.now)
		r.die()
	}
	if event == report.EventCrash || r.m.detector.Hangs {
		r.fall()
	}
	r.m.note(r.m.now, r.id, event, -1, mailbox.Message{})
	r.storage.fail(f, r.m.now)
}

func (r *refRank) ready() bool {
	if r.until <= r.m.now {
		return true
	}
	return slices.ContainsFunc(r.mailbox, func(d refReceived) bool { return r.want.Accepts(d.from, d.msg.Kind, d.msg.Epoch) })
}

func (m *reference) note(t clock.Time, rank int, kind report.EventKind, peer int, msg mailbox.Message) {
	m.events = append(m.events, report.Event{Time: t, Rank: rank, Kind: kind, Peer: peer, Msg: msg.Kind, Epoch: msg.Epoch, A: msg.A})
}

// main runs the program on the rank's own goroutine.
func (r *refRank) main(program protocols.Program) {
	defer func() { r.yield <- struct{}{} }()
	if !<-r.resume {
		return
	}
	program.Main(r)
	r.wait(r.now, mailbox.None)
	r.stopped = true
	r.m.note(r.now, r.id, report.EventExit, -1, mailbox.Message{})
}

// wait lets the machine go on until the instant, or a message that want accepts.
func (r *refRank) wait(until clock.Time, want mailbox.Want) {
	r.until, r.want = until, want
	r.yield <- struct{}{}
	if !<-r.resume {
		runtime.Goexit()
	}
	r.now = r.m.now
}

// stop ends the program from within.
func (r *refRank) stop() {
	r.stopped = true
	runtime.Goexit()
}

// strike applies faults tied to a point of the program.
func (r *refRank) strike(anchor faults.Anchor, step string, n int) {
	for _, f := range r.faults {
		if f.At.Anchor == anchor && f.At.Step == step && f.At.N == n && !r.fired[f] {
			r.fired[f] = true
			r.suffer(f)
		}
	}
}

func (r *refRank) suffer(f faults.Fault) {
	if f.Kind != faults.Slow {
		r.fail(f)
		r.stop()
	}
	if r.m.detector.Slow {
		r.fall()
	}
	r.m.note(r.now, r.id, report.EventSlow, -1, mailbox.Message{A: int64(f.Factor)})
	r.slow = append(r.slow, faults.Fault{Kind: faults.Slow, Factor: f.Factor, At: faults.OnTime(r.now)})
	r.restartReceive()
}

// restartReceive charges a receive again that started at the instant of a slow-down, which
// counts from that instant on.
func (r *refRank) restartReceive() {
	for i := range r.receives {
		if r.receives[i].start == r.now {
			costs := r.costsWith(r.receives[i].from, r.receives[i].msg, r.now)
			r.endReceive(i, costs)
			r.recvFree = r.now + costs.Receiving
		}
	}
}

// endReceive says when a receive ends: in its time, but not before an earlier one.
func (r *refRank) endReceive(i int, costs clock.Costs) {
	d := &r.receives[i]
	d.at = d.start + costs.Overhead
	if i > 0 {
		d.at = max(d.at, r.receives[i-1].at)
	}
}

func (r *refRank) Rank() int        { return r.id }
func (r *refRank) Size() int        { return len(r.m.ranks) }
func (r *refRank) Now() clock.Time  { return r.now }
func (r *refRank) Rand() *rand.Rand { return r.random }

func (r *refRank) Step(name string) {
	r.wait(r.now, mailbox.None)
	r.m.events = append(r.m.events, report.Event{Time: r.now, Rank: r.id, Kind: report.EventStep, Peer: -1, Step: name})
	r.steps[name]++
	r.strike(faults.AtStep, name, r.steps[name])
}

func (r *refRank) WaitUntil(t clock.Time) { r.wait(max(t, r.now), mailbox.None) }

func (r *refRank) Send(to int, msg mailbox.Message) {
	r.wait(max(r.now, r.sendFree), mailbox.None)
	n, start := r.sends+1, r.now
	r.strike(faults.BeforeSend, "", n)
	for _, f := range r.faults {
		if f.At != faults.DuringNthSend(n) || f.Kind > faults.Mend || r.fired[f] {
			continue
		}
		if f.Kind != faults.Slow {
			r.m.note(start, r.id, report.EventSendLost, to, msg)
			middle := start + r.costs(to, start).Overhead/2
			r.m.quiescence = max(r.m.quiescence, min(middle, r.stopTime()))
			r.wait(middle, mailbox.None)
			r.fired[f] = true
			r.fail(f)
			r.stop()
		}
		r.fired[f] = true
		r.suffer(f)
	}
	costs := r.costs(to, start)
	stretch := costs.Stretch(msg.Bytes())
	r.sendFree = start + costs.Spacing + stretch
	end := start + costs.Overhead
	if stop := r.stopTime(); stop < end {
		r.m.note(start, r.id, report.EventSendLost, to, msg)
		r.m.quiescence = max(r.m.quiescence, stop)
		r.wait(end, mailbox.None) // it will not get there
	}
	r.m.note(start, r.id, report.EventSend, to, msg)
	r.carry(to, end+stretch, msg)
	r.sends++
	r.now = end
	if r.hasPoint(faults.AfterNthSend(n)) {
		r.wait(end, mailbox.None)
		r.strike(faults.AfterSend, "", n)
	}
}

func (r *refRank) hasPoint(p faults.Point) bool {
	return slices.ContainsFunc(r.faults, func(f faults.Fault) bool { return f.At == p })
}

func (r *refRank) Recv(want mailbox.Want) (int, mailbox.Message) {
	from, msg, _ := r.RecvUntil(want, clock.Never)
	return from, msg
}

func (r *refRank) Poll(want mailbox.Want) (int, mailbox.Message, bool) {
	return r.RecvUntil(want, r.now)
}

func (r *refRank) RecvUntil(want mailbox.Want, t clock.Time) (int, mailbox.Message, bool) {
	if r.now > r.m.now || t <= r.now {
		r.wait(max(r.now, min(t, r.now)), mailbox.None) // let this instant's deliveries come first
	}
	for {
		for i, d := range r.mailbox {
			if want.Accepts(d.from, d.msg.Kind, d.msg.Epoch) {
				r.takes++
				r.strike(faults.AtRecv, "", r.takes)
				r.mailbox = slices.Delete(r.mailbox, i, i+1)
				r.m.note(r.now, r.id, report.EventTake, d.from, d.msg)
				return d.from, d.msg, true
			}
		}
		if r.now >= t {
			return 0, mailbox.Message{}, false
		}
		r.wait(t, want)
	}
}
