package launch

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

func parsed(t *testing.T, text string) *scenarios.Run {
	t.Helper()
	run, err := catalog.ParseLine(text)
	require.NoError(t, err, text)
	return run
}

func TestWhatCannotBeLaunchedIsRefused(t *testing.T) {
	for _, c := range []struct {
		line string
		Options
		says string
	}{
		{"broadcast P=4 tick=5ms", Options{Processes: 5}, "5 processes, want 1 to 4, the number of ranks P"},
		{"broadcast P=4 tick=5ms", Options{Processes: -1}, "-1 processes, want 1 to 4"},
		{"broadcast P=4", Options{}, "ticks have no length"},
		{"broadcast P=4 tick=1ms nodes=2 Lin=1", Options{}, "nodes=2: processes are where they were started; want none"},
		{"broadcast P=4 tick=1ms noise=99:1", Options{}, "noise=99:1: processes have that of their own machine; want none"},
		{"broadcast P=4", Options{Processes: 5}, "the number of ranks P; ticks have no length"},
		{"collective detector=wrong P=4 tick=5ms", Options{}, "detector=wrong: nobody is taken for failed on processes who is not"},
		{"broadcast P=4 tick=5ms", Options{Hosts: []Host{{Name: "a", Address: "a"}}}, "hosts without an address at which they reach this one"},
		{"broadcast P=4 tick=5ms", Options{Listen: "no address"}, "address"},
	} {
		_, err := Launch(t.Context(), parsed(t, c.line), c.Options)
		require.ErrorContains(t, err, c.says)
		var refused *line.InputError
		require.ErrorAs(t, err, &refused)
	}
}

// Hangs are noticed after the time that the line gives them, but not before patience has run out.
func TestPatienceOfTheFailureDetector(t *testing.T) {
	for text, c := range map[string]struct {
		patience time.Duration
		want     tcp.Detection
	}{
		"broadcast P=4 tick=1ms":                                {0, tcp.Detection{}},
		"collective P=4 tick=1ms detector=heartbeat":            {0, tcp.Detection{Offered: true, Timeout: time.Second}},
		"collective P=4 tick=2ms detector=heartbeat":            {3 * time.Second, tcp.Detection{Offered: true, Timeout: 3 * time.Second}},
		"collective P=4 tick=1000s detector=heartbeat":          {time.Second, tcp.Detection{Offered: true}},
		"collective P=4 tick=1000s detector=delayed op=barrier": {time.Second, tcp.Detection{Offered: true}},
		"collective P=4 tick=1ms detector=perfect op=allreduce": {time.Second, tcp.Detection{Offered: true}},
		"collective P=4 tick=1ms detector=uneven spread=9":      {time.Second, tcp.Detection{Offered: true}},
	} {
		run := parsed(t, text)
		got := detectionOf(run, c.patience)
		if d := run.Config().Detection; d.Hangs && strings.Contains(text, "tick=1000s") {
			c.want.Timeout = time.Duration(d.Delay) * 1000 * time.Second
			require.Greater(t, c.want.Timeout, c.patience)
		}
		require.Equal(t, c.want, got, text)
	}
}

// A job is what the line says it is, also in a process that was sent its specification.
func TestSpecificationSaysAllOfAJob(t *testing.T) {
	run := parsed(t, "broadcast P=4 tick=5ms seed=9 L=3 faults=crash:1@send1")
	schedule, err := run.Schedule()
	require.NoError(t, err)
	key := wire.NewJob()
	for _, processes := range []int{2, 4} {
		job := jobOf(run, key, schedule, Options{Processes: processes, Pace: tcp.Sends, Encrypt: true, Eager: true})
		require.Equal(t, 5*time.Millisecond, job.Tick)
		require.EqualValues(t, 9, job.Seed)
		require.Equal(t, clock.Time(3), job.Latency)
		require.Equal(t, processes == 4, signals(job))
		spec := processSpec{
			Key: key.Key(), Faults: schedule.String(), Processes: processes, Process: 1, Life: 2, Pace: tcp.Sends, Encrypt: true, Eager: true,
		}
		cfg, err := spec.config(run, nil)
		require.NoError(t, err)
		require.Equal(t, tcp.Config{Job: job, Process: 1, Life: 2, Signals: processes == 4}, cfg)
		spec.Listen = "10.0.0.1:0"
		cfg, err = spec.config(run, nil)
		require.NoError(t, err)
		require.Equal(t, tcp.Config{Job: job, Process: 1, Life: 2, Signals: processes == 4, Listen: "10.0.0.1:0", Anywhere: true}, cfg)
	}
}

func TestWorkThatMakesNoSenseIsAnError(t *testing.T) {
	for input, says := range map[string]string{
		"":                   "launch: no specification of a process: EOF",
		"hello":              "launch: no specification of a process: invalid character",
		`{"Line":"nothing"}`: "launch: process 0: ",
		`{"Line":"broadcast P=2 tick=5ms","Key":"?"}`:                                                             "wire: key of a job",
		`{"Line":"broadcast P=2 tick=5ms","Key":"` + wire.NewJob().Key() + `","Faults":"?"}`:                      "faults: ",
		`{"Line":"broadcast P=2 tick=5ms","Key":"` + wire.NewJob().Key() + `","Processes":2,"Process":2}`:         "process 2, want 0 to 1",
		`{"Line":"broadcast P=2 tick=5ms","Key":"` + wire.NewJob().Key() + `","Processes":2,"Coordinator":"a:1"}`: "launch: the launcher has ended",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		err := Work(ctx, catalog.All(), strings.NewReader(input), nil)
		require.ErrorContains(t, err, says, input)
		cancel()
	}
}

// What processes have left is judged as on the emulator; what nobody has planned for is worth a note.
func TestJudgement(t *testing.T) {
	run := parsed(t, "broadcast P=4 correction=none tick=5ms")
	result := func() *tcp.Result {
		rep := &report.Report{LogP: run.Config().LogP, Ranks: make([]report.RankResult, 4), Faults: faults.Schedule{}}
		for rank := range rep.Ranks {
			rep.Ranks[rank] = report.RankResult{Outcome: report.Finished, Coloured: clock.Time(rank)}
		}
		states := make([][]byte, 4)
		for rank := range states {
			var err error
			states[rank], err = run.Save(rank)
			require.NoError(t, err)
		}
		return &tcp.Result{Report: rep, States: states}
	}
	outcome, err := judge(run, 3, result())
	require.NoError(t, err)
	require.Equal(t, 3, outcome.Processes)
	require.Empty(t, outcome.Notes)
	require.Zero(t, outcome.Late)
	require.Equal(t, guarantee.Held, outcome.Verdict())

	res := result()
	res.Late = 7
	outcome, err = judge(run, 3, res)
	require.NoError(t, err)
	require.Zero(t, outcome.Late, "they did not try to keep up")
	res.Paced = true
	outcome, err = judge(run, 3, res)
	require.NoError(t, err)
	require.EqualValues(t, 7, outcome.Late)
	require.Equal(t, guarantee.Held, outcome.Verdict(), "nothing is broken")
	require.Empty(t, outcome.Notes)

	res.Unscheduled = []report.Failure{{Rank: 2}, {Rank: 1}}
	outcome, err = judge(run, 3, res)
	require.NoError(t, err)
	require.Equal(t, []string{
		"rank 2: its process was killed or stopped by somebody else, or has ended; what it had sent until then is not counted",
		"rank 1: its process was killed or stopped by somebody else, or has ended; what it had sent until then is not counted",
	}, outcome.Notes)

	res = result()
	for _, failed := range []bool{false, true} {
		res.States[2] = []byte("no state")
		if failed {
			res.Ranks[2].Outcome = report.Crashed
		}
		_, err = judge(run, 3, res)
		require.Equal(t, failed, err == nil, "nobody looks at what one has left that has failed")
	}
}

// Runs in which something was broken come before those in which nothing could be judged.
func TestVerdictOfASeries(t *testing.T) {
	for _, c := range []struct {
		Series
		want guarantee.Value
	}{
		{Series{}, guarantee.NotClaimed},
		{Series{Runs: 3}, guarantee.Held},
		{Series{Runs: 3, Unjudged: 2}, guarantee.Held},
		{Series{Runs: 3, Unjudged: 3}, guarantee.NotClaimed},
		{Series{Runs: 3, Unjudged: 2, Broken: 1}, guarantee.Broken},
		{Series{Runs: 3, TooLate: 2}, guarantee.Held},
		{Series{Runs: 3, TooLate: 1, Unjudged: 2}, guarantee.TooLate},
		{Series{Runs: 3, TooLate: 2, Broken: 1}, guarantee.Broken},
	} {
		require.Equal(t, c.want, c.Verdict())
	}
	var s Series
	for _, text := range []string{"reduce P=8 f=1 faults=crash:1,crash:2,crash:3", "broadcast P=4", "broadcast P=4 correction=none faults=crash:1"} {
		outcome, err := parsed(t, text).Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)
		s.Add(outcome)
	}
	outcome, err := parsed(t, "broadcast P=8 correction=opportunistic d=0 faults=crash:1").Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	outcome.Late = 1
	outcome.ExcuseLateness()
	s.Add(outcome)
	require.Equal(t, []int{4, 1, 1, 1, 5}, []int{s.Runs, s.Broken, s.TooLate, s.Unjudged, s.Failed})
}

// An agent that is told to end by its context does so.
func TestAnAgentEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	silent, end := context.WithCancel(t.Context())
	defer end()
	require.ErrorIs(t, Serve(ctx, []string{"/bin/true"}, silence{silent}, nil, nil), enough)
}

// silence is an input over which nothing comes until it ends.
type silence struct{ context.Context }

func (s silence) Read([]byte) (int, error) {
	<-s.Done()
	return 0, context.Cause(s)
}

// Nobody is held back on processes so that another one hears of a failure first, and the report says so.
func TestASpreadIsNotImposedOnProcesses(t *testing.T) {
	for text, notes := range map[string][]string{
		"collective P=1 tick=5ms detector=uneven spread=10": {"a spread of 10 ticks (50 ms) is not imposed on processes: they hear of failures as soon as the launcher tells them, all in the same order"},
		"collective P=1 tick=5ms detector=delayed":          nil,
	} {
		run := parsed(t, text)
		run.Prepare()
		state, err := run.Save(0)
		require.NoError(t, err)
		rep := &report.Report{LogP: run.Config().LogP, Ranks: []report.RankResult{{Outcome: report.Finished}}, Faults: faults.Schedule{}}
		outcome, err := judge(run, 1, &tcp.Result{Report: rep, States: [][]byte{state}})
		require.NoError(t, err)
		require.Equal(t, notes, outcome.Notes, text)
	}
}
