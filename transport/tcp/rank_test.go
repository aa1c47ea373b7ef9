package tcp

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// aRank is one whose process has one active rank, and whose clock shows an instant for an hour.
func aRank(t *testing.T, now clock.Time) *rank {
	t.Helper()
	job := pairOfProcesses()
	job.Tick = time.Hour
	n := listening(t, Config{Job: job})
	n.begin = time.Now().Add(-time.Duration(now)*time.Hour - 10*time.Minute)
	n.active.Store(1)
	return n.local(0)
}

// in runs something in a goroutine of its own, which it may end, and says whether it has returned.
func in(f func()) (returned bool) {
	var wg sync.WaitGroup
	wg.Go(func() { f(); returned = true })
	wg.Wait()
	return returned
}

// A process is idle if all its ranks wait for nothing but messages, or have ended. Each counts once.
func TestRankThatOnlyWaitsForMessagesIsIdle(t *testing.T) {
	for name, c := range map[string]struct {
		call     string
		forever  bool
		willFail bool
		idle     bool
	}{
		"for ever":             {"Recv", true, false, true},
		"until some time":      {"Recv", false, false, false},
		"until it fails":       {"Recv", true, true, false},
		"lingers":              {lingering, true, false, true},
		"lingers for a while":  {lingering, false, false, false},
		"lingers, and may die": {lingering, true, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := aRank(t, 0)
			r.willFail.Store(c.willFail)
			r.park(c.call, mailbox.Any, 7, c.forever)
			require.Equal(t, waiting{c.call, mailbox.Any, 7}, r.box.waiting)
			require.Equal(t, c.idle, r.node.active.Load() == 0)
			require.Equal(t, c.idle, len(r.node.poke) == 1)
			r.box.receive(letter{}, 0)
			require.EqualValues(t, 1, r.node.active.Load(), "it has something to do")
			r.box.receive(letter{}, 0)
			require.EqualValues(t, 1, r.node.active.Load(), "that is woken once")
			r.park(c.call, mailbox.Any, 7, c.forever)
			r.retire()
			r.retire()
			require.Zero(t, r.node.active.Load())
			r.box.receive(letter{}, 0)
			require.Zero(t, r.node.active.Load(), "nothing wakes it any more")
		})
	}
}

// What comes for a rank that has finished is counted and thrown away, and for one that is closed not even that.
func TestInboxOfARankThatHasEnded(t *testing.T) {
	b := newInbox(func() {})
	b.receive(letter{at: 5}, 0)
	b.abandon()
	require.Empty(t, b.received())
	b.receive(letter{at: 9}, 0)
	b.expect(letter{at: 11})
	require.Empty(t, b.received())
	b.receiveAll(&instantly)
	first, last := b.span()
	require.Equal(t, []clock.Time{5, 11}, []clock.Time{first, last})
	b.close()
	b.receive(letter{at: 20}, 0)
	b.expect(letter{at: 21})
	b.receiveNotice(letter{at: 22})
	b.receiveAll(&instantly)
	_, last = b.span()
	require.EqualValues(t, 11, last)

	b = newInbox(func() {})
	b.receive(letter{at: 1}, 0)
	b.expect(letter{at: 2})
	b.close()
	b.receiveAll(&instantly)
	require.Empty(t, b.received())
}

// A notice is no message: it colours nobody, and is there at once.
func TestNoticeColoursNobody(t *testing.T) {
	b := newInbox(func() {})
	b.receiveNotice(letter{from: 3, at: 5})
	first, last := b.span()
	require.Equal(t, clock.Never, first)
	require.Zero(t, last)
	require.Equal(t, []letter{{from: 3, at: 5}}, b.received())
}

// Whoever looks for a message has seen all that is in by then, and says until when it waits.
func TestRankFindsWhatItWants(t *testing.T) {
	r := aRank(t, 10)
	r.node.cfg.Pace = Model
	since := clock.Never
	_, next, ok := r.find("Recv", mailbox.From(1), 30, &since)
	require.False(t, ok)
	require.Equal(t, []clock.Time{30, 10}, []clock.Time{next, since}, "until then, since now")
	r.box.expect(letter{from: 1, at: 15})
	require.Len(t, r.box.signal, 1)
	since = 4
	_, next, ok = r.find("Recv", mailbox.From(1), 30, &since)
	require.False(t, ok)
	require.Equal(t, []clock.Time{16, 4}, []clock.Time{next, since}, "it is there when it has been received")
	require.Empty(t, r.box.signal, "it has been looked at")
	_, next, ok = r.find("Recv", mailbox.From(1), 10, &since)
	require.False(t, ok)
	require.Equal(t, passed, next)
	_, next, _ = r.find("Recv", mailbox.From(1), 11, &since)
	require.EqualValues(t, 11, next)
	r.box.receive(letter{from: 1, at: 9}, 0)
	l, _, ok := r.find("Recv", mailbox.From(1), 10, &since)
	require.True(t, ok)
	require.Equal(t, letter{from: 1, at: 9}, l)
}

// A rank that has been waiting for a message is late if it gets it later than it came; one that comes to it later is not.
func TestRankIsLateOnlyForWhatItWaitedFor(t *testing.T) {
	r := aRank(t, 10)
	r.box.receive(letter{from: 1, at: 4}, 0)
	_, ok := r.wait("Recv", mailbox.Any, clock.Never)
	require.True(t, ok)
	require.Zero(t, r.late.most())
	_, ok = r.wait("Recv", mailbox.Any, 10)
	require.False(t, ok)
	woken := make(chan bool)
	go func() {
		_, ok := r.wait("Recv", mailbox.Any, clock.Never)
		woken <- ok
	}()
	eventually(t, func() bool { r.box.mu.Lock(); defer r.box.mu.Unlock(); return r.box.parked }, "it waits")
	r.node.begin = r.node.begin.Add(-20 * time.Hour) // it is 30 when it wakes
	r.box.receive(letter{from: 1, at: 13}, 0)
	require.True(t, <-woken)
	require.EqualValues(t, 30-13, r.late.most())
}

// The clock of a rank never goes back.
func TestClockOfARankNeverGoesBack(t *testing.T) {
	r := aRank(t, 10)
	require.EqualValues(t, 10, r.look())
	r.now = 12
	require.EqualValues(t, 12, r.look())
	require.EqualValues(t, 12, r.Now())
	r.sleep(5) // it has passed
	require.EqualValues(t, 12, r.now)
	require.EqualValues(t, 12-5, r.late.most())
	r.sleepUntilStart()
}

// A rank that has failed sends nothing any more, even if it is in the middle of a send.
func TestFailedRankHandsNothingOver(t *testing.T) {
	r := aRank(t, 10)
	r.status.outcome = report.Crashed
	require.False(t, in(func() { r.post(wire.Frame{Type: wire.Message, To: 0}) }))
	require.Zero(t, r.status.sends)
	require.Empty(t, r.box.received())
	r.status.outcome = report.Deadlocked
	require.True(t, in(func() { r.post(wire.Frame{Type: wire.Message, To: 0}) }), "the lock is free")
	require.Len(t, r.box.received(), 1)
}

// A rank fails once. A crash takes its inbox with it; one that hangs keeps it, since others must not see a difference.
func TestRankFailsOnce(t *testing.T) {
	for kind, outcome := range map[string]report.Outcome{"crash:0@t5": report.Crashed, "hang:0@t5": report.Hung} {
		r := aRank(t, 10)
		r.node.coordinator = newCoordinatorConn(r.node, silentSession(t, r.node.cfg.Job.Job))
		r.node.armFaults(r, faults.NewTracker(faults.MustParse(kind), 0))
		r.node.programs.Wait() // what is due happens at once
		require.Equal(t, outcome, r.status.outcome)
		require.EqualValues(t, 10, r.status.exit)
		require.Equal(t, outcome == report.Crashed, r.box.closed)
		require.Panics(t, func() { close(r.stop) }, "it is stopped")
		r.fail(r.faults.firstFailure(), 20)
		require.EqualValues(t, 10, r.status.exit)
		r.node.coordinator.out.close()
	}
}

// What is sent to a former life is for nobody, and wakes nobody, even if it hung with its inbox open.
func TestFormerLifeReceivesNothing(t *testing.T) {
	for _, kind := range []string{"crash", "hang"} {
		r := aRank(t, 10)
		n := r.node
		n.cfg.Faults = faults.MustParse(kind + ":0@t5,rejoin:0@t7")
		n.coordinator = newCoordinatorConn(n, silentSession(t, n.cfg.Job.Job))
		n.program = protocols.Program{Main: func(protocols.Proc) {}}
		n.armFaults(r, n.cfg.follow(0, faults.History{}))
		n.programs.Wait()
		r.rest() // it has no program
		n.rejoin(&n.cfg.Faults[1])
		n.programs.Wait()
		require.NotSame(t, r, n.local(0), kind)
		require.EqualValues(t, 11, n.local(0).from, "it failed at 10, and comes back later than that")
		require.True(t, r.box.closed, kind)
		require.False(t, n.local(0).box.closed, kind)
		n.coordinator.out.close()
	}
}

// A rank whose time comes later is known to fail; one that is down from the start is so when it runs.
func TestRankIsWaitedForIfItWillFail(t *testing.T) {
	for text, will := range map[string]bool{"crash:0@t1000": true, "crash:0@t1": true, "crash:0@t0": false, "crash:0@send1": false, "crash:1@t1000": false} {
		r := aRank(t, 0)
		r.node.armFaults(r, faults.NewTracker(faults.MustParse(text), 0))
		require.Equal(t, will, r.willFail.Load(), text)
		r.node.finish(nil)
		r.node.programs.Wait()
		require.Equal(t, report.Deadlocked, r.status.outcome, "the run was over before")
	}
}

// The report about a rank can be made as often as one likes.
func TestFinalReportSaysHowARankHasEnded(t *testing.T) {
	for name, c := range map[string]struct {
		call    string
		outcome report.Outcome
		want    report.Outcome
		exit    clock.Time
		waits   bool
	}{
		"waits":   {"Recv", report.Deadlocked, report.Deadlocked, clock.Never, true},
		"lingers": {lingering, report.Deadlocked, report.Finished, 7, false},
		"failed":  {"Recv", report.Crashed, report.Crashed, clock.Never, false},
	} {
		r := aRank(t, 10)
		r.node.cfg.Pace = Model
		r.box.waiting = waiting{c.call, mailbox.From(1), 7}
		r.status.outcome = c.outcome
		r.box.expect(letter{from: 1, at: 90})
		for range 2 {
			rep := r.finalReport(nil)
			require.Equal(t, c.want, rep.Outcome, name)
			require.Equal(t, c.exit, rep.Exit, name)
			require.Equal(t, c.waits, rep.Wait != nil, name)
			require.EqualValues(t, 91, rep.Quiescence, "what was under way by the model has been received")
			require.EqualValues(t, 91, rep.Coloured)
			if c.waits {
				require.Equal(t, report.Wait{Rank: 0, Call: "Recv", Want: "any from 1", From: 1, Since: 7, Accepts: mailbox.From(1)}, *rep.Wait)
			}
		}
	}
}

// A slow rank has slow ports.
func TestCostsOfASlowRank(t *testing.T) {
	r := aRank(t, 10)
	require.Equal(t, r.node.costs, r.costs())
	r.faults = &rankFaults{tracker: faults.NewTracker(faults.MustParse("slow:0x3@t5"), 0)}
	require.Equal(t, r.node.costs.Times(3), r.costs())
}

// Whatever a rank does that has failed, or whose run is over, it ends there.
func TestRankThatHasFailedEndsInItsNextCall(t *testing.T) {
	for name, call := range map[string]func(r *rank){
		"Now":       func(r *rank) { r.Now() },
		"Step":      func(r *rank) { r.Step("here") },
		"Send":      func(r *rank) { r.Send(0, mailbox.Message{}) },
		"WaitUntil": func(r *rank) { r.WaitUntil(0) },
		"Poll":      func(r *rank) { r.Poll(mailbox.Any) },
		"Suspects":  func(r *rank) { (*detector)(r).Suspects(1) },
	} {
		r := aRank(t, 10)
		require.True(t, in(func() { call(r) }), "%s without a reason to end", name)
		r.status.outcome = report.Crashed
		close(r.stop)
		require.False(t, in(func() { call(r) }), "%s after a failure", name)
		r = aRank(t, 10)
		r.node.finish(nil)
		require.False(t, in(func() { call(r) }), "%s after the run", name)
	}
}

// A failure has happened when the schedule says so, or later if the process was late; never before the rank began.
func TestFailureHappensWhenItWasToOrLater(t *testing.T) {
	for _, c := range []struct {
		fault           string
		now, from, exit clock.Time
	}{
		{"crash:0@t5", 3, 0, 5}, // timers and clocks differ a little
		{"crash:0@t5", 8, 0, 8},
		{"crash:0@t5", 8, 9, 9},
		{"hang:0@t1", 0, 0, 1},
		{"crash:0@t0", 8, 0, 0}, // whenever its process got round to that
		{"crash:0@send1", 3, 0, 3},
		{"crash:0@send1", 3, 4, 4},
	} {
		r := aRank(t, 0)
		r.from = c.from
		r.faults = &rankFaults{tracker: faults.NewTracker(faults.MustParse(c.fault), 0)}
		r.node.coordinator = newCoordinatorConn(r.node, silentSession(t, r.node.cfg.Job.Job))
		s := r.faults.firstFailure()
		if s == nil {
			s = r.faults.next(faults.MidSend, "", c.now)
		}
		require.True(t, r.markFailed(s, c.now), c.fault)
		require.Equal(t, c.exit, r.status.exit, c.fault)
		require.False(t, r.markFailed(s, c.now), "it fails once")
		require.True(t, r.faults.tracker.FailedBefore(c.exit+1), c.fault)
		r.node.coordinator.out.close()
	}
}

func TestNobodyFailsAfterTheRun(t *testing.T) {
	r := aRank(t, 10)
	r.faults = &rankFaults{tracker: faults.NewTracker(faults.MustParse("crash:0@t5"), 0)}
	r.node.finish(nil)
	r.fail(r.faults.firstFailure(), 10)
	require.Equal(t, report.Deadlocked, r.status.outcome)
	require.NotPanics(t, func() { close(r.stop) }, "it is not stopped")
}

// A rank that is down from the start never gets to its program.
func TestRankThatIsDownFromTheStartDoesNothing(t *testing.T) {
	for text, begins := range map[string]bool{"crash:0@t0": false, "crash:0@t1": true, "crash:0@send1": true, "crash:1@t0": true} {
		r := aRank(t, 10)
		r.node.coordinator = newCoordinatorConn(r.node, silentSession(t, r.node.cfg.Job.Job))
		if tracker := faults.NewTracker(faults.MustParse(text), 0); tracker != nil {
			r.faults = &rankFaults{tracker: tracker}
		}
		require.Equal(t, begins, in(r.failAtStart), text)
		require.Equal(t, begins, r.status.outcome == report.Deadlocked, text)
		r.node.coordinator.out.close()
	}
}

// A rank has finished when its program returned, also if its own clock was ahead, unless it has failed before.
func TestRankHasFinishedWhenItsProgramReturned(t *testing.T) {
	r := aRank(t, 0)
	r.now = 12
	r.finished(10)
	require.EqualValues(t, 12, r.status.exit)
	r.finished(15)
	require.EqualValues(t, 15, r.status.exit)
	require.True(t, r.box.unread)
	r = aRank(t, 0)
	r.status.outcome = report.Crashed
	r.finished(10)
	require.Equal(t, report.Crashed, r.status.outcome)
	require.False(t, r.box.unread)
}

// Before a rank can come back it fails, if it was to do so before that.
func TestRankFailsBeforeItComesBack(t *testing.T) {
	for text, failed := range map[string]bool{"crash:0@t6": true, "hang:0@t6": true, "crash:0@t7": false, "crash:0@send1": false} {
		r := aRank(t, 10)
		r.node.coordinator = newCoordinatorConn(r.node, silentSession(t, r.node.cfg.Job.Job))
		r.faults = &rankFaults{tracker: faults.NewTracker(faults.MustParse(text), 0)}
		since, is := r.failedBefore(7)
		require.Equal(t, failed, is, text)
		require.Equal(t, failed, since == 10, text)
		require.Equal(t, failed, r.status.outcome.Failed(), text)
		_, is = r.failedBefore(11)
		require.Equal(t, failed || text == "crash:0@t7", is, text)
		r.node.coordinator.out.close()
	}
}

// Nobody comes back when the run is over, nor where processes are started again by others.
func TestNobodyComesBackAfterTheRun(t *testing.T) {
	r := aRank(t, 10)
	n := r.node
	n.cfg.Faults = faults.MustParse("crash:0@t5,rejoin:0@t7,rejoin:1@t7")
	n.coordinator = newCoordinatorConn(n, silentSession(t, n.cfg.Job.Job))
	n.armFaults(r, n.cfg.follow(0, faults.History{}))
	n.programs.Wait()
	n.finish(nil)
	n.rejoin(&n.cfg.Faults[1])
	require.Same(t, r, n.local(0))
	n.coordinator.out.close()

	n = aRank(t, 10).node
	n.cfg.Faults = faults.MustParse("crash:0@t5,rejoin:0@t1000")
	n.cfg.Signals = true
	n.armRejoins()
	require.EqualValues(t, 1, n.active.Load())
	n.cfg.Signals, n.cfg.Faults = false, faults.MustParse("crash:1@t5,rejoin:1@t1000")
	n.armRejoins()
	require.EqualValues(t, 1, n.active.Load(), "that is another process's rank")
}
