package proctest_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// plain is a second machine to try the suite on, as plain as can be. One rank runs at a
// time: always the one that can go on at the earliest instant, so everything that it could
// have been sent by then is known. When a rank receives what is worked out from scratch
// each time. On request, plain has flaws.
type plain struct {
	clock.LogP
	flaws
	ranks  []*plainRank
	parked chan *plainRank // whoever has stopped running
	random *rand.Rand      // for delays

	seed     uint64
	program  protocols.Program
	schedule faults.Schedule
	links    *faults.Links
	ghosts   map[[2]int]clock.Time // when messages would have arrived last that are lost
	rejoins  []*faults.Fault       // still to come
}

// flaws are what can be wrong inside the machine. The zero flaws are none.
type flaws struct {
	longFlight, shortFlight                    bool // L is a tick more, or less
	instantSends                               bool // o on the sender's side is 0
	noSendGap, noRecvGap, gapPaidTwice         bool
	freeBytes, emptySaves, recvPerByte         bool
	noRecvPort, onePort, portSticks            bool
	tiesBackwards, lowRanksFirst, noOvertaking bool
	blindAtInstant, flowControl, endsWithFirst bool
	lingersUntilIdle                           bool // nobody waits for what is under way to those who linger
	midIsBefore, lateToMiddle, hangIsCrash     bool // a fault in a send happens before it, or not at all
	forgetfulRejoin, hangsForEver              bool
	stubbornSlow, healingRejoin                bool // what the program has slowed down the clock does not, and a rejoin does or not
	oneWayCuts, cutFlights, sendsGoOn          bool
	messageFlaws
	detectorFlaws
	storageFlaws
	jitter clock.Time // everything takes up to so long more; not a flaw where time is real
}

// plainRank is one rank, and the Proc that its program sees.
type plainRank struct {
	m        *plain
	id       int
	now      clock.Time
	sendFree clock.Time
	random   *rand.Rand
	mail     []*post // all that was ever sent to it, in the order in which it is received

	until   clock.Time   // it waits until then
	want    mailbox.Want // or for such a message
	next    *post        // the first such message so far
	wake    clock.Time   // so that it can go on then
	found   *post
	resume  chan bool // false ends it
	lingers bool      // it has finished if it waits for ever
	done    bool
	err     error

	tracker  *faults.Tracker // nil if it has no faults
	stubborn clock.Time      // the last factor that its program has brought about
	kept     *plainDisk
	late     *faults.Scheduled // it strikes in the next operation of storage
	result   report.RankResult
}

// post is a message under way, received or taken.
type post struct {
	from, life        int // of its sender
	sent              clock.Time
	arrival, received clock.Time
	message           mailbox.Message
	again             bool // it is not the first time
	taken             bool
}

// run runs a program on a machine with these flaws.
func (f flaws) run(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error) {
	m := &plain{LogP: params, flaws: f, parked: make(chan *plainRank), random: rand.New(rand.NewPCG(7, 7)), seed: seed, program: program}
	for id := range params.Ranks {
		r := &plainRank{m: m, id: id, resume: make(chan bool), random: rand.New(rand.NewPCG(seed, uint64(id)))}
		r.end(report.Deadlocked, clock.Never)
		m.ranks = append(m.ranks, r)
	}
	m.arm(schedule)
	for _, r := range m.ranks {
		go r.main(program)
		<-m.parked
	}
	waiting := m.advance()
	for _, r := range waiting {
		r.resume <- false
		<-m.parked
	}
	var failed []error
	for _, r := range m.ranks {
		failed = append(failed, r.err)
	}
	rep := m.report()
	for _, r := range waiting {
		if !r.lingers && !f.endsWithFirst {
			rep.Deadlocks = append(rep.Deadlocks, report.Deadlock{Rank: r.id, Want: r.want.Describe(nil)})
		}
	}
	return rep, errors.Join(failed...)
}

// advance lets ranks run until all are done or none can go on, and returns the latter.
func (m *plain) advance() []*plainRank {
	for {
		next, waiting, idle := m.next()
		wake := clock.Never
		if next != nil {
			wake = next.wake
		}
		switch {
		case len(m.rejoins) > 0 && m.rejoins[0].At.Time <= wake:
			m.rejoin()
		case wake == clock.Never, m.endsWithFirst && waiting < m.Ranks, m.lingersUntilIdle && idle:
			return slices.DeleteFunc(slices.Clone(m.ranks), func(r *plainRank) bool { return r.done })
		default:
			next.goOn()
		}
	}
}

// next is the rank that can go on first, how many wait, and whether all of them linger.
func (m *plain) next() (next *plainRank, waiting int, idle bool) {
	idle = true
	for _, r := range m.ranks {
		if r.done {
			continue
		}
		waiting++
		idle = idle && r.lingers
		if next == nil || r.wake < next.wake {
			next = r
		}
	}
	return next, waiting, idle
}

// look works out when the rank can go on, as far as is known.
func (r *plainRank) look() {
	r.next = r.first()
	r.wake = r.until
	if r.next != nil {
		r.wake = min(r.wake, r.next.received)
	}
	r.wake = max(r.now, min(r.wake, r.stopsAt()))
}

// goOn lets the rank run until it parks again.
func (r *plainRank) goOn() {
	t, p := r.wake, r.next
	if r.stopsAt() <= t {
		r.fail(r.tracker.FirstFailure(), t)
		r.resume <- false
		<-r.m.parked
		return
	}
	r.found = nil
	if p != nil && p.received <= t && !(r.m.blindAtInstant && r.until == t && p.received == t) {
		r.found = p
		p.taken = true
	}
	r.now = t + r.m.delay()
	r.resume <- true
	<-r.m.parked
}

// delay is what a machine on real time adds now and then.
func (m *plain) delay() clock.Time {
	return clock.Time(m.random.Int64N(int64(m.jitter) + 1))
}

// first is the first message that the rank wants and has not taken, received or not.
func (r *plainRank) first() *post {
	for _, p := range r.mail {
		if !p.taken && r.want.Accepts(p.from, p.message.Kind, p.message.Epoch) {
			return p
		}
	}
	return nil
}

// receive works out when each message is received.
func (m *plain) receive(r *plainRank) {
	slices.SortStableFunc(r.mail, m.order)
	free := clock.Time(-1)
	for _, p := range r.mail {
		start := max(p.arrival, free)
		switch {
		case m.noRecvPort:
			start = p.arrival
		case m.onePort:
			start = max(start, r.sendFree)
		case m.portSticks && p.arrival <= free:
			start = free + 1
		}
		p.received = start + m.Overhead*r.factorAt(start)
		free = start + max(m.Overhead, m.Gap)*r.factorAt(start)
		if m.noRecvGap {
			free = p.received
		}
		if m.recvPerByte {
			free += m.stretch(p.message)
		}
	}
}

// order is the order in which messages are received.
func (m *plain) order(a, b *post) int {
	byRank := cmp.Compare(a.from, b.from)
	switch {
	case m.tiesBackwards:
		byRank = -byRank
	case m.lowRanksFirst:
		return byRank
	case m.noOvertaking:
		return cmp.Compare(a.sent, b.sent)
	}
	return cmp.Or(cmp.Compare(a.arrival, b.arrival), byRank)
}

// stretch is what bytes cost.
func (m *plain) stretch(msg mailbox.Message) clock.Time {
	switch {
	case m.freeBytes:
		return 0
	case m.emptySaves:
		return clock.Time(len(msg.Payload)-1) * m.PerByte
	}
	return clock.Time(max(1, len(msg.Payload))-1) * m.PerByte
}

// main runs the program on the rank's goroutine.
func (r *plainRank) main(program protocols.Program) {
	defer func() {
		if p := recover(); p != nil {
			r.err = fmt.Errorf("rank %d panicked: %v", r.id, p)
		}
		r.done = true
		r.m.parked <- r
	}()
	r.waitOn(0)
	program.Main(r)
	r.end(report.Finished, r.now)
}

// waitOn waits for an instant.
func (r *plainRank) waitOn(t clock.Time) { r.wait(t, mailbox.None) }

// wait parks the rank until t or until there is a wanted message, which it returns.
func (r *plainRank) wait(t clock.Time, want mailbox.Want) *post {
	r.until, r.want = t, want
	r.look()
	r.m.parked <- r
	if !<-r.resume {
		runtime.Goexit()
	}
	return r.found
}

func (r *plainRank) Rank() int              { return r.id }
func (r *plainRank) Size() int              { return len(r.m.ranks) }
func (r *plainRank) Now() clock.Time        { return r.now }
func (r *plainRank) Rand() *rand.Rand       { return r.random }
func (r *plainRank) WaitUntil(t clock.Time) { r.waitOn(t) }

func (r *plainRank) Step(name string) {
	if r.tracker != nil {
		r.tracker.Passed(name)
	}
	r.passPoint(faults.AtStep, name)
}

func (r *plainRank) Send(to int, msg mailbox.Message) {
	m := r.m
	start := max(r.now, r.sendFree)
	if m.gapPaidTwice && r.sendFree > 0 {
		start = r.now + max(0, m.Gap-m.Overhead)
	}
	r.waitOn(start)
	start = r.now
	if m.flowControl && m.unread(to) > 64 {
		r.waitOn(clock.Never)
	}
	r.passPoint(faults.BeforeSend, "")
	r.passMiddle()
	factor := r.factorAt(start)
	end := start + m.Overhead*factor
	if r.stopsAt() < end && !m.sendsGoOn {
		r.waitOn(end) // it will not get there
	}
	left := end + m.stretch(msg)*factor
	r.sendFree = start + max(m.Overhead, m.Gap)*factor + m.stretch(msg)*factor
	if m.noSendGap {
		r.sendFree = left
	}
	if !m.instantSends {
		r.now = end
	}
	r.carry(to, left, post{from: r.id, life: r.Life(), sent: start, message: msg})
	if r.now < r.stopsAt() {
		r.passPoint(faults.AfterSend, "")
	}
}

// flight is how long a message is under way.
func (m *plain) flight() clock.Time {
	switch {
	case m.longFlight:
		return m.Latency + 1
	case m.shortFlight:
		return m.Latency - 1
	}
	return m.Latency + m.delay()
}

func (m *plain) unread(rank int) int {
	n := 0
	for _, p := range m.ranks[rank].mail {
		if !p.taken {
			n++
		}
	}
	return n
}

// handed is what happens to a message before the program gets it.
func (r *plainRank) handed(p *post) (int, mailbox.Message) {
	if r.tracker != nil {
		r.tracker.Received()
	}
	r.passPoint(faults.AtRecv, "")
	return p.from, p.message
}

func (r *plainRank) Recv(want mailbox.Want) (int, mailbox.Message) {
	return r.handed(r.wait(clock.Never, want))
}

func (r *plainRank) Linger(want mailbox.Want) (int, mailbox.Message) {
	r.lingers = true
	from, m := r.Recv(want)
	r.lingers = false
	return from, m
}

func (r *plainRank) RecvUntil(want mailbox.Want, t clock.Time) (int, mailbox.Message, bool) {
	if p := r.wait(t, want); p != nil {
		from, m := r.handed(p)
		return from, m, true
	}
	return 0, mailbox.Message{}, false
}

func (r *plainRank) Poll(want mailbox.Want) (int, mailbox.Message, bool) {
	return r.RecvUntil(want, r.now)
}
