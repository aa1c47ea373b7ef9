package emu

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// rank is one rank of the machine, and the Proc its program sees.
//
// Two cache lines, owned in turn: by the rank's goroutine while it runs, by the worker
// that has it in hand while it is parked. The channel of its mailbox passes it on.
type rank struct {
	m     *Machine
	now   clock.Time // its own clock
	limit clock.Time // the end of the window it was released into
	// stopAt is when its program stops by schedule; never for a rank without faults, and
	// unreceived or gone for one that must not act at all.
	stopAt clock.Time
	send   clock.SendPort
	recv   clock.RecvPort
	box    mailbox.Mailbox[cells.List]
	queue  cells.List // handed over, not yet read

	want     mailbox.Want  // what it accepts while parked
	arrived  cells.List    // received while parked, not yet handed over
	pending  cells.Ref     // under way, but beyond the horizon of the window; sorted
	reserve  cells.Reserve // cells for its next sends
	id       int32
	stalled  int32  // calls since its clock last advanced
	sends    uint32 // completed
	worker   uint16 // who released it
	state    state
	call     call
	faulty   bool   // extra.faults is set
	coloured bool   // it has received something
	resting  bool   // its program has returned and its goroutine waits for the next run
	extra    *extra // what most ranks do without
}

// extra holds what only some ranks need.
type extra struct {
	faults  *faultState
	storage *storage
	events  []report.Event
	lost    report.Losses // messages of it that were lost on their way
	looked  bool          // at its clock, and it is on the record
	told    int           // of how many failures, and it is on the record
}

type state uint8

const (
	dormant  state = iota // its program has not been started
	alive                 // running or parked
	finished              // its program has returned
	crashed
	hung
	ended // by the machine, because the run is over
)

// Instants before all others make the checks on the common path fail for ranks that
// need a closer look.
const (
	unreceived clock.Time = math.MinInt64     // started by a message it has not received yet
	gone       clock.Time = math.MinInt64 + 1 // failed or ended; deferred functions may still call
)

var _ protocols.Proc = (*rank)(nil)

func (r *rank) Rank() int { return int(r.id) }
func (r *rank) Size() int { return r.m.cfg.Ranks }

// place is where the rank is among those of its part.
func (r *rank) place() int { return int(r.id) - r.m.block.First }

// Now counts as a call without progress: a loop around it would never end.
func (r *rank) Now() clock.Time {
	r.stall()
	if r.m.deciding {
		r.lookAtClock()
	}
	return r.now
}

// Rand returns the rank's random stream.
func (r *rank) Rand() *rand.Rand { return r.m.random.of(r.place(), int(r.id), r.m.seed) }

func (r *rank) more() *extra {
	if r.extra == nil {
		r.extra = new(extra)
	}
	return r.extra
}

// Step passes a named point.
func (r *rank) Step(name string) {
	r.reach(r.now, callStep)
	r.stall()
	if r.m.tracing {
		r.recordStep(name)
	}
	if r.faulty {
		r.atStep(name)
	}
}

// WaitUntil lets time pass.
func (r *rank) WaitUntil(t clock.Time) {
	if t <= r.now {
		r.stall()
	}
	r.reach(max(t, r.now), callWait)
	if r.m.deciding {
		r.decide(report.EventWait, 0)
	}
}

// Send puts a message under way. It may have to wait for its port, which is why the rest
// of the work is elsewhere: a rank that parks here should not have a large frame.
func (r *rank) Send(to int, msg mailbox.Message) {
	if uint(to) >= uint(r.m.cfg.Ranks) {
		panicNoSuchRank(to, r.m.cfg.Ranks)
	}
	if msg.Kind == protocols.Failed {
		panicNotice()
	}
	r.reach(r.send.Start(r.now), callSend)
	r.transmit(to, &msg)
}

// transmit sends a message now.
func (r *rank) transmit(to int, msg *mailbox.Message) {
	m, start := r.m, r.now
	costs := m.costsOf(int(r.id), to)
	if r.faulty {
		costs = r.beforeSend(to, msg, costs)
	}
	resumed, left := r.occupySend(start, msg.Bytes(), costs)
	if resumed > r.stopAt {
		r.failInSend(to, msg, r.stopAt)
	}
	if m.tracing {
		r.recordSend(report.EventSend, start, to, msg)
	}
	if r.faulty || m.ways.links.Concern(int(r.id), to) {
		r.carry(to, left, msg)
	} else {
		r.post(to, r.arrival(to, left), msg, false)
	}
	r.now, r.stalled = resumed, 0
	r.sends++
	if r.faulty {
		r.afterSend()
	}
}

// occupySend begins a send, and returns when it ends and when the message leaves.
func (r *rank) occupySend(start clock.Time, bytes int, costs *clock.Costs) (resumed, left clock.Time) {
	if r.m.cfg.Noise != nil {
		return r.sendInNoise(start, bytes, costs)
	}
	return r.send.Send(start, bytes, costs)
}

// post puts a message under way that arrives then, if neither a bottleneck nor others on its link hold it up. It may be one that
// arrives again.
func (r *rank) post(to int, arrival clock.Time, msg *mailbox.Message, again bool) {
	m := r.m
	if m.deciding {
		r.underWay(to, arrival)
	}
	if m.abroad != nil && r.postAbroad(to, arrival, msg, again) {
		return
	}
	ref := r.cell()
	c := m.store.Put(ref, r.id, arrival, msg)
	c.Again = again
	if m.bottleneck != nil {
		m.bottleneck.gather(to, ref, c)
		return
	}
	m.out.push(to-m.block.First, ref, c)
	m.workers[r.worker].expect(arrival)
}

// panicNotice stays out of Send, whose frame is to be small.
//
//go:noinline
func panicNotice() {
	panic(fmt.Sprintf("protocols: Send of kind %d, which failure detectors keep to themselves; want 0 to %d", protocols.Failed, protocols.Failed-1))
}

func panicNoSuchRank(to, size int) {
	panic(fmt.Sprintf("protocols: Send to rank %d, want 0 to %d", to, size-1))
}

// latency is how long a message is under way; most machines are uniform.
func (m *Machine) latency(from, to int) clock.Time {
	if m.uniform != 0 {
		return m.uniform
	}
	return m.askNetwork(from, to)
}

// askNetwork makes sure that the network keeps its promises, on which windows rely.
func (m *Machine) askNetwork(from, to int) clock.Time {
	latency := m.pairLatency(from, to)
	if latency < m.least || latency > clock.MaxCost {
		m.panicLatency(from, to, latency)
	}
	return latency
}

// panicLatency stays out of the small frames below which networks compute.
//
//go:noinline
func (m *Machine) panicLatency(from, to int, latency clock.Time) {
	panic(fmt.Sprintf("emu: network latency from %d to %d = %d ticks, want MinLatency = %d to %d", from, to, latency, m.least, clock.MaxCost))
}

// cell returns a free cell.
func (r *rank) cell() cells.Ref {
	if r.reserve.Empty() {
		r.m.workers[r.worker].pool.Refill(&r.reserve)
	}
	return r.reserve.Take(r.m.store)
}

// recycle keeps a cell for the rank's next send, or gives cells back if it receives much
// more than it sends.
func (r *rank) recycle(ref cells.Ref) {
	if r.reserve.Put(r.m.store, ref, r.m.reserved) {
		r.m.workers[r.worker].pool.GiveBack(r.reserve.Drain(r.m.store))
	}
}

// reach moves the rank's clock to t, which may take it over several windows, or to its
// end if that comes first.
func (r *rank) reach(t clock.Time, c call) {
	for t >= r.limit || t >= r.stopAt {
		if r.mustPark(t, c) {
			r.park(t, c, mailbox.None)
		}
	}
	if t > r.now {
		r.now, r.stalled = t, 0
	}
}

// mustPark looks closer at a rank that cannot act at t as things stand. It does not
// return if the rank's end comes first.
func (r *rank) mustPark(t clock.Time, c call) bool {
	switch {
	case r.stopAt == unreceived:
		r.mayReceive(c)
		return false
	case r.stopAt == gone:
		exit()
	case r.stopAt <= t && r.stopAt < r.limit:
		r.stopByClock(max(r.now, r.stopAt))
	}
	return true
}

// mayReceive lifts the ban on a rank that was started by its first message. Its program
// began at time 0, so anything but waiting for that message would be in the past.
func (r *rank) mayReceive(c call) {
	if c != callRecv && c != callLinger {
		panic(fmt.Sprintf("protocols: rank %d is not among the program's initiators, so it must begin with Recv, not %s", r.id, c))
	}
	r.stopAt = clock.Never
	if r.faulty {
		r.stopAt = r.extra.faults.StopsAt()
	}
}

// stall counts a call that takes no time, and ends a rank that makes nothing else.
func (r *rank) stall() {
	r.stalled++
	if int(r.stalled) > r.m.cfg.StepLimit {
		r.m.fail(&StepLimitError{Rank: int(r.id), Time: r.now, Limit: r.m.cfg.StepLimit})
		r.end()
	}
}
