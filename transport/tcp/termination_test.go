package tcp

import (
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// startedCoordinator is one whose run has begun, and whose processes say what a test has them say.
func startedCoordinator(t *testing.T, processes int) *Coordinator {
	t.Helper()
	job := Job{Job: wire.NewJob(), LogP: clock.LogP{Ranks: processes, Latency: 1, Overhead: 1}, Processes: processes, Tick: time.Millisecond}
	c, err := newCoordinator(CoordinatorConfig{Job: job})
	require.NoError(t, err)
	c.started = true
	for _, m := range c.members {
		m.state, m.out = joined, newOutbox(silentSession(t, job.Job), func() {})
		t.Cleanup(m.out.close)
	}
	return c
}

// silentSession is a session with somebody who hears everything and says nothing.
func silentSession(t *testing.T, job wire.Job) *wire.Session {
	t.Helper()
	here, there := net.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s, err := wire.Handshake{Job: job}.Connect(there)
		for err == nil {
			_, err = s.ReadFrame()
		}
	}()
	s, err := wire.Handshake{Job: job}.Accept(here)
	require.NoError(t, err)
	require.NoError(t, s.Welcome())
	t.Cleanup(func() {
		s.Close()
		there.Close()
		<-ended
	})
	return s
}

// says has a process say how it is.
func (c *Coordinator) says(process int, s status) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.members[process].status = &s
	c.endIfIdle()
}

// Processes may all be idle, each when it says so, and the counts may agree by chance, while messages go
// round. So everybody is asked again, and only if nothing has been received meanwhile the run is over.
func TestARunIsOverOnlyIfNothingHasChangedWhenAllAreAskedAgain(t *testing.T) {
	c := startedCoordinator(t, 2)
	idle := func(probe int, received int64) status { return status{Probe: probe, Idle: true, Received: received} }
	c.says(0, idle(0, 5))
	c.says(1, idle(0, 7))
	require.False(t, c.over, "nobody was asked again")
	require.Equal(t, 1, c.probe)
	c.says(0, idle(1, 5))
	require.False(t, c.over, "one has not answered")
	c.says(1, idle(1, 8))
	require.False(t, c.over, "it has received something meanwhile")
	require.Equal(t, 2, c.probe, "they are asked once more")
	c.says(0, idle(2, 5))
	c.says(1, status{Probe: 2, Received: 8})
	require.False(t, c.over, "it has something to do")
	c.says(1, idle(2, 8))
	require.Equal(t, 3, c.probe)
	c.says(0, idle(3, 5))
	require.False(t, c.over)
	c.says(1, idle(3, 8))
	require.True(t, c.over)
}

// What others have to do first keeps a run from being over.
func TestARunIsNotOverWhileSomebodyHoldsIt(t *testing.T) {
	c := startedCoordinator(t, 1)
	release := c.Hold()
	c.says(0, status{Idle: true})
	c.says(0, status{Idle: true, Probe: c.probe})
	require.False(t, c.over)
	require.Zero(t, c.probe)
	release()
	require.Equal(t, 1, c.probe)
	c.says(0, status{Idle: true, Probe: 1})
	require.True(t, c.over)
}

// A process that has not heard of a failure may still do something about it.
func TestARunIsNotOverBeforeAllHaveHeardOfAllFailures(t *testing.T) {
	c := startedCoordinator(t, 2)
	c.version = 3
	for probe := range 3 {
		c.says(0, status{Idle: true, Probe: probe, Version: 3})
		c.says(1, status{Idle: true, Probe: probe, Version: 2})
	}
	require.False(t, c.over)
	require.Zero(t, c.probe)
}
