package tcp

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// How long things take, to the tick: these tests have a clock that moves only when everybody waits.

// slowJob is a job of one process with two ranks, in which everything takes another time.
func slowJob(pace Pace, text string) Job {
	return Job{
		Job: wire.NewJob(), LogP: clock.LogP{Ranks: 2, Latency: 10, Overhead: 6, Gap: 8, PerByte: 1},
		Processes: 1, Tick: time.Second, Pace: pace, Faults: faults.MustParse(text),
	}
}

// onItsOwnClock does something with rank 0 of a process that begins now, and is connected to nobody but a coordinator that says nothing.
func onItsOwnClock(t *testing.T, job Job, do func(t *testing.T, r *rank)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := deafNode(job)
		n.coordinator = newCoordinatorConn(n, silentSession(t, job.Job))
		do(t, n.local(0))
		n.finish(nil)
		n.programs.Wait()
		n.coordinator.out.close()
	})
}

// deafNode is a process that begins now, with all ranks of a job and one of them active. Nobody can connect to it.
func deafNode(job Job) *Node {
	n := &Node{
		cfg: Config{Job: job}, layout: job.layout(), costs: job.Costs(), ways: job.Faults.Links(job.Ranks), links: []*link{{}},
		poke: make(chan struct{}, 1), over: make(chan struct{}), begin: time.Now(), ranks: make([]atomic.Pointer[rank], job.Ranks),
	}
	for id := range n.ranks {
		n.ranks[id].Store(n.newRank(id, 0, 0))
	}
	n.active.Store(1)
	return n
}

// armed has the faults of a rank happen.
func (r *rank) armed() *rank {
	r.node.armFaults(r, r.node.cfg.follow(r.id, faults.History{}))
	return r
}

// arrivals are when messages reached a rank.
func (b *inbox) arrivals() (all []clock.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range append(b.queue, b.coming...) {
		all = append(all, l.at)
	}
	return all
}

func TestSendTakesAsLongAsThePaceSays(t *testing.T) {
	for _, c := range []struct {
		pace     Pace
		faults   string
		returns  []clock.Time // of the two sends
		arrivals []clock.Time
	}{
		{Free, "", []clock.Time{0, 0}, []clock.Time{0, 0}},
		{Free, "slow:0x2@t0", []clock.Time{6, 12}, []clock.Time{6, 12}},
		{Free, "slow:0x3@send2", []clock.Time{0, 12}, []clock.Time{0, 12}},
		{Sends, "", []clock.Time{6, 16}, []clock.Time{6, 16}}, // the port is free at 8 and 2 for the longer message
		{Sends, "slow:0x3@t0", []clock.Time{18, 48}, []clock.Time{18, 48}},
		{Sends, "slow:0x3@send2", []clock.Time{6, 28}, []clock.Time{6, 28}},
		{Model, "", []clock.Time{6, 16}, []clock.Time{18, 28}},
	} {
		t.Run(fmt.Sprint(c.pace, c.faults), func(t *testing.T) {
			onItsOwnClock(t, slowJob(c.pace, c.faults), func(t *testing.T, r *rank) {
				r.armed()
				var returns []clock.Time
				for range 2 {
					r.Send(1, mailbox.Message{Payload: "xyz"})
					returns = append(returns, r.Now())
				}
				require.Equal(t, c.returns, returns)
				require.Equal(t, c.arrivals, r.node.local(1).box.arrivals())
				require.EqualValues(t, 2, r.status.sends)
				if c.pace != Free { // nobody is late without a pace
					require.Zero(t, r.late.most())
				}
			})
		})
	}
}

// A message that leaves later than it was to is late, and one whose last bytes are still in the port has not been sent yet.
func TestRankThatSendsLateIsLate(t *testing.T) {
	onItsOwnClock(t, slowJob(Sends, ""), func(t *testing.T, r *rank) {
		r.post(wire.Frame{Type: wire.Message, Left: 4})
		require.EqualValues(t, 4, r.status.lastSend)
		require.Zero(t, r.late.most())
		r.WaitUntil(9)
		r.post(wire.Frame{Type: wire.Message, Left: 5})
		require.EqualValues(t, 9, r.status.lastSend)
		require.EqualValues(t, 4, r.late.most())
		require.EqualValues(t, 2, r.status.sends)
	})
}

func TestSlowRankReceivesSlowly(t *testing.T) {
	for _, c := range []struct {
		pace   Pace
		faults string
		has    clock.Time // the message that arrives at 2
	}{
		{Free, "", 2}, {Free, "slow:0x2@t0", 8}, {Sends, "slow:0x3@t0", 14}, {Model, "", 8}, {Model, "slow:0x3@t0", 20},
	} {
		t.Run(fmt.Sprint(c.pace, c.faults), func(t *testing.T) {
			onItsOwnClock(t, slowJob(c.pace, c.faults), func(t *testing.T, r *rank) {
				r.armed()
				if c.pace == Model {
					r.box.expect(letter{from: 1, at: 2})
				} else {
					time.AfterFunc(2*time.Second, func() { r.box.receive(letter{from: 1, at: 2}, 0) })
				}
				r.Recv(mailbox.Any)
				require.Equal(t, c.has, r.Now())
				require.Zero(t, r.late.most())
			})
		})
	}
}

// A rank that fails in the middle of a send does so when half of its time has passed.
func TestRankFailsInTheMiddleOfASend(t *testing.T) {
	for _, c := range []struct {
		pace   Pace
		faults string
		exit   clock.Time
	}{
		{Free, "crash:0@send1", 2}, {Free, "slow:0x2@t0,crash:0@send1", 5}, {Sends, "crash:0@send1", 5}, {Model, "hang:0@send1", 5},
		{Sends, "crash:0@send2", 13}, {Sends, "crash:0@before-send2", 10}, {Sends, "crash:0@after-send2", 16},
	} {
		t.Run(fmt.Sprint(c.pace, c.faults), func(t *testing.T) {
			onItsOwnClock(t, slowJob(c.pace, c.faults), func(t *testing.T, r *rank) {
				r.armed()
				r.WaitUntil(2)
				go func() {
					r.Send(1, mailbox.Message{})
					r.Send(1, mailbox.Message{})
					r.Recv(mailbox.Any)
				}()
				time.Sleep(time.Minute)
				synctest.Wait()
				require.Equal(t, c.exit, r.status.exit)
				require.True(t, r.status.outcome.Failed())
			})
		})
	}
}

// A rank that fails while it waits ends at once, and one that hangs does nothing more until the run is over.
func TestRankThatWaitsFailsInTime(t *testing.T) {
	for kind, endsAt := range map[string]time.Duration{"crash": 5 * time.Second, "hang": time.Minute} {
		onItsOwnClock(t, slowJob(Sends, kind+":0@t5"), func(t *testing.T, r *rank) {
			began := time.Now()
			r.armed()
			var ended time.Duration
			go func() {
				defer func() { ended = time.Since(began) }()
				r.WaitUntil(1000)
			}()
			time.Sleep(6 * time.Second)
			synctest.Wait()
			require.EqualValues(t, 5, r.status.exit)
			require.Equal(t, kind == "hang", r.node.active.Load() == 0, "who has gone need not say that it does nothing")
			time.Sleep(54 * time.Second)
			r.node.finish(nil)
			synctest.Wait()
			require.Equal(t, endsAt, ended, kind)
		})
	}
}

func TestRankBeginsWhenTheRunDoes(t *testing.T) {
	onItsOwnClock(t, slowJob(Sends, ""), func(t *testing.T, r *rank) {
		r.node.begin = time.Now().Add(300 * time.Millisecond)
		r.box.receive(letter{from: 1}, 0) // what comes before is no reason to begin
		r.sleepUntilStart()
		require.True(t, time.Now().Equal(r.node.begin))
		require.Zero(t, r.Now())
		require.Zero(t, r.late.most())
	})
}

// A rank that comes back does so when it was to, or later if it failed later.
func TestRankComesBackAfterItHasFailed(t *testing.T) {
	for text, c := range map[string]struct{ failed, back clock.Time }{
		"crash:0@t5,rejoin:0@t9": {5, 9},
		"crash:0@t5,rejoin:0@t6": {5, 6},
		"hang:0@t5,rejoin:0@t9":  {5, 9},
	} {
		onItsOwnClock(t, slowJob(Sends, text), func(t *testing.T, r *rank) {
			n := r.node
			n.active.Store(0)
			r.armed()
			r.retired = true
			r.rest() // it has no program
			lives := make(chan [3]clock.Time, 1)
			n.program.Main = func(p protocols.Proc) {
				back := p.(*rank)
				lives <- [3]clock.Time{p.Now(), back.from, clock.Time(back.life)}
			}
			n.armRejoins()
			require.EqualValues(t, 1, n.active.Load(), "somebody may come back")
			require.Equal(t, [3]clock.Time{c.back, c.back, 1}, <-lives, text)
			synctest.Wait()
			require.Equal(t, c.failed, r.status.exit)
			require.Zero(t, n.active.Load())
			require.Equal(t, report.Finished, n.local(0).status.outcome)
		})
	}
}
