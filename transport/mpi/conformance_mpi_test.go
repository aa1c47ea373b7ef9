//go:build mpi

package mpi_test

import (
	"bytes"
	"context"
	"errors"
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
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/proctest"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/mpi"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// patience is how long a run may take. It is much: machines may be busy.
const patience = 3 * time.Minute

// machine is one process of an MPI job as a machine: its own ranks, with the first process as the host of the coordinator.
type machine struct {
	parts.Group
	carrier *mpi.Carrier
	pace    tcp.Pace
	tick    time.Duration
}

func (m machine) run(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	job := tcp.Job{Job: wire.NewJob(), LogP: params, Processes: min(params.Ranks, m.Count()), Tick: m.tick, Pace: m.pace, Seed: seed, Faults: schedule, Eager: true}
	if m.Index() > 0 {
		return nil, m.serve(ctx, job, "", program)
	}
	c, err := tcp.NewCoordinator(tcp.CoordinatorConfig{Job: job, Detection: tcp.Detection{Offered: true}, Initiators: program.Initiators})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	served := make(chan error, 1)
	go func() { served <- m.serve(ctx, job, c.Addr().String(), program) }()
	if err := c.Start(ctx, 5*time.Millisecond); err != nil {
		return nil, err
	}
	res, err := c.Wait(ctx)
	if err := errors.Join(err, <-served); err != nil {
		return nil, err
	}
	return res.Report, nil
}

// serve runs the ranks that are here, if there are any. The first process tells all how to reach its coordinator.
func (m machine) serve(ctx context.Context, job tcp.Job, coordinator string, program protocols.Program) error {
	invitations, err := m.toAll([]byte(job.Key() + " " + coordinator))
	if err != nil {
		return err
	}
	key, coordinator, _ := strings.Cut(string(invitations[0]), " ")
	if job.Job, err = wire.ParseKey(key); err != nil || m.Index() >= job.Processes {
		return err
	}
	n, err := tcp.Listen(tcp.Config{Job: job, Process: m.Index(), Carrier: m.carrier})
	if err != nil {
		return err
	}
	defer n.Close()
	if err := n.Join(ctx, coordinator); err != nil {
		return err
	}
	return n.Run(ctx, program, nil)
}

func (m machine) toAll(own []byte) ([][]byte, error) {
	return m.Exchange(slices.Repeat([][]byte{own}, m.Count()))
}

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
func inJob(t *testing.T, words ...string) *machine {
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
	return &machine{Group: group, carrier: carrier, tick: 50 * time.Microsecond}
}

// Ticks are short; as long as the machine has no time for that, attempts take twice as long.
func TestMPIJobConformance(t *testing.T) {
	m := inJob(t)
	if m == nil {
		return
	}
	for _, pace := range tcp.Paces() {
		m.pace = pace
		tested := proctest.Machine{Run: m.run, Share: m.toAll, Late: clock.Time(35 * time.Millisecond / m.tick), Attempts: 12, Detects: true}
		if pace != tcp.Model {
			tested.Early = clock.Time(time.Hour / m.tick)
		}
		t.Run(pace.String(), func(t *testing.T) { proctest.Test(t, tested) })
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
		_, err := m.run(clock.LogP{Ranks: m.Count(), Latency: 1, Overhead: 1}, 1, nil, mixture(&wrong))
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
	shares, err := m.toAll(fmt.Append(nil, own))
	require.NoError(t, err)
	differ := slices.ContainsFunc(shares, func(theirs []byte) bool { return !bytes.Equal(theirs, shares[0]) })
	require.Equal(t, differ, apart)
}
