package launch

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// played is what a shell command makes of an agent, and what is heard of its end.
func played(t *testing.T, command string) (r *remote, lost chan error) {
	t.Helper()
	lost = make(chan error, 1)
	// The name of the host and the agent's command become arguments that nobody reads.
	r, err := newRemote(Host{Name: "far"}, Options{Shell: []string{"/bin/sh", "-c", command}, Stderr: io.Discard}, func(ending) {}, func(err error) { lost <- err })
	require.NoError(t, err)
	return r, lost
}

func TestAnAgentThatEndsByItselfIsLost(t *testing.T) {
	for command, want := range map[string]string{
		"exit 0":                  "launch: the agent on host far has ended",
		"exit 3":                  "launch: the agent on host far has ended: exit status 3",
		"echo broken >&2; exit 3": "launch: the agent on host far has ended: exit status 3: broken",
	} {
		r, lost := played(t, command)
		require.EqualError(t, <-lost, want)
		<-r.done
		require.EqualError(t, r.start(processSpec{Process: 4}), "launch: process 4 cannot be started: there is no agent on host far")
		r.close()
		require.Empty(t, lost, "once")
	}
}

// One that ends because it is told to is not lost.
func TestAnAgentThatIsToldToEndIsNotLost(t *testing.T) {
	r, lost := played(t, "cat >/dev/null")
	require.NoError(t, r.start(processSpec{Process: 4}))
	r.close()
	require.Empty(t, lost)
}

// Nobody waits for a shell that does not end, nor for what it has started and what still has its output.
func TestNobodyWaitsForAnAgentThatDoesNotEnd(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	r, lost := played(t, "(read x <"+fifo+") 2>/dev/null & while :; do sleep 0.1 >/dev/null 2>&1; done")
	r.patience = time.Millisecond
	started, err := os.OpenFile(fifo, os.O_WRONLY, 0) // which waits for this to be closed
	require.NoError(t, err)
	closed := make(chan struct{})
	go func() { r.close(); close(closed) }()
	select {
	case <-closed:
		require.Empty(t, lost)
	case <-time.After(time.Minute):
		require.Fail(t, "it is waited for")
	}
	require.NoError(t, started.Close())
}
