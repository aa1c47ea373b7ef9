package tcp

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// Whoever waits for something that the coordinator knows goes on as soon as it does.
func TestWhoWaitsForTheCoordinatorIsWoken(t *testing.T) {
	failure := func(t *testing.T, c *Coordinator) { c.AwaitFailure(t.Context(), 1, 100) }
	start := func(t *testing.T, c *Coordinator) {
		if err := c.Start(t.Context(), 0); err != nil && c.err == nil {
			t.Error(err)
		}
	}
	words := func(outcome report.Outcome) *lastWords {
		return &lastWords{rankReport: unheard(1, outcome, 5), Process: true}
	}
	for name, test := range map[string]struct {
		before func(c *Coordinator)
		waits  func(t *testing.T, c *Coordinator)
		event  func(c *Coordinator) error
	}{
		"a rank fails": {func(*Coordinator) {}, failure,
			func(c *Coordinator) error { return c.record(c.members[1], words(report.Crashed)) }},
		"a process ends": {func(*Coordinator) {}, failure,
			func(c *Coordinator) error { c.lost(c.members[1], io.EOF); return nil }},
		"a process hangs": {func(*Coordinator) {}, func(t *testing.T, c *Coordinator) { c.Expect(t.Context(), 1, 9) },
			func(c *Coordinator) error { return c.record(c.members[1], words(report.Hung)) }},
		"a process is given up": {func(c *Coordinator) { c.members[1].state, c.down[1] = expected, true }, failure,
			func(c *Coordinator) error { c.mu.Unlock(); defer c.mu.Lock(); c.GiveUp(1, 0); return nil }},
		"the run is over": {func(*Coordinator) {}, failure,
			func(c *Coordinator) error { c.end(); return nil }},
		"a process joins": {func(c *Coordinator) { c.started, c.members[1].state = false, expected }, start,
			func(c *Coordinator) error { return c.hear(c.members[1], control{Join: &joining{}}) }},
		"a process is connected": {func(c *Coordinator) { c.started, c.cfg.Eager, c.members[0].connected = false, true, true }, start,
			func(c *Coordinator) error { return c.hear(c.members[1], control{Connected: true}) }},
		"a report comes": {func(c *Coordinator) { c.over, c.members[0].state = true, ended },
			func(t *testing.T, c *Coordinator) { c.Wait(t.Context()) },
			func(c *Coordinator) error {
				return c.hear(c.members[1], control{Report: []rankReport{{Rank: 1, RankResult: report.RankResult{Outcome: report.Finished}}}})
			}},
		"the run fails": {func(c *Coordinator) { c.started, c.members[1].state = false, expected }, start,
			func(c *Coordinator) error { c.fail(errBroken); return nil }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := startedCoordinator(t, 2)
				c.cfg.Faults = faults.MustParse("hang:1@t5")
				test.before(c)
				woken := false
				go func() { test.waits(t, c); woken = true }()
				synctest.Wait()
				require.False(t, woken, "nothing has happened")
				c.mu.Lock()
				err := test.event(c)
				c.mu.Unlock()
				require.NoError(t, err)
				synctest.Wait()
				require.True(t, woken)
			})
		})
	}
}

// A process that was the last one, and hangs without anybody to notice, has ended the run with its last words.
func TestRunIsOverIfTheLastProcessHangs(t *testing.T) {
	for timeout, over := range map[time.Duration]bool{0: true, time.Second: false} {
		c := startedCoordinator(t, 1)
		c.cfg.Faults, c.cfg.Timeout = faults.MustParse("hang:0@send1"), timeout
		require.NoError(t, c.record(c.members[0], &lastWords{rankReport: unheard(0, report.Hung, 5), Process: true}))
		require.Equal(t, over, c.over)
	}
}

// A process that says nothing is fenced when its time is over, counted from when it should have begun.
func TestSilentProcessIsFencedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startedCoordinator(t, 1)
		c.started, c.cfg.Detection = false, Detection{Offered: true, Timeout: 5 * time.Second}
		fenced := make(chan int, 1)
		c.cfg.Fence = func(process int) { fenced <- process }
		began := time.Now()
		require.NoError(t, c.Start(t.Context(), 0))
		require.Zero(t, <-fenced)
		require.Equal(t, (50+5+1)*time.Second, time.Since(began), "there are five signs of life in the timeout")
		require.NoError(t, c.Close())
	})
}

// A rank that hangs inside a process that lives is known to do so after the timeout, and the run is not over before.
func TestHangOfARankIsNoticedAfterTheTimeout(t *testing.T) {
	for _, back := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := startedCoordinator(t, 1)
			c.cfg.Faults, c.cfg.Detection = faults.MustParse("hang:0@send1"), Detection{Offered: true, Timeout: 5 * time.Second}
			idle := status{Idle: true}
			require.NoError(t, c.record(c.members[0], &lastWords{rankReport: unheard(0, report.Hung, 5)}))
			c.says(0, idle)
			c.mu.Lock()
			require.Zero(t, c.probe, "somebody is yet to notice")
			if back {
				delete(c.down, 0)
			}
			c.mu.Unlock()
			time.Sleep(5 * time.Second)
			synctest.Wait()
			c.mu.Lock()
			defer c.mu.Unlock()
			require.Equal(t, !back, c.known.Suspected[0])
			require.Zero(t, c.holds)
			require.Equal(t, back, c.probe == 1, "if nobody has to hear of it the process is idle as it was")
		})
	}
}

// Who waits for what others do looks again and again, for as long as that takes.
func TestPatienceIsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := deafNode(slowJob(Free, ""))
		began := time.Now()
		require.False(t, n.waitFor(time.Second, func() bool { return false }))
		require.Equal(t, time.Second, time.Since(began))
	})
}

// toldTo is a process without a network, and what it tells the coordinator.
func toldTo(t *testing.T) (*coordinatorConn, <-chan control) {
	t.Helper()
	n := deafNode(slowJob(Free, ""))
	told := make(chan control, 100)
	s := heardSession(t, n.cfg.Job.Job, func(f wire.Frame) {
		var c control
		if err := json.Unmarshal([]byte(f.Payload), &c); err != nil {
			t.Error(err)
		}
		told <- c
	})
	n.coordinator = newCoordinatorConn(n, s)
	t.Cleanup(func() {
		n.finish(nil)
		n.coordinator.out.close()
	})
	return n.coordinator, told
}

// A process tells the coordinator that it is idle when nothing has changed for a while, and when it is asked.
func TestProcessSaysWhenItIsIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cc, told := toldTo(t)
		n := cc.node
		ended := make(chan struct{})
		go func() { cc.inform(); close(ended) }()
		quiet := func(why string) {
			time.Sleep(time.Second)
			synctest.Wait()
			require.Empty(t, told, why)
		}
		says := func(want status) {
			began := time.Now()
			n.changed()
			c := <-told
			require.Equal(t, 6*time.Millisecond, time.Since(began), "it looks after 2 ms, and once more after 4")
			want.Idle, want.Tallies = true, map[int]tally{}
			require.Equal(t, want, *c.Status)
		}
		quiet("nothing has changed")
		n.changed()
		quiet("it is not idle")
		n.active.Store(0)
		says(status{})
		n.changed()
		quiet("it has said that")
		n.version.Store(3)
		says(status{Version: 3})

		n.active.Store(1)
		cc.probes <- 5
		require.Equal(t, status{Probe: 5, Version: 3, Tallies: map[int]tally{}}, *(<-told).Status, "it is asked, and not idle")
		n.active.Store(0)
		says(status{Probe: 5, Version: 3})

		n.version.Store(4)
		for range 1000 {
			n.changed()
			time.Sleep(time.Millisecond)
		}
		require.Empty(t, told, "it changes all the time")
		n.finish(nil)
		<-ended
	})
}

// A process gives signs of life, if they are wanted, until the coordinator has gone.
func TestProcessGivesSignsOfLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cc, told := toldTo(t)
		cc.start.Beat = 10 * time.Second
		ended := make(chan struct{})
		began := time.Now()
		go func() { cc.inform(); close(ended) }()
		for i := range 3 {
			require.Equal(t, control{Beat: true}, <-told)
			require.Equal(t, time.Duration(i+1)*10*time.Second, time.Since(began))
		}
		close(cc.gone)
		<-ended
	})
}

// A process is idle if none of its ranks is active, all connections are settled and it has heard all there is to hear.
func TestProcessIsIdleIfNothingCanHappen(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(n *Node)
		idle  bool
	}{
		"idle":                         {func(*Node) {}, true},
		"a rank is active":             {func(n *Node) { n.active.Store(1) }, false},
		"a connection is being opened": {func(n *Node) { n.links[1].state = dialing }, false},
		"the last one is":              {func(n *Node) { n.links[2].state = dialing }, false},
		"there is something to hear":   {func(n *Node) { n.coordinator.changes <- change{} }, false},
		"its ranks are, and so on": {func(n *Node) {
			n.active.Store(1)
			n.links[1].state = dialing
		}, false},
	} {
		n := hearing(t, 3, 3)
		n.version.Store(4)
		n.links[1].tally, n.links[1].received = tally{7, 1, 2}, 5
		n.links[2].received = 6
		c.spoil(n)
		require.Equal(t, status{Probe: 9, Version: 4, Idle: c.idle, Tallies: map[int]tally{1: {7, 1, 2}}, Received: 11}, *n.status(9), name)
	}
}

// A connection that the other side has closed, or this one, is nothing to talk about, however long nobody has failed.
func TestConnectionThatIsClosedIsNotLogged(t *testing.T) {
	for _, err := range []error{io.EOF, net.ErrClosed} {
		synctest.Test(t, func(t *testing.T) {
			n := deafNode(slowJob(Free, ""))
			n.cfg.Log = func(line string) { t.Error(line) }
			s := silentSession(t, n.cfg.Job.Job)
			l := &link{node: n, process: 1, state: open, readers: 1, out: newOutbox(s, n.changed)}
			l.end(s, fmt.Errorf("the end: %w", err))
			time.Sleep(2 * failureGrace)
			synctest.Wait()
			require.True(t, l.is(unused))
		})
	}
}

// When the run is over nobody answers probes, and however many come, the coordinator is heard to its end.
func TestProbesAfterTheEndAreOfNoInterest(t *testing.T) {
	a, b := sessions(t)
	n := listening(t, Config{Job: pairOfProcesses()})
	n.finish(nil)
	cc := newCoordinatorConn(n, a)
	go func() {
		out := newOutbox(b, func() {})
		for range cap(cc.probes) + 1 {
			f := control{Probe: 1}.frame()
			out.send(f)
		}
		out.send(control{Delivered: true}.frame())
	}()
	cc.listen()
	require.True(t, cc.delivered)
}
