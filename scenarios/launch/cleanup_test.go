package launch_test

import (
	"context"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// launching runs a line in the background.
type launching struct {
	outcome *scenarios.Outcome
	err     error
	done    chan struct{}
}

func begin(t *testing.T, ctx context.Context, line string, o launch.Options) *launching {
	t.Helper()
	run, err := registry().ParseLine(line)
	require.NoError(t, err)
	if o.Command == nil {
		o.Command = workers(label(t))
	}
	if o.Stderr == nil {
		o.Stderr = t.Output()
	}
	l := &launching{done: make(chan struct{})}
	go func() {
		defer close(l.done)
		l.outcome, l.err = launch.Launch(ctx, run, o)
	}()
	t.Cleanup(func() { <-l.done })
	return l
}

// wait returns how it went, which must not take for ever.
func (l *launching) wait(t *testing.T) (*scenarios.Outcome, error) {
	t.Helper()
	select {
	case <-l.done:
	case <-time.After(patience):
		require.FailNow(t, "the launcher does not come back")
	}
	return l.outcome, l.err
}

func TestARunThatIsCancelledWhileItStartsLeavesNoProcess(t *testing.T) {
	for wait := time.Duration(0); wait < 120*time.Millisecond; wait += 8 * time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		_, err := begin(t, ctx, "membership P=6 tick=5ms faults=crash:1,rejoin:1@t1,crash:2@t2,rejoin:2@t4", launch.Options{}).wait(t)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		requireNoneLeft(t)
		cancel()
	}
}

func TestARunThatIsNotOverInTimeLeavesNoProcess(t *testing.T) {
	_, err := begin(t, t.Context(), "endless P=4 tick=5ms faults=hang:1@t3", launch.Options{Timeout: 300 * time.Millisecond}).wait(t)
	require.ErrorIs(t, err, launch.ErrTimeout)
	require.ErrorContains(t, err, "after 300ms")
	requireNoneLeft(t)
}

func TestAProgramThatPanicsEndsTheRunWithRankAndTime(t *testing.T) {
	_, err := begin(t, t.Context(), "panics P=4 tick=5ms", launch.Options{Pace: tcp.Sends}).wait(t)
	requireNoneLeft(t)
	var panicked *tcp.Panic
	require.ErrorAs(t, err, &panicked)
	assert.Equal(t, 2, panicked.Rank)
	assert.GreaterOrEqual(t, int(panicked.Time), 3)
	assert.ErrorContains(t, err, "rank 2 panicked at t=")
	assert.ErrorContains(t, err, "boom")
	assert.ErrorContains(t, err, "main_test.go", "where it panicked")
}

func TestAProcessThatCannotStartIsAnErrorAtOnce(t *testing.T) {
	for _, c := range []struct {
		name    string
		command []string
		want    string
	}{
		{"no such command", []string{"/no/such/command"}, "process 0 cannot be started: fork/exec /no/such/command: no such file or directory"},
		{"not a command", []string{os.TempDir()}, "process 0 cannot be started: fork/exec " + os.TempDir() + ": permission denied"},
		{"it exits at once", self("quitter", "x"), "ended before the run began"},
		{"it fails at once", []string{"/bin/sh", "-c", "echo 'no memory' >&2; exit 3"}, "ended before the run began: exit status 3: no memory"},
		{"it has another key", self("stranger", "x"), "ended before the run began: exit status 1: tcp: process "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := begin(t, t.Context(), "broadcast P=4 tick=5ms", launch.Options{Command: c.command, Stderr: io.Discard}).wait(t)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "launch: process ")
			require.NotErrorIs(t, err, launch.ErrTimeout, "nobody waits for it to come")
			requireNoneLeft(t)
		})
	}
}
