package tcp

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// Who knows the secret has yet to be the life of a process that is expected: one that was declared lost
// must not speak for the process any more, whatever has become of it.

// pairOfProcesses is a job of two processes with a rank each.
func pairOfProcesses() Job {
	return Job{Job: wire.NewJob(), LogP: clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}, Processes: 2, Tick: time.Millisecond}
}

// listening is a process that waits for others.
func listening(t *testing.T, cfg Config) *Node {
	t.Helper()
	n, err := Listen(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { n.Close() })
	return n
}

// connectAs makes a handshake with whoever is at an address.
func connectAs(t *testing.T, job wire.Job, at net.Addr, who wire.Identity) (*wire.Session, error) {
	t.Helper()
	conn, err := net.Dial("tcp", at.String())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return wire.Handshake{Job: job, Self: who}.Connect(conn)
}

// knock says how such a handshake went.
func knock(t *testing.T, job wire.Job, at net.Addr, who wire.Identity) error {
	t.Helper()
	_, err := connectAs(t, job, at, who)
	return err
}

func TestProcessTakesOnlyTheLifeOfAnotherThatItKnowsOf(t *testing.T) {
	t.Parallel()
	const over, unknown = "this life of yours is over", "this life of yours is not known of yet"
	for name, c := range map[string]struct {
		heard   []peer // what the process was told of the other one
		answers []string
	}{
		"nothing heard":                     {nil, []string{"", unknown, unknown, unknown}},
		"in its second life":                {[]peer{{Life: 1}}, []string{over, "", unknown, unknown}},
		"in its third life":                 {[]peer{{Life: 1}, {Life: 2}}, []string{over, over, "", unknown}},
		"lost":                              {[]peer{{Failed: true}}, []string{over, unknown, unknown, unknown}},
		"lost in its second life":           {[]peer{{Life: 1}, {Life: 1, Failed: true}}, []string{over, over, unknown, unknown}},
		"lost, and back":                    {[]peer{{Failed: true}, {Life: 1}}, []string{over, "", unknown, unknown}},
		"its former life turns out as lost": {[]peer{{Life: 1}, {Failed: true, Ended: true}}, []string{over, "", unknown, unknown}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for life, answer := range c.answers {
				log := make(chan string, 10)
				n := listening(t, Config{Job: pairOfProcesses(), Log: func(line string) { log <- line }})
				for _, p := range c.heard {
					p.Process, p.Address = 1, "127.0.0.1:1"
					n.setPeer(p)
				}
				err := knock(t, n.cfg.Job.Job, n.Addr(), wire.Identity{Role: wire.Peer, Process: 1, Life: life})
				if answer == "" {
					require.NoError(t, err, "life %d", life)
					continue
				}
				require.ErrorIs(t, err, wire.ErrRefused, "life %d", life)
				require.ErrorContains(t, err, answer, "life %d", life)
				require.NoError(t, n.Close())
				require.Len(t, log, 1, "that is worth a line")
			}
		})
	}
}

// What was heard of a former life says nothing about the present one, such as where it is.
func TestNewsOfAFormerLifeComeTooLate(t *testing.T) {
	t.Parallel()
	l := listening(t, Config{Job: pairOfProcesses()}).links[1]
	l.setPeer(peer{Process: 1, Life: 2, Address: "127.0.0.1:2"})
	l.setPeer(peer{Process: 1, Life: 1, Address: "127.0.0.1:1", Failed: true})
	require.Equal(t, "127.0.0.1:2", l.address)
	require.False(t, l.peerHasFailed(2))
	require.True(t, l.peerHasFailed(1))
}

// An address may have passed to somebody else of the job: another process, or another life of that one.
func TestProcessConnectsOnlyToTheLifeThatItLooksFor(t *testing.T) {
	t.Parallel()
	job := pairOfProcesses()
	n, other := listening(t, Config{Job: job}), listening(t, Config{Job: job, Process: 1, Life: 1})
	for _, c := range []struct {
		process, life int
		says          string
	}{
		{1, 1, ""},
		{1, 0, "process 1 in life 1 is there, want process 1 in life 0"},
		{1, 2, "process 1 in life 1 is there, want process 1 in life 2"},
		{0, 1, "process 1 in life 1 is there, want process 0 in life 1"},
	} {
		s, err := n.dial(t.Context(), other.Addr().String(), wire.Peer, c.process, c.life)
		if c.says == "" {
			require.NoError(t, err)
			require.NoError(t, s.Close())
			continue
		}
		require.ErrorContains(t, err, c.says)
		require.Nil(t, s)
	}
}

// A connection that was being opened to a life which has ended meanwhile is not used for the next one.
func TestConnectionToAFormerLifeIsNotKept(t *testing.T) {
	t.Parallel()
	job := pairOfProcesses()
	n, other := listening(t, Config{Job: job}), listening(t, Config{Job: job, Process: 1})
	l := n.links[1]
	s, err := n.dial(t.Context(), other.Addr().String(), wire.Peer, 1, 0)
	require.NoError(t, err)
	l.setPeer(peer{Process: 1, Life: 1})
	l.state = dialing // the next life
	require.True(t, l.conclude(s, nil, 0, true))
	require.True(t, l.is(dialing))
	require.ErrorIs(t, s.SetDeadline(time.Time{}), net.ErrClosed)
}

// The other side may have taken a connection, sent something over it and ended before this side gets round to
// using it. What it has sent is not lost.
func TestProcessThatEndsWhileAConnectionToItIsOpenedIsHeardOut(t *testing.T) {
	t.Parallel()
	job := pairOfProcesses()
	n, other := listening(t, Config{Job: job, Process: 1}), listening(t, Config{Job: job})
	close(n.ready)
	l := n.links[0]
	l.state, l.opening = dialing, true
	s, err := n.dial(t.Context(), other.Addr().String(), wire.Peer, 0, 0)
	require.NoError(t, err)
	for range 3 {
		other.links[1].send(wire.Frame{Type: wire.Message, From: 0, To: 1})
	}
	require.NoError(t, other.Close())
	l.setPeer(peer{Failed: true, Ended: true})
	require.False(t, l.drained())
	require.True(t, l.conclude(s, nil, 0, true))
	eventually(t, l.drained, "the end of the connection")
	_, received := l.tallied()
	require.EqualValues(t, 3, received)
	require.True(t, l.is(peerGone))
}

// coordinated is a coordinator of a job of two processes that is not started.
func coordinated(t *testing.T) *Coordinator {
	t.Helper()
	job := pairOfProcesses()
	c, err := NewCoordinator(CoordinatorConfig{Job: job})
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// set changes how a process is.
func (c *Coordinator) set(process int, state memberState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.members[process].state = state
}

func TestCoordinatorLetsInOnlyTheLifeThatItExpects(t *testing.T) {
	t.Parallel()
	const nobody = 99
	for name, c := range map[string]struct {
		states []memberState // of its lives
		let    int           // the life that may come in
	}{
		"first life":             {[]memberState{expected}, 0},
		"absent":                 {[]memberState{absent}, nobody},
		"there":                  {[]memberState{joined}, nobody},
		"hangs":                  {[]memberState{hanging}, nobody},
		"ended":                  {[]memberState{ended}, nobody},
		"done":                   {[]memberState{done}, nobody},
		"started again":          {[]memberState{ended, expected}, 1},
		"there again":            {[]memberState{ended, joined}, nobody},
		"started a third time":   {[]memberState{ended, ended, expected}, 2},
		"ended in its last life": {[]memberState{ended, ended, ended}, nobody},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			coordinator := coordinated(t)
			for life, state := range c.states {
				if life > 0 {
					got, err := coordinator.Expect(context.Background(), 1, clock.Time(life))
					require.NoError(t, err)
					require.Equal(t, life, got)
				}
				coordinator.set(1, state)
			}
			for _, life := range []int{3, 2, 1, 0, -1} {
				err := knock(t, coordinator.cfg.Job.Job, coordinator.Addr(), wire.Identity{Role: wire.Member, Process: 1, Life: life})
				if life == c.let {
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, wire.ErrRefused, "life %d", life)
				}
			}
		})
	}
}

// A life that was given up does not come in later, and giving up a former one changes nothing.
func TestLifeThatWasGivenUpDoesNotComeIn(t *testing.T) {
	t.Parallel()
	c := coordinated(t)
	who := wire.Identity{Role: wire.Member, Process: 1, Life: 1}
	c.set(1, ended)
	life, err := c.Expect(context.Background(), 1, 10)
	require.NoError(t, err)
	c.mu.Lock()
	c.started = true
	c.mu.Unlock()
	c.GiveUp(1, life-1)
	require.NoError(t, knock(t, c.cfg.Job.Job, c.Addr(), who))
	c.GiveUp(1, life)
	require.ErrorIs(t, knock(t, c.cfg.Job.Job, c.Addr(), who), wire.ErrRefused)
}

// A closed coordinator, which has somebody else's address, lets nobody in.
func TestClosedCoordinatorLetsNobodyIn(t *testing.T) {
	t.Parallel()
	job := pairOfProcesses()
	host := listening(t, Config{Job: job})
	c, err := host.Host(Detection{}, nil)
	require.NoError(t, err)
	who := wire.Identity{Role: wire.Member, Process: 1}
	require.NoError(t, knock(t, job.Job, host.Addr(), who))
	require.NoError(t, c.Close())
	require.ErrorIs(t, knock(t, job.Job, host.Addr(), who), wire.ErrRefused)
}

// Both sides open a connection at the same time: that of the process with the lower number counts, also if
// the other's comes when it is there already.
func TestConnectionOfTheLowerProcessCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		process int // this side
		state   linkState
		dialled bool
		refused bool
	}{
		{0, unused, false, false}, {0, dialing, false, true}, {0, open, true, true}, {0, open, false, false},
		{1, unused, false, false}, {1, dialing, false, false}, {1, open, true, false}, {1, open, false, false},
	} {
		job := pairOfProcesses()
		log := make(chan string, 10)
		n := listening(t, Config{Job: job, Process: c.process, Log: func(line string) { log <- line }})
		l := n.links[1-c.process]
		if c.state == open {
			other := listening(t, Config{Job: job, Process: 1 - c.process})
			s, err := n.dial(t.Context(), other.Addr().String(), wire.Peer, 1-c.process, 0)
			require.NoError(t, err)
			l.mu.Lock()
			l.use(s, c.dialled)
			l.mu.Unlock()
		}
		l.mu.Lock()
		l.state = c.state
		l.mu.Unlock()
		err := knock(t, job.Job, n.Addr(), wire.Identity{Role: wire.Peer, Process: 1 - c.process})
		if c.refused {
			require.ErrorContains(t, err, "use the connection that is being opened from here", "%+v", c)
			l.mu.Lock()
			l.state = unused // nobody opens one
			l.mu.Unlock()
			require.NoError(t, n.Close())
			require.Empty(t, log, "that is nothing unusual")
		} else {
			require.NoError(t, err, "%+v", c)
		}
	}
}

// accepting is a session that has yet to be welcomed or refused, of somebody who says who it is.
func accepting(t *testing.T, job wire.Job, who wire.Identity) *wire.Session {
	t.Helper()
	here, there := net.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		wire.Handshake{Job: job, Self: who}.Connect(there)
	}()
	s, err := wire.Handshake{Job: job}.Accept(here)
	require.NoError(t, err)
	t.Cleanup(func() { here.Close(); there.Close(); <-ended })
	return s
}

// Whoever is refused is worth a line, and that is all that comes of it.
func TestRefusalIsWorthALine(t *testing.T) {
	t.Parallel()
	for name, who := range map[string]wire.Identity{
		"nobody": {}, "one too many": {Role: wire.Member, Process: 2}, "one too few": {Role: wire.Member, Process: -1}, "not expected": {Role: wire.Member, Process: 1},
		"another life": {Role: wire.Member, Life: 1}, "a peer": {Role: wire.Peer},
	} {
		c := startedCoordinator(t, 2)
		var log []string
		c.cfg.Log = func(line string) { log = append(log, line) }
		c.members[0].state = expected
		out := c.members[0].out
		c.accept(accepting(t, c.cfg.Job.Job, who))
		require.Len(t, log, 1, name)
		require.Contains(t, log[0], "coordinator: connection from ", name)
		require.Same(t, out, c.members[0].out, name)
	}
	for name, who := range map[string]wire.Identity{
		"nobody": {}, "one too many": {Role: wire.Peer, Process: 2}, "one too few": {Role: wire.Peer, Process: -1}, "itself": {Role: wire.Peer},
		"another life": {Role: wire.Peer, Process: 1, Life: -1}, "a member": {Role: wire.Member, Process: 1},
	} {
		var log []string
		n := listening(t, Config{Job: pairOfProcesses(), Log: func(line string) { log = append(log, line) }})
		n.accept(accepting(t, n.cfg.Job.Job, who))
		require.Len(t, log, 1, name)
		require.Contains(t, log[0], "process 0: connection from ", name)
		require.True(t, n.links[1].is(unused), name)
	}
}
