package tcp_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// requireTrue makes sure that the clock of a process is no more wrong than it says.
func (r *running) requireTrue(t *testing.T, n *tcp.Node) (wrong time.Duration) {
	t.Helper()
	before := r.coordinator.Elapsed()
	elapsed, _ := n.Elapsed()
	after := r.coordinator.Elapsed()
	_, wrong = n.Elapsed() // afterwards, so that it speaks of that reading as well
	require.GreaterOrEqual(t, elapsed, before-wrong)
	require.LessOrEqual(t, elapsed, after+wrong)
	return wrong
}

// runWatched runs a ring and looks at the clocks of all processes meanwhile.
func (r *running) runWatched(t *testing.T, times int, pause time.Duration) *tcp.Result {
	t.Helper()
	ring := newRing(r.job.Ranks)
	wait := r.start(ring.program())
	<-ring.begun
	for range times {
		for _, n := range r.nodes {
			r.requireTrue(t, n)
		}
		time.Sleep(pause)
	}
	close(ring.until)
	res := wait(t)
	ring.requireRight(t, res)
	return res
}

// Processes of one host have one clock, so their readings agree but for the time that reading takes.
func TestProcessesOfAHostHaveOneClock(t *testing.T) {
	t.Parallel()
	r := prepare(t, someJob(16, 16), tcp.Detection{})
	res := r.runWatched(t, 20, time.Millisecond)
	for _, n := range r.nodes {
		require.True(t, n.SharesClock())
	}
	require.Positive(t, res.ClockError)
	require.Empty(t, r.log.String())
}

// slowPipe passes on what it gets after a time, which need not be the same in both directions.
func slowPipe(t *testing.T, to string, there, back time.Duration) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	pass := func(to, from net.Conn, delay time.Duration) {
		defer to.Close()
		buf := make([]byte, 1<<16)
		for {
			n, err := from.Read(buf)
			time.Sleep(delay)
			if _, failed := to.Write(buf[:n]); err != nil || failed != nil {
				io.Copy(io.Discard, from)
				return
			}
		}
	}
	go func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				return
			}
			go pass(out, in, there)
			go pass(in, out, back)
		}
	}()
	return listener.Addr().String()
}

// goesAt is a clock that began some time ago, and is too fast or too slow by so many parts of a million.
func goesAt(began time.Duration, ppm float64) func(time.Duration) time.Duration {
	return func(own time.Duration) time.Duration { return began + own + time.Duration(float64(own)*ppm/1e6) }
}

// Processes that take themselves for those of other hosts have clocks that are off and drift, and ways to the coordinator that are slower in one
// direction than in the other. The truth lies within the error that they tell of, as long as the run takes.
func TestClocksOfOtherHostsAreAsWrongAsTheySay(t *testing.T) {
	t.Parallel()
	const there, back = 4 * time.Millisecond, 500 * time.Microsecond
	r := prepare(t, someJob(4, 4), tcp.Detection{})
	r.by = slowPipe(t, r.coordinator.Addr().String(), there, back)
	r.nodes[0].Pretend(goesAt(0, 90))
	r.nodes[1].Pretend(goesAt(1000*time.Hour, -90))
	r.nodes[2].Pretend(goesAt(-time.Hour, 0))
	res := r.runWatched(t, 60, tcp.TimePause/20) // some of the way to the third answer, at least
	for process, n := range r.nodes {
		require.Equal(t, process == 3, n.SharesClock())
		if process < 3 {
			require.GreaterOrEqual(t, r.requireTrue(t, n), (there+back)/2, "nobody can be surer than that")
		}
	}
	require.GreaterOrEqual(t, res.ClockError, there+back, "two of them may be wrong by that much")
}

// A clock that drifts faster than clocks may is noticed, and told of.
func TestClocksThatDriftTooFastAreToldOf(t *testing.T) {
	t.Parallel()
	r := prepare(t, someJob(2, 2), tcp.Detection{})
	r.nodes[1].Pretend(goesAt(0, 50_000)) // 5 %
	ring := newRing(2)
	wait := r.start(ring.program())
	const says = "process 1: the clock of this host goes too fast or too slow"
	r.log.await(t, says)
	time.Sleep(4 * tcp.TimePause) // more answers, none of which is told of
	require.Equal(t, 1, strings.Count(r.log.String(), says))
	close(ring.until)
	ring.requireRight(t, wait(t))
}
