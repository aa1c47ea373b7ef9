//go:build mpi

package mpi_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/aparttest"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/proctest"
	"github.com/mangrove-emu/mangrove/transport/mpi"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// mixture sends long and short messages by turns, which MPI does not take in the same way.
func mixture(wrong *[]int) protocols.Program {
	const count, long = 60, 300_000
	return protocols.Program{Main: func(p protocols.Proc) {
		next, former := (p.Rank()+1)%p.Size(), (p.Rank()+p.Size()-1)%p.Size()
		for i := range count {
			size := 1
			if i%3 == 0 {
				size = long
			}
			p.Send(next, mailbox.Message{A: int64(i), Payload: strings.Repeat("x", size)})
		}
		for i := range count {
			if _, m := p.Recv(mailbox.From(former)); m.A != int64(i) || len(m.Payload) != 1 && len(m.Payload) != long {
				*wrong = append(*wrong, i)
			}
		}
	}}
}

// inJob starts this test in a job of three processes, each of which runs it, and returns nil; in such a process it returns the machine that the job is.
func inJob(t *testing.T, words ...string) *aparttest.Machine {
	t.Helper()
	if n, _ := mpi.Launched(); n == 0 {
		words = slices.Concat(mpirun[1:], words, []string{"-n", "3", os.Args[0], "-test.run", "^" + t.Name() + "$"})
		said, err := exec.CommandContext(t.Context(), mpirun[0], words...).CombinedOutput()
		require.NoError(t, err, "%s", said)
		require.Equal(t, 3, strings.Count(string(said), "PASS\n"), "%s", said)
		return nil
	}
	group, err := mpi.Join()
	require.NoError(t, err)
	t.Cleanup(mpi.Leave)
	carrier, err := mpi.NewCarrier()
	require.NoError(t, err)
	return &aparttest.Machine{Group: group, Carrier: carrier, Tick: 50 * time.Microsecond}
}

func TestMPIJobConformance(t *testing.T) {
	m := inJob(t)
	if m == nil {
		return
	}
	for _, pace := range tcp.Paces() {
		m.Pace = pace
		t.Run(pace.String(), func(t *testing.T) { proctest.Test(t, m.Tested()) })
	}
}

// Through shared memory and over TCP, long messages are taken in other ways than short ones.
func TestMPIJobKeepsMessagesInOrder(t *testing.T) {
	for _, words := range transports {
		m := inJob(t, words...)
		if m == nil {
			continue
		}
		var wrong []int
		_, err := m.Run(clock.LogP{Ranks: m.Count(), Latency: 1, Overhead: 1}, 1, nil, mixture(&wrong))
		require.NoError(t, err)
		require.Empty(t, wrong, "messages came out of order")
		break
	}
}

// All processes of a host know how many they are, and whether the scheduler sees them as one.
func TestMPIJobKnowsItsCrowd(t *testing.T) {
	m := inJob(t)
	if m == nil {
		return
	}
	processes, processors, apart, own := mpi.Crowd()
	require.Equal(t, m.Count(), processes)
	require.Positive(t, processors)
	require.LessOrEqual(t, processors, runtime.NumCPU())
	shares, err := m.ToAll(fmt.Append(nil, own))
	require.NoError(t, err)
	differ := slices.ContainsFunc(shares, func(theirs []byte) bool { return !bytes.Equal(theirs, shares[0]) })
	require.Equal(t, differ, apart)
}
