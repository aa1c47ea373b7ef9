package tcp

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// answering is a process and its conversation with a coordinator that says these things, one after the other.
func answering(t *testing.T, says ...control) *coordinatorConn {
	t.Helper()
	n := listening(t, Config{Job: pairOfProcesses()})
	s := playedSession(t, n.cfg.Job.Job, func(there *wire.Session) {
		for _, c := range says {
			f := c.frame()
			there.WriteFrame(&f)
		}
		there.Close()
	})
	cc := newCoordinatorConn(n, s)
	t.Cleanup(cc.out.close)
	return cc
}

// What a coordinator says before the start is waited for, in whichever order it comes, until something is wrong.
func TestProcessThatCannotBeginSaysWhy(t *testing.T) {
	peers := []peer{{Process: 0}, {Process: 1, Failed: true}}
	for name, c := range map[string]struct {
		says []control
		want string
	}{
		"begins":              {[]control{{Start: &start{Version: 7}}}, ""},
		"begins when told to": {[]control{{Probe: 1}, {Connect: peers}, {Start: &start{Version: 7}}, {Over: true}}, ""},
		"over":                {[]control{{Over: true}, {Start: &start{}}}, "the run is over"},
		"gone":                {nil, "EOF"},
		"job of another size": {[]control{{Connect: peers[:1]}}, "a job of 1 processes, want 2"},
	} {
		t.Run(name, func(t *testing.T) {
			cc := answering(t, c.says...)
			err := cc.awaitStart()
			if c.want == "" {
				require.NoError(t, err)
				require.Equal(t, 7, cc.start.Version)
			} else {
				require.EqualError(t, err, c.want)
			}
		})
	}
}

// A process does what the coordinator says until it has its report, or is gone.
func TestProcessListensToItsCoordinator(t *testing.T) {
	for name, c := range map[string]struct {
		says      []control
		delivered bool
		failed    string
	}{
		"to the end":          {[]control{{Probe: 3}, {Change: &change{Version: 5}}, {Over: true}, {Delivered: true}}, true, ""},
		"until it is gone":    {[]control{{Probe: 3}, {Change: &change{Version: 5}}}, false, "tcp: process 0 has lost the coordinator: it has ended, or the network has lost it"},
		"gone after the end":  {[]control{{Probe: 3}, {Change: &change{Version: 5}}, {Over: true}}, false, ""},
		"delivered, then not": {[]control{{Probe: 3}, {Change: &change{Version: 5}}, {Delivered: true}, {Over: true}}, true, "open"},
	} {
		t.Run(name, func(t *testing.T) {
			cc := answering(t, c.says...)
			cc.listen()
			require.Equal(t, 3, <-cc.probes)
			<-cc.gone
			require.Equal(t, c.delivered, cc.delivered)
			n := cc.node
			eventually(t, func() bool { return n.version.Load() == 5 }, "the change")
			switch c.failed {
			case "open":
				require.False(t, n.isOver())
			case "":
				require.True(t, n.isOver())
				require.Equal(t, name == "to the end", n.failed == nil)
			default:
				require.EqualError(t, n.failed, c.failed)
			}
		})
	}
}

// A report that is too long for a frame is not sent, and nobody waits for what does not come.
func TestReportThatCannotBeDelivered(t *testing.T) {
	cc := answering(t)
	long := []rankReport{{State: []byte(strings.Repeat("x", wire.DefaultLimit))}}
	require.ErrorContains(t, cc.deliver(t.Context(), long), "which is more than a frame may have; want more processes")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errEnough)
	require.ErrorIs(t, cc.deliver(ctx, nil), errEnough)
}

func TestRunNeedsJoin(t *testing.T) {
	n := listening(t, Config{Job: pairOfProcesses()})
	require.EqualError(t, n.Run(t.Context(), protocols.Program{}, nil), "tcp: Run before Join")
}

// All processes must have the same terms, and join once, in time.
func TestProcessJoinsOnce(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(c *Coordinator, m *member)
		terms string
		says  string
	}{
		"well":            {func(*Coordinator, *member) {}, "", ""},
		"twice":           {func(_ *Coordinator, m *member) { m.state = joined }, "", "it joins again"},
		"too late":        {func(c *Coordinator, _ *member) { c.over = true }, "", "it joins when the run is over"},
		"other terms":     {func(*Coordinator, *member) {}, "another run", "tcp: process 1 has another run, want  (P=2 "},
		"after the start": {func(c *Coordinator, _ *member) { c.started = true }, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := scheduled(t, "crash:1@t5,rejoin:1@t9")
			c.started = false
			c.failsAt(5, report.Crashed, 0)
			m := c.members[1]
			m.state, m.born = expected, 9
			test.spoil(c, m)
			started, terms := c.started, test.terms
			if terms == "" && test.says == "" {
				terms = c.cfg.terms()
			}
			err := c.join(m, &joining{Address: "127.0.0.1:7", Terms: terms})
			if test.says != "" {
				require.ErrorContains(t, err, test.says)
				require.Equal(t, test.terms != "", c.err != nil)
				return
			}
			require.NoError(t, err)
			require.Equal(t, joined, m.state)
			require.Equal(t, "127.0.0.1:7", m.address)
			require.Equal(t, started, len(c.rejoins) == 1, "one that is started again begins at once")
			require.Equal(t, started, c.version == 1)
			require.Equal(t, !started, c.down[1])
			if started {
				require.Equal(t, -startGrace, m.silence)
				require.Equal(t, clock.Time(9), c.histories[1].Happened[1].Time, "it was to begin then")
			}
		})
	}
}

// A rank that comes back has forgotten what it asked for before.
func TestDetectorForgetsWhatAFormerLifeAskedFor(t *testing.T) {
	n := hearing(t, 4, 2) // ranks 0 and 1 are here
	for _, rank := range []int{0, 1} {
		d := (*detector)(n.local(rank))
		d.Watch(3)
		d.WatchNext(0)
	}
	n.detector.forget(1)
	n.learn(3)
	require.Len(t, n.local(0).box.received(), 2)
	require.Empty(t, n.local(1).box.received())
}

// What is known already is told at once, and the bounds of what can be asked for are those of the job.
func TestDetectorTellsAtOnceWhatItKnows(t *testing.T) {
	n := hearing(t, 4, 2)
	d := (*detector)(n.local(0))
	_, known := d.Known(0)
	require.False(t, known)
	n.learn(3)
	rank, known := d.Known(0)
	require.True(t, known)
	require.Equal(t, 3, rank)
	_, known = d.Known(1)
	require.False(t, known)
	d.WatchNext(0)
	d.Watch(3)
	told := n.local(0).box.received()
	require.Len(t, told, 2)
	for _, l := range told {
		require.Equal(t, 3, l.from)
		require.Equal(t, protocols.Failed, l.msg.Kind)
	}
	d.WatchNext(1)
	d.Watch(2)
	require.Empty(t, n.local(0).box.received())
	for _, wrong := range []func(){func() { d.Watch(4) }, func() { d.Watch(-1) }, func() { d.Suspects(4) }, func() { d.Known(-1) }, func() { d.WatchNext(-1) }} {
		require.Panics(t, wrong)
		require.False(t, d.Suspects(1), "it can still be asked")
	}
}

// pair is a network on which messages from rank 0 take longer.
type pair struct{}

func (pair) Latency(from, _ int) clock.Time { return clock.Time(100 - 90*from) }
func (pair) MinLatency() clock.Time         { return 10 }

// By pace Model messages arrive when the network of the job says so.
func TestMessagesTakeAsLongAsTheNetworkSays(t *testing.T) {
	for _, c := range []struct {
		network clock.Network
		pace    Pace
		at      clock.Time
	}{{nil, Model, 7 + 2}, {pair{}, Model, 7 + 100}} {
		job := pairOfProcesses()
		job.Network, job.Pace, job.Processes = c.network, c.pace, 1
		n := listening(t, Config{Job: job})
		n.receive(&wire.Frame{From: 0, To: 1, Left: 7, Message: mailbox.Message{A: 5}})
		b := n.local(1).box
		require.Equal(t, []letter{{from: 0, at: c.at, msg: mailbox.Message{A: 5}}}, b.coming)
	}
}

// What comes later than the network allows is late by the difference.
func TestMessagesAreLateIfTheyTakeLonger(t *testing.T) {
	for _, pace := range []Pace{Free, Sends, Model} {
		job := pairOfProcesses()
		job.Pace, job.Processes, job.Tick = pace, 1, time.Hour
		n := listening(t, Config{Job: job})
		n.begin = time.Now().Add(-20*time.Hour - 30*time.Minute)
		n.receive(&wire.Frame{From: 0, To: 1, Left: 7})
		require.EqualValues(t, 20-7-2, n.local(1).late.most())
		first, _ := n.local(1).box.span()
		require.Equal(t, pace != Model, first == 20, "it is received when it comes")
	}
}

func TestClocksBeginWithTheRun(t *testing.T) {
	job := pairOfProcesses()
	job.Tick = time.Hour
	n := listening(t, Config{Job: job})
	n.begin = time.Now().Add(3 * time.Hour)
	require.Zero(t, n.now())
	n.begin = time.Now().Add(-150 * time.Minute)
	require.EqualValues(t, 2, n.now())
	require.True(t, n.sleepUntil(2), "it has passed")
	require.Nil(t, n.alarm(clock.Never), "it does not come")
	require.NotNil(t, n.alarm(1000))
	n.finish(nil)
	require.False(t, n.sleepUntil(10))
}

// A clock that is steered may go more slowly than that of the host. Nobody takes it for further than it is.
func TestNobodyIsAheadOfASteeredClock(t *testing.T) {
	t.Parallel()
	job := pairOfProcesses()
	job.Tick = 10 * time.Millisecond
	n := listening(t, Config{Job: job})
	n.steered = &steering{epoch: time.Now(), skewed: func(own time.Duration) time.Duration { return own / 2 }}
	n.steered.set(offset{})
	n.steered.begin(0)
	require.True(t, n.sleepUntil(4))
	require.GreaterOrEqual(t, n.elapsed(), 4*job.Tick)
	r := n.local(0)
	r.WaitUntil(8)
	require.GreaterOrEqual(t, n.elapsed(), 8*job.Tick)
	require.GreaterOrEqual(t, r.Now(), clock.Time(8))
}

func TestPacesHaveNames(t *testing.T) {
	var names []string
	for _, p := range Paces() {
		names = append(names, p.String())
	}
	require.Equal(t, []string{"free", "sends", "model"}, names)
	require.Equal(t, "pace(3)", (Model + 1).String())
}
