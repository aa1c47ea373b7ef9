package tcp

import (
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// connectedPeer is a session with a process, as another one of the pair has it.
func connectedPeer(t *testing.T, n *Node) *wire.Session {
	t.Helper()
	conn, err := net.Dial("tcp", n.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	other := 1 - n.cfg.Process
	s, err := wire.Handshake{Job: n.cfg.Job.Job, Self: wire.Identity{Role: wire.Peer, Process: other}}.Connect(conn)
	require.NoError(t, err)
	return s
}

// eventually waits until something is so.
func eventually(t *testing.T, is func() bool, what string) {
	t.Helper()
	require.Eventually(t, is, time.Minute, time.Millisecond, what)
}

// tallied are the numbers of a link.
func (l *link) tallied() (tally, int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tally, l.received
}

// The end of a run is found by these numbers: of the present connection, and of all that there ever were.
func TestLinkCountsWhatItHasReceived(t *testing.T) {
	t.Parallel()
	n := listening(t, Config{Job: pairOfProcesses()})
	l := n.links[1]
	close(n.ready)
	send := func(s *wire.Session, messages int) {
		for range messages {
			require.NoError(t, s.WriteFrame(&wire.Frame{Type: wire.Message, From: 1, To: 0, Message: mailbox.Message{}}))
		}
	}
	receivedAre := func(s *wire.Session, onConnection, onAll int64) {
		eventually(t, func() bool { _, all := l.tallied(); return all == onAll }, "all are received")
		counted, _ := l.tallied()
		require.Equal(t, tally{Connection: s.Number, Received: onConnection}, counted)
	}
	first := connectedPeer(t, n)
	send(first, 3)
	receivedAre(first, 3, 3)
	second := connectedPeer(t, n) // in place of the first
	send(second, 2)
	receivedAre(second, 2, 5)

	l.mu.Lock() // there is a third one by now, while something still comes over the second
	l.tally = tally{Connection: second.Number + 1}
	l.mu.Unlock()
	send(second, 1)
	eventually(t, func() bool { _, all := l.tallied(); return all == 6 }, "it is received")
	counted, _ := l.tallied()
	require.Zero(t, counted.Received, "but not over the third connection")
}

// What is handed over before there is a connection counts as sent, and so does what comes after that.
func TestLinkCountsWhatItHasSent(t *testing.T) {
	t.Parallel()
	job := pairOfProcesses()
	n, other := listening(t, Config{Job: job}), listening(t, Config{Job: job, Process: 1})
	close(other.ready)
	l := n.links[1]
	l.setPeer(peer{Process: 1, Address: other.Addr().String()})
	f := wire.Frame{Type: wire.Message, From: 0, To: 1}
	for range 3 {
		l.send(f)
	}
	eventually(t, func() bool { return l.is(open) }, "a connection")
	l.send(f)
	counted, _ := l.tallied()
	require.EqualValues(t, 4, counted.Sent)
	eventually(t, func() bool { _, all := other.links[0].tallied(); return all == 4 }, "all four come")
	theirs, _ := other.links[0].tallied()
	require.Equal(t, tally{Connection: counted.Connection, Received: 4}, theirs)
	_, _, settled := l.settled()
	require.True(t, settled)
}

// A connection that is given up takes its numbers with it: what was under way is lost.
func TestDroppedConnectionCountsNoMore(t *testing.T) {
	t.Parallel()
	n := listening(t, Config{Job: pairOfProcesses()})
	l := n.links[1]
	close(n.ready)
	s := connectedPeer(t, n)
	eventually(t, func() bool { return l.is(open) }, "a connection")
	_, _, settled := l.settled()
	require.True(t, settled)
	l.mu.Lock()
	l.tally.Sent = 5
	l.mu.Unlock()
	require.NoError(t, s.Close())
	eventually(t, func() bool { return l.is(unused) }, "the connection is gone")
	counted, _ := l.tallied()
	require.Zero(t, counted)
	eventually(t, func() bool { _, _, ok := l.settled(); return ok }, "nothing comes any more")
}

// Nothing is idle while something waits for a connection, or may still come from one that was given up.
func TestLinkIsNotSettledWhileSomethingMayCome(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state   linkState
		readers int
		settled bool
	}{
		"never used":                   {unused, 0, true},
		"one given up is still read":   {unused, 1, false},
		"being opened":                 {dialing, 0, false},
		"the other side has failed":    {peerGone, 0, true},
		"failed, and still read":       {peerGone, 1, true},
		"being opened, one still read": {dialing, 1, false},
	} {
		l := &link{state: c.state, readers: c.readers}
		_, _, settled := l.settled()
		require.Equal(t, c.settled, settled, name)
	}
}

// A process that could not be reached is left alone for a moment, and what is sent meanwhile is lost.
func TestUnreachableProcessIsLeftAloneForAWhile(t *testing.T) {
	t.Parallel()
	n := listening(t, Config{Job: pairOfProcesses()})
	l := n.links[1]
	l.setPeer(peer{Process: 1, Address: "127.0.0.1:1"})
	l.retry = time.Now().Add(time.Hour)
	l.send(wire.Frame{Type: wire.Message, From: 0, To: 1})
	require.True(t, l.is(unused))
	counted, _ := l.tallied()
	require.Zero(t, counted)
	l.setPeer(peer{Process: 1, Life: 1, Address: "127.0.0.1:1"})
	l.send(wire.Frame{Type: wire.Message, From: 0, To: 1})
	counted, _ = l.tallied()
	require.EqualValues(t, 1, counted.Sent, "its next life is tried at once")
}

// An eager job has all connections before anything is sent.
func TestEagerJobConnectsAllProcessesBeforeTheRun(t *testing.T) {
	t.Parallel()
	const processes = 4
	job := pairOfProcesses()
	job.Ranks, job.Processes, job.Eager = processes, processes, true
	c, err := NewCoordinator(CoordinatorConfig{Job: job})
	require.NoError(t, err)
	defer c.Close()
	var nodes []*Node
	joined := make(chan error, processes)
	for process := range processes {
		n := listening(t, Config{Job: job, Process: process})
		nodes = append(nodes, n)
		go func() { joined <- n.Join(t.Context(), c.Addr().String()) }()
	}
	require.NoError(t, c.Start(t.Context(), time.Hour))
	for range processes {
		require.NoError(t, <-joined)
	}
	for _, n := range nodes {
		for _, l := range n.links {
			require.Equal(t, l.process != n.cfg.Process, l.is(open), "from process %d to %d", n.cfg.Process, l.process)
		}
		require.Zero(t, n.now(), "the run begins later")
	}
	require.Greater(t, c.Until(0), 50*time.Minute)
	require.Greater(t, c.Until(60_000), c.Until(0)+50*time.Second)
	require.Zero(t, c.ticks())
}
