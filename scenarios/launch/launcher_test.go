package launch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fake is a starter that starts nothing, and notes what it is told.
type fake struct {
	started []processSpec
	killed  []int
	closed  bool
	refuses error
}

func (f *fake) start(spec processSpec) error {
	f.started = append(f.started, spec)
	return f.refuses
}
func (f *fake) kill(process int) { f.killed = append(f.killed, process) }
func (f *fake) close()           { f.closed = true }

// prepared is a launcher whose processes are never started.
func prepared(t *testing.T, text string, o Options, starters ...starter) *launcher {
	t.Helper()
	o.Command = []string{"/bin/true"}
	l, err := newLauncher(parsed(t, text), o)
	require.NoError(t, err)
	t.Cleanup(l.close)
	if len(starters) > 0 {
		l.starters[0].close()
		l.starters = starters
	}
	return l
}

func TestProcessesAreStartedOnHostsInTurns(t *testing.T) {
	for _, c := range []struct {
		hosts   []Host
		process int
		listen  string
	}{
		{nil, 3, ""},
		{[]Host{{"a", "10.0.0.1"}}, 3, "10.0.0.1:0"},
		{[]Host{{"a", "10.0.0.1"}, {"b", "10.0.0.2"}}, 0, "10.0.0.1:0"},
		{[]Host{{"a", "10.0.0.1"}, {"b", "10.0.0.2"}}, 3, "10.0.0.2:0"},
	} {
		var fakes []*fake
		var starters []starter
		for range max(1, len(c.hosts)) {
			fakes = append(fakes, &fake{})
			starters = append(starters, fakes[len(fakes)-1])
		}
		l := prepared(t, "broadcast P=4 tick=5ms", Options{}, starters...)
		l.options.Hosts = c.hosts
		require.NoError(t, l.start(c.process, 2))
		started := fakes[c.process%len(fakes)].started
		require.Len(t, started, 1)
		want := l.spec
		want.Process, want.Life, want.Listen = c.process, 2, c.listen
		require.Equal(t, want, started[0])
		l.close()
		for _, f := range fakes {
			require.True(t, f.closed)
		}
	}
}

// A process that ends before the run has begun is the reason why it does not begin.
func TestRunDoesNotBeginIfAProcessEnds(t *testing.T) {
	for problem, want := range map[string]string{
		"":              "launch: process 1 ended before the run began",
		"exit status 7": "launch: process 1 ended before the run began: exit status 7",
	} {
		l := prepared(t, "broadcast P=2 tick=5ms", Options{}, &fake{})
		l.processEnded(ending{Process: 1, Problem: problem})
		_, err := l.run(t.Context())
		require.EqualError(t, err, want)
	}
}

// What keeps a process from being started is the reason, unless there was one before.
func TestRunDoesNotBeginIfAProcessCannotBeStarted(t *testing.T) {
	refused, enough := errors.New("refused"), errors.New("enough")
	f := &fake{refuses: refused}
	l := prepared(t, "broadcast P=2 tick=5ms", Options{}, f)
	_, err := l.run(t.Context())
	require.Equal(t, refused, err)
	require.Len(t, f.started, 1)
	l.fail(enough)
	_, err = l.run(t.Context())
	require.Equal(t, enough, err)
}

func TestRunEndsWithItsContext(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	f := &fake{}
	l := prepared(t, "broadcast P=2 tick=5ms", Options{}, f)
	cancel(enough)
	_, err := l.run(ctx)
	require.ErrorIs(t, err, enough)
}

// Only where each rank has a process of its own, one that is dead before the run need not be started.
func TestProcessThatIsDownFromTheStartIsNotStarted(t *testing.T) {
	for text, down := range map[string][]bool{
		"broadcast P=3 tick=5ms faults=crash:1":           {false, true, false},
		"broadcast P=3 tick=5ms faults=crash:1@t1":        {false, false, false},
		"broadcast P=3 tick=5ms faults=hang:1,crash:2@t0": {false, false, true},
	} {
		whole, shared := prepared(t, text, Options{}), prepared(t, text, Options{Processes: 2})
		for process, is := range down {
			require.Equal(t, is, whole.downFromStart(process), text)
			require.False(t, shared.downFromStart(process), text)
		}
	}
}

// What the coordinator says is passed on until the end; what it says of processes that were killed then is of no interest.
func TestNothingIsSaidAfterTheEnd(t *testing.T) {
	var said bytes.Buffer
	l := prepared(t, "broadcast P=2 tick=5ms", Options{Stderr: &said}, &fake{})
	l.log("before")
	l.close()
	l.log("after")
	require.Equal(t, "before\n", said.String())
}

func TestRunWaitsUntilAllProcessesKnowThatItBegins(t *testing.T) {
	require.Equal(t, 20*time.Millisecond, delayOf(0))
	require.Equal(t, 220*time.Millisecond, delayOf(1000))
}

// A tick of any length will do.
func TestShortestTickIsLongEnough(t *testing.T) {
	require.NoError(t, check(parsed(t, "broadcast P=2 tick=1ns"), Options{Processes: 2}))
	require.NoError(t, check(parsed(t, "broadcast P=2 tick=1ns"), Options{Processes: 1}))
}

// By default other hosts are reached by ssh, and have this very program.
func TestUsualShellAndAgent(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "ssh"), []byte("#!/bin/sh\nexec /bin/cat >/dev/null\n"), 0o700))
	t.Setenv("PATH", folder)
	for _, c := range []struct {
		Options
		args []string
	}{
		{Options{}, []string{"ssh", "-o", "BatchMode=yes", "far", "mangrove", "agent"}},
		{Options{Agent: []string{"own", "agent"}}, []string{"ssh", "-o", "BatchMode=yes", "far", "own", "agent"}},
		{Options{Shell: []string{"ssh", "-4"}}, []string{"ssh", "-4", "far", "mangrove", "agent"}},
	} {
		c.Stderr = io.Discard
		r, err := newRemote(Host{Name: "far"}, c.Options, func(ending) {}, func(err error) { t.Error(err) })
		require.NoError(t, err)
		require.Equal(t, c.args, r.cmd.Args)
		r.close()
	}
}

// What an agent says of the end of a process is passed on, with the host if something was wrong.
func TestAnAgentTellsOfTheEndsOfItsProcesses(t *testing.T) {
	ends := make(chan ending, 2)
	said := `echo '{"Process":1,"Life":2} {"Process":3,"Problem":"broken"}'; cat >/dev/null`
	r, err := newRemote(Host{Name: "far"}, Options{Shell: []string{"/bin/sh", "-c", said}, Stderr: io.Discard},
		func(e ending) { ends <- e }, func(err error) { t.Error(err) })
	require.NoError(t, err)
	require.Equal(t, ending{Process: 1, Life: 2}, <-ends)
	require.Equal(t, ending{Process: 3, Problem: "host far: broken"}, <-ends)
	r.close()
}
