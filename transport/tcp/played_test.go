package tcp

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// In these tests one side of the conversation between a process and the coordinator is played by the test.

// playedMember is a process that has joined.
func playedMember(t *testing.T, c *Coordinator, process int) *wire.Session {
	t.Helper()
	s, err := connectAs(t, c.cfg.Job.Job, c.Addr(), wire.Identity{Role: wire.Member, Process: process})
	require.NoError(t, err)
	say(t, s, control{Join: &joining{Address: "127.0.0.1:1"}})
	return s
}

func say(t *testing.T, s *wire.Session, c control) {
	t.Helper()
	f := c.frame()
	require.NoError(t, s.WriteFrame(&f))
}

// A run of an eager job does not begin before all have said that they are connected.
func TestEagerStartWaitsUntilAllAreConnected(t *testing.T) {
	t.Parallel()
	for _, answers := range []int{0, 1, 2} {
		job := pairOfProcesses()
		job.Eager = true
		c, err := NewCoordinator(CoordinatorConfig{Job: job})
		require.NoError(t, err)
		members := []*wire.Session{playedMember(t, c, 0), playedMember(t, c, 1)}
		ctx, cancel := context.WithCancel(t.Context())
		started := make(chan error, 1)
		go func() { started <- c.Start(ctx, 0) }()
		for process, s := range members {
			msg, err := readControl(s)
			require.NoError(t, err)
			require.Len(t, msg.Connect, 2)
			if process < answers {
				say(t, s, control{Connected: true})
			}
		}
		if answers == len(members) {
			require.NoError(t, <-started)
		} else {
			eventually(t, func() bool { return c.connected() == answers }, "answers")
			cancel()
			require.ErrorContains(t, <-started, " not connected to all others")
		}
		cancel()
		require.NoError(t, c.Close())
	}
}

// connected is how many processes have said that they are connected to all others.
func (c *Coordinator) connected() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.members {
		if m.connected {
			n++
		}
	}
	return n
}

// playedSession is a session with somebody who does what the test says.
func playedSession(t *testing.T, job wire.Job, plays func(there *wire.Session)) *wire.Session {
	t.Helper()
	n := make(chan *wire.Session, 1)
	a, err := acceptAt("", wire.Handshake{Job: job}, nil, func(string, ...any) {}, func(s *wire.Session) {
		if s.Welcome() == nil {
			n <- s
		}
	})
	require.NoError(t, err)
	t.Cleanup(a.close)
	here, err := connectAs(t, job, a.listener.Addr(), wire.Identity{})
	require.NoError(t, err)
	there := <-n
	done := make(chan struct{})
	go func() {
		defer close(done)
		plays(there)
	}()
	t.Cleanup(func() { there.Close(); <-done })
	return here
}

// A process knows that its report has been delivered only if it is told so.
func TestReportIsDeliveredWhenTheCoordinatorSaysSo(t *testing.T) {
	t.Parallel()
	n := listening(t, Config{Job: pairOfProcesses()})
	for _, delivered := range []bool{false, true} {
		cc := newCoordinatorConn(n, silentSession(t, n.cfg.Job.Job))
		cc.delivered = delivered
		close(cc.gone)
		err := cc.deliver(t.Context(), nil)
		cc.out.close()
		if delivered {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "has lost the coordinator before that had its report")
		}
	}
}

func TestJobOfAnotherSizeIsNotJoined(t *testing.T) {
	t.Parallel()
	n := listening(t, Config{Job: pairOfProcesses()})
	require.NoError(t, n.setPeers([]peer{{Process: 0}, {Process: 1}}))
	require.ErrorContains(t, n.setPeers([]peer{{Process: 0}}), "a job of 1 processes, want 2")
	require.ErrorContains(t, n.setPeers([]peer{{Process: 0}, {Process: 1}, {Process: 2}}), "a job of 3 processes, want 2")
}

// A rank that hangs in a process that lives is noticed after the timeout, unless it is back by then.
func TestHangOfARankThatIsBackIsNotAnnounced(t *testing.T) {
	t.Parallel()
	for _, back := range []bool{false, true} {
		c := startedCoordinator(t, 2)
		c.cfg.Faults = faults.MustParse("hang:1@t5,rejoin:1@t8")
		c.cfg.Detection = Detection{Offered: true, Timeout: time.Millisecond}
		c.mu.Lock() // nobody notices anything meanwhile
		words := &lastWords{rankReport: unheard(1, report.Hung, 5)}
		words.History.Happened = []faults.Happening{{Place: 0, Time: 5}}
		require.NoError(t, c.record(c.members[1], words))
		require.Equal(t, 1, c.holds)
		if back {
			c.noteRejoin(report.Rejoin{Rank: 1, Time: 8}, 8)
		}
		c.mu.Unlock()
		eventually(t, func() bool { c.mu.Lock(); defer c.mu.Unlock(); return c.holds == 0 }, "the timeout")
		c.mu.Lock()
		require.Equal(t, !back, c.known.Suspected[1])
		require.Equal(t, !back, len(c.known.Ranks) == 1)
		c.mu.Unlock()
	}
}

// What the detector of a process is asked for by several of its ranks it tells all of them.
func TestAllWatchersOfARankAreTold(t *testing.T) {
	t.Parallel()
	job := pairOfProcesses()
	job.Ranks, job.Processes = 4, 2 // ranks 0 and 1 are here
	n := listening(t, Config{Job: job})
	n.detector.init(&start{Detector: true, Failures: failureList{Suspected: make(map[int]bool)}})
	for _, rank := range []int{0, 1} {
		d := (*detector)(n.local(rank))
		d.Watch(3)
		d.WatchNext(0)
	}
	n.learn(3)
	for _, rank := range []int{0, 1} {
		told := n.local(rank).box.received()
		require.Len(t, told, 2, "rank %d: of the rank, and of the first failure", rank)
		for _, l := range told {
			require.Equal(t, 3, l.from)
		}
	}
	n.learn(2)
	n.detector.trust(3)
	n.learn(3)
	require.Empty(t, n.local(0).box.received(), "it has not asked for those")
}

// A process that hangs takes nothing any more, but what it has sent may still come: its connections stay as they are. One
// that crashes is known to have done so when its connection ends.
func TestProcessThatHangsHasNotEnded(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[report.Outcome]peer{report.Hung: {Process: 1, Failed: true, Said: true}, report.Crashed: {Process: 1, Said: true}} {
		c := startedCoordinator(t, 2)
		c.cfg.Faults = faults.MustParse("hang:1@t5")
		words := &lastWords{rankReport: unheard(1, outcome, 5), Process: true}
		c.mu.Lock()
		require.NoError(t, c.record(c.members[1], words))
		require.Equal(t, want, *c.members[1].peer(), outcome)
		c.mu.Unlock()
	}
}
