package tcp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// hearing is a process that knows of failures what the test tells it.
func hearing(t *testing.T, ranks, processes int) *Node {
	t.Helper()
	job := pairOfProcesses()
	job.Ranks, job.Processes = ranks, processes
	n := listening(t, Config{Job: job})
	n.detector.init(&start{Detector: true, Failures: failureList{Suspected: make(map[int]bool)}})
	n.coordinator = newCoordinatorConn(n, silentSession(t, job.Job))
	t.Cleanup(n.coordinator.out.close)
	return n
}

func TestNobodyWaitsForEver(t *testing.T) {
	n := listening(t, Config{Job: pairOfProcesses()})
	looks := 0
	after := func(so int) func() bool {
		looks = 0
		return func() bool { looks++; return looks > so }
	}
	require.True(t, n.waitFor(0, after(0)), "it is so already")
	require.False(t, n.waitFor(0, after(1)))
	require.True(t, n.waitFor(3*lookPause, after(3)))
	require.False(t, n.waitFor(3*lookPause, after(100)))
	require.Equal(t, 4, looks)
	n.finish(nil)
	require.False(t, n.waitFor(time.Hour, after(1)), "nobody waits when the run is over")
	require.Equal(t, 1, looks)
}

func TestWhatWasSentHasBeenReceived(t *testing.T) {
	for name, c := range map[string]struct {
		theirs, mine tally
		received     bool
	}{
		"nothing was sent":              {tally{}, tally{}, true},
		"all":                           {tally{7, 3, 0}, tally{7, 0, 3}, true},
		"more, since":                   {tally{7, 3, 0}, tally{7, 0, 4}, true},
		"some":                          {tally{7, 3, 0}, tally{7, 0, 2}, false},
		"over a connection that broke":  {tally{7, 3, 0}, tally{8, 0, 0}, true},
		"a connection is being opened":  {tally{0, 3, 0}, tally{0, 0, 0}, false},
		"it was being opened, and some": {tally{0, 3, 0}, tally{8, 0, 2}, false},
		"it was being opened, and all":  {tally{0, 3, 0}, tally{8, 0, 3}, true},
	} {
		l := &link{tally: c.mine}
		require.Equal(t, c.received, l.hasReceived(c.theirs), name)
	}
}

// What a rank has sent before it failed comes before the notice of its failure, from other processes as from this one.
func TestNoticeWaitsForWhatWasSent(t *testing.T) {
	n := hearing(t, 2, 2)
	l := n.links[1]
	l.tally = tally{Connection: 7, Received: 1} // before anybody looks: nothing is waited for over another connection
	applied := make(chan struct{})
	go func() {
		defer close(applied)
		n.coordinator.apply(change{Version: 7, Failed: []int{1}, After: &sentBy{1, map[int]tally{0: {7, 2, 0}, 1: {7, 99, 0}}}})
	}()
	time.Sleep(10 * time.Millisecond)
	require.False(t, n.suspects(1))
	require.Zero(t, n.version.Load())
	l.mu.Lock()
	l.tally.Received = 2
	l.mu.Unlock()
	<-applied
	require.True(t, n.suspects(1))
	require.EqualValues(t, 7, n.version.Load())
	changes := n.changes.Load()
	n.coordinator.apply(change{Version: 8, Present: []int{1}, After: &sentBy{0, map[int]tally{0: {9, 99, 0}}}})
	require.False(t, n.suspects(1), "it is back; and this process has received what it has sent itself")
	require.Greater(t, n.changes.Load(), changes, "the process may be idle in another way")
}

// suspects reports what the process knows of a rank.
func (n *Node) suspects(rank int) bool {
	n.detector.mu.Lock()
	defer n.detector.mu.Unlock()
	return n.detector.known.Suspected[rank]
}

// A process that has ended, but whose connection stays open, is not waited for in vain for ever.
func TestConnectionThatOutlivesItsProcessIsClosed(t *testing.T) {
	t.Parallel()
	for _, ended := range []bool{false, true} {
		job := pairOfProcesses()
		var log []string
		n := listening(t, Config{Job: job, Log: func(line string) { log = append(log, line) }})
		close(n.ready)
		connectedPeer(t, n)
		l := n.links[1]
		eventually(t, func() bool { return l.is(open) }, "a connection")
		out := l.out
		n.setPeer(peer{Process: 1, Failed: true, Ended: ended})
		out.mu.Lock()
		require.True(t, out.failed, "nothing goes there any more")
		out.mu.Unlock()
		require.Equal(t, !ended, l.out == out, "what one has sent that hangs may still come")
		if ended {
			require.Equal(t, []string{"process 0: process 1 has ended, but its connection has not: closed"}, log)
		} else {
			require.Empty(t, log)
		}
	}
}

func TestNothingIsSentToAProcessThatHasFailed(t *testing.T) {
	n := listening(t, Config{Job: pairOfProcesses()})
	l := n.links[1]
	l.waiting = []wire.Frame{{}}
	l.setPeer(peer{Process: 1, Address: "127.0.0.1:1", Failed: true})
	require.Empty(t, l.waiting)
	l.send(wire.Frame{Type: wire.Message, To: 1})
	require.True(t, l.is(peerGone))
	require.Empty(t, l.waiting)
	require.Zero(t, l.tally)
	require.Equal(t, "127.0.0.1:1", l.address)
	l.waiting = []wire.Frame{{}}
	l.tally.Sent = 1
	l.setPeer(peer{Process: 1, Life: 1, Address: "127.0.0.1:2"})
	require.True(t, l.is(unused), "its next life can be reached")
	require.Empty(t, l.waiting)
	require.Zero(t, l.tally)
	require.Equal(t, "127.0.0.1:2", l.address)
}
