package tcp

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// toldTime is a process that has asked what time it is, and been told by a coordinator whose clock has been going for an hour.
func toldTime(t *testing.T, host func(a *anchor) *hostReading) (*Node, error) {
	t.Helper()
	n := listening(t, Config{Job: pairOfProcesses()})
	began := dropAnchor()
	s := playedSession(t, n.cfg.Job.Job, func(there *wire.Session) {
		for {
			c, err := readControl(there)
			if err != nil {
				return
			}
			f := control{Clock: &timeTold{Asked: c.Asked, Shows: time.Hour + time.Since(began.at), Host: host(&began), Origin: began.Shows - time.Hour}}.frame()
			if there.WriteFrame(&f) != nil {
				return
			}
		}
	})
	cc := newCoordinatorConn(n, s)
	t.Cleanup(cc.out.close)
	return n, cc.readClock()
}

// Two processes have one clock if its name is the same and it shows the same, and else each has its own. Either way they agree on the time.
func TestClockIsThatOfTheHostOrEstimated(t *testing.T) {
	for name, c := range map[string]struct {
		host   func(*anchor) *hostReading
		shared bool
	}{
		"same host":     {func(*anchor) *hostReading { return &hostReading{hostName(), readHostClock(), 1} }, true},
		"another host":  {func(*anchor) *hostReading { return &hostReading{"another", readHostClock(), 1} }, false},
		"nameless host": {func(*anchor) *hostReading { return &hostReading{"", readHostClock(), 1} }, false},
		"no host":       {func(*anchor) *hostReading { return nil }, false},
		"copied while it ran, behind": {func(a *anchor) *hostReading {
			return &hostReading{hostName(), a.Shows - time.Nanosecond, 1}
		}, false},
		"copied while it ran, ahead": {func(*anchor) *hostReading {
			return &hostReading{hostName(), readHostClock() + time.Hour, 1}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := time.Now()
			n, err := toldTime(t, c.host)
			require.NoError(t, err)
			require.Equal(t, c.shared, n.steered == nil)
			n.beginAt(time.Hour + time.Minute)
			elapsed := n.elapsed()
			require.Negative(t, elapsed+time.Minute-time.Since(before), "it is not later than that")
			require.GreaterOrEqual(t, elapsed+n.clockError(), -time.Minute)
			require.Equal(t, c.shared, n.clockError() > 0, "there is no error before the run but that of reading")
		})
	}
}

func TestClockMustBeTold(t *testing.T) {
	told := control{Clock: &timeTold{Asked: 1}}
	require.EqualError(t, answering(t, told, control{Probe: 1}).readClock(), "the coordinator does not say what time it is")
	require.Error(t, answering(t, told).readClock())
}

// An anchor is an instant on both clocks.
func TestAnchorsHold(t *testing.T) {
	for range 100 {
		host, own := readHostClock(), time.Now()
		a := dropAnchor()
		require.False(t, a.at.Before(own))
		require.GreaterOrEqual(t, a.Shows+a.Error, host)
		require.Positive(t, a.Error)
		require.Equal(t, a.at.Add(time.Second), a.when(a.Shows+time.Second))
		b := dropAnchor()
		require.InDelta(t, b.at.Sub(a.at), b.Shows-a.Shows, float64(a.Error+b.Error), "both clocks go at the same rate")
	}
}

// A process that has joined may ask at any time, and is answered if it has read all that it was told before.
func TestTimeIsToldToThoseWhoListen(t *testing.T) {
	c := startedCoordinator(t, 2)
	heard := make(chan string, 10)
	m := c.members[1]
	m.out = newOutbox(heardSession(t, c.cfg.Job.Job, func(f wire.Frame) { heard <- f.Payload }), func() {})
	t.Cleanup(m.out.close)
	require.NoError(t, c.hear(m, control{Asked: 17}))
	told := <-heard
	require.True(t, strings.HasPrefix(told, `{"Clock":{"Asked":17,"Shows":`), told)
	require.NotContains(t, told, "Host", "it knows that")
	m.out.flush(time.Minute)
	setWriting := func(writing bool) {
		m.out.mu.Lock()
		defer m.out.mu.Unlock()
		m.out.writing = writing
	}
	setWriting(true) // what it was told before is still here
	require.NoError(t, c.hear(m, control{Asked: 18}))
	require.Empty(t, m.out.backlog)
	setWriting(false)
	require.NoError(t, c.hear(m, control{Asked: 19}))
	require.True(t, strings.HasPrefix(<-heard, `{"Clock":{"Asked":19,`), "the one before has got no answer")
}

// The clocks of two processes differ by what both may be wrong, and it is the worst two that count.
func TestClocksDifferByTheErrorsOfTheWorstTwo(t *testing.T) {
	c := startedCoordinator(t, 4)
	c.cfg.Faults = faults.MustParse("crash:2@t5")
	require.Zero(t, c.result().ClockError)
	for process, by := range []time.Duration{3, 40, 7, 20} {
		c.noteClock(c.members[process], by)
	}
	c.noteClock(c.members[1], 5) // in another life
	require.EqualValues(t, 60, c.result().ClockError)
	require.NoError(t, c.record(c.members[2], &lastWords{rankReport: unheard(2, report.Crashed, 5), ClockError: 100}), "last words count, too")
	require.EqualValues(t, 140, c.clocksDiffer())
}

// Of all attempts the one counts whose two readings lie closest together, and if that is close enough there are no more.
func TestAnchorsAreAsPreciseAsCanBeHad(t *testing.T) {
	shows, readings := time.Duration(0), 0
	steps := func(all ...time.Duration) func() time.Duration {
		shows, readings = 0, 0
		return func() time.Duration {
			shows += all[readings%len(all)]
			readings++
			return shows
		}
	}
	a := dropAnchorIn("here", steps(10_000, 5000, 10_000, 600, 10_000, 8000))
	require.Equal(t, hostReading{"here", 10_000 + 5000 + 10_000 + 300, 300}, a.hostReading)
	require.Equal(t, 2*anchorAttempts, readings)
	a = dropAnchorIn("here", steps(10_000, 5000, 10_000, 100, 10_000, 50))
	require.Equal(t, hostReading{"here", 10_000 + 5000 + 10_000 + 50, 50}, a.hostReading)
	require.Equal(t, 4, readings)
}

// Hosts without a name are not the same host.
func TestNobodySharesTheClockOfAHostWithoutName(t *testing.T) {
	nameless, named := anchor{}, anchor{hostReading: hostReading{Host: "a"}}
	require.False(t, nameless.isOf(&hostReading{Shows: 5}, 4, 6))
	require.True(t, named.isOf(&hostReading{Host: "a", Shows: 5}, 4, 6))
	require.True(t, named.isOf(&hostReading{Host: "a", Shows: 5}, 5, 5))
	require.False(t, named.isOf(&hostReading{Host: "a", Shows: 5}, 6, 7))
	require.False(t, named.isOf(&hostReading{Host: "a", Shows: 5}, 3, 4))
	require.False(t, named.isOf(nil, 4, 6))
}

// The error of a clock that two have read is that of both readings.
func TestErrorsOfBothReadingsCount(t *testing.T) {
	n, err := toldTime(t, func(*anchor) *hostReading { return &hostReading{hostName(), readHostClock(), time.Hour} })
	require.NoError(t, err)
	require.Greater(t, n.clockError(), time.Hour)
}

// What was asked before the last question is answered too late: nobody knows any more when that was.
func TestOnlyTheLastQuestionIsAnswered(t *testing.T) {
	n := listening(t, Config{Job: pairOfProcesses()})
	own := time.Duration(0)
	n.steered = simulated(&own, offset{-1e6, 1e6, 0})
	cc := newCoordinatorConn(n, silentSession(t, n.cfg.Job.Job))
	t.Cleanup(cc.out.close)
	cc.asked = timeAsked{number: 7, at: 100}
	known := n.steered.known
	for _, number := range []int{6, 8, 0} {
		cc.learnTime(timeHeard{&timeTold{Asked: number, Shows: 150}, 200})
		require.Equal(t, known, n.steered.known)
	}
	cc.learnTime(timeHeard{&timeTold{Asked: 7, Shows: 150}, 200})
	require.Equal(t, firstOffset(100, 200, 150), n.steered.known)
}
