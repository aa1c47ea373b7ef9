package tcp

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// connectedPeer is a session with a process, as another one of the pair has it.
func connectedPeer(t *testing.T, n *Node) *wire.Session {
	t.Helper()
	s, err := connectAs(t, n.cfg.Job.Job, n.Addr(), wire.Identity{Role: wire.Peer, Process: 1 - n.cfg.Process})
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
		writing bool
		settled bool
	}{
		"never used":                         {unused, 0, false, true},
		"one given up is still read":         {unused, 1, false, false},
		"being opened":                       {dialing, 0, false, false},
		"being opened, one still read":       {dialing, 1, false, false},
		"open":                               {open, 1, false, true},
		"open, with something to be written": {open, 1, true, false},
		"open, one given up is still read":   {open, 2, false, false},
		"the other side has failed":          {peerGone, 0, false, true},
		"failed, and still read":             {peerGone, 1, false, true},
	} {
		l := &link{state: c.state, readers: c.readers, out: &outbox{writing: c.writing}}
		_, _, settled := l.settled()
		require.Equal(t, c.settled, settled, name)
	}
}

// A connection that ends is one less to read, and leaves the others alone.
func TestEndOfAFormerConnectionIsNotThatOfTheNext(t *testing.T) {
	t.Parallel()
	n := listening(t, Config{Job: pairOfProcesses()})
	l := n.links[1]
	former, present := silentSession(t, n.cfg.Job.Job), silentSession(t, n.cfg.Job.Job)
	l.state, l.readers, l.out, l.tally = open, 3, newOutbox(present, n.changed), tally{Connection: present.Number}
	l.end(former, io.EOF)
	require.True(t, l.is(open))
	require.Equal(t, 2, l.readers)
	l.waiting = []wire.Frame{{}}
	l.end(present, io.EOF)
	require.True(t, l.is(unused))
	require.Equal(t, 1, l.readers)
	require.Zero(t, l.tally)
	require.Nil(t, l.out)
	require.Empty(t, l.waiting, "what was to go over it is given up")
	former.Close()
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

// What was handed over before there was a connection goes over the first one, and not again over the next.
func TestWhatHasWaitedIsSentOnce(t *testing.T) {
	t.Parallel()
	n := listening(t, Config{Job: pairOfProcesses()})
	l := n.links[1]
	l.mu.Lock()
	l.waiting = []wire.Frame{{Type: wire.Message, From: 0, To: 1, Message: mailbox.Message{A: 7}}}
	l.mu.Unlock()
	for _, sent := range []int64{1, 0} {
		s := connectedPeer(t, n)
		eventually(t, func() bool { counted, _ := l.tallied(); return counted.Connection == s.Number }, "it is used")
		counted, _ := l.tallied()
		require.Equal(t, tally{Connection: s.Number, Sent: sent}, counted)
	}
}

// A rank that dies in the middle of a send leaves half of its message behind, if its process has a connection.
func TestHalfOfAMessageIsLeftOnAnOpenConnectionOnly(t *testing.T) {
	t.Parallel()
	n := listening(t, Config{Job: pairOfProcesses()})
	close(n.ready)
	l := n.links[1]
	half := wire.Frame{Type: wire.Message, To: 1, Message: mailbox.Message{A: 2}}
	l.sendHalf(half)
	require.True(t, l.is(unused), "nothing is opened for it")
	there := connectedPeer(t, n)
	eventually(t, func() bool { return l.is(open) }, "a connection")
	l.sendHalf(half)
	require.NoError(t, n.Close())
	_, err := there.ReadFrame()
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// Whoever closes a process can rely on nothing of it being at work afterwards.
func TestCloseWaitsForAllThatIsUnderWay(t *testing.T) {
	n := listening(t, Config{Job: pairOfProcesses()})
	ended := false
	n.background(func() {
		<-n.over
		time.Sleep(10 * time.Millisecond)
		ended = true
	})
	require.NoError(t, n.Close())
	require.True(t, ended)
}
