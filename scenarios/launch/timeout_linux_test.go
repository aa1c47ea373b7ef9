package launch_test

import (
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

func init() { ofThisSystem = append(ofThisSystem, badProtocol("stuck", stuck)) }

// stuck is a run that does not end: rank 0 never stops to wait, rank 1 waits for rank 2, whose process stands still without having said so, and all others
// return.
func stuck(p protocols.Proc) {
	switch p.Rank() {
	case 0:
		for {
			p.WaitUntil(p.Now() + 1)
		}
	case 1:
		p.Recv(mailbox.From(2))
	case 2:
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	}
}

// A run that is not over in time names the processes that are silent, and since when, who is still running, and who waits for what. If ranks had too little
// time to come so far, they are given more.
func TestARunThatTakesTooLongSaysWhoIsSilent(t *testing.T) {
	t.Parallel()
	run, err := registry().ParseLine("stuck P=4 tick=10ms")
	require.NoError(t, err)
	for timeout := time.Second; ; timeout *= 2 {
		_, err = launch.Launch(t.Context(), run, launch.Options{Command: workers(label(t)), Stderr: t.Output(), Pace: tcp.Sends, Timeout: timeout})
		require.ErrorIs(t, err, launch.ErrTimeout)
		requireNoneNamed(t)
		if strings.Contains(err.Error(), "rank 1 waits") || timeout > patience {
			break
		}
	}
	require.Regexp(t, `^launch: the run is not over after \d+m?\d*s
  process 2 \(rank 2\) does not answer; it was heard last [\d.]+m?s ago, at t=\d+
  rank 0 is running
  rank 1 waits in Recv\(any from 2\) since t=\d+$`, err.Error())
}

// So does process 0 of a list, and the others say that they have lost it. Those in one process do not stop each other.
func TestAListThatTakesTooLongSaysWhoIsRunning(t *testing.T) {
	t.Parallel()
	const text = "endless P=4 tick=10ms"
	const running = "\n  rank 0 is running\n  rank 1 is running\n  rank 2 is running\n  rank 3 is running"
	var ends []error
	for timeout := time.Second; timeout < patience; timeout *= 2 {
		if _, ends = join(t, context.Background(), launch.JoinOptions{Timeout: timeout}, text, text); strings.Contains(ends[0].Error(), "rank 3 is running") {
			break
		}
	}
	require.ErrorIs(t, ends[0], launch.ErrTimeout)
	require.True(t, strings.HasSuffix(ends[0].Error(), "s"+running), ends[0])
	require.ErrorContains(t, ends[1], "tcp: process 1 has lost process 0 at 127.0.0.3:")
	require.ErrorContains(t, ends[1], ": it has ended, or the network has lost it")
}
