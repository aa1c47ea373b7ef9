package tcp

import (
	"context"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Processes that know where all of them are need nobody else: process 0 is the host of the coordinator.
func TestProcessesWithAListOfAddressesNeedNoCoordinator(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	job := pairOfProcesses()
	nodes := []*Node{listening(t, Config{Job: job}), listening(t, Config{Job: job, Process: 1})}
	var addresses []string
	for _, n := range nodes {
		_, port, err := net.SplitHostPort(n.Addr().String())
		require.NoError(t, err)
		addresses = append(addresses, "localhost:"+port)
	}
	c, err := nodes[0].Host(Detection{Offered: true}, []int{0})
	require.NoError(t, err)
	defer c.Close()
	var got int64
	program := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{A: 5})
			return
		}
		_, m := p.Recv(mailbox.From(0))
		got = m.A
	}}
	ends := make(chan error, 2)
	for _, n := range nodes {
		go func() {
			err := n.JoinList(ctx, addresses)
			if err == nil {
				err = n.Run(ctx, program, nil)
			}
			ends <- err
		}()
	}
	require.NoError(t, c.Start(ctx, startDelay))
	res, err := c.Wait(ctx)
	require.NoError(t, err)
	require.NoError(t, <-ends)
	require.NoError(t, <-ends)
	require.EqualValues(t, 5, got)
	require.Empty(t, res.Failed)
	require.Zero(t, res.Ranks[0].Coloured, "it is an initiator")
	require.Equal(t, report.Finished, res.Ranks[1].Outcome)
	for process, m := range c.members {
		require.Equal(t, addresses[process], m.address, "others are told what the list says")
	}
}

func TestOnlyProcess0IsHost(t *testing.T) {
	job := pairOfProcesses()
	_, err := listening(t, Config{Job: job, Process: 1}).Host(Detection{}, nil)
	require.ErrorContains(t, err, "tcp: process 1 as host of the coordinator, want process 0")
	n := listening(t, Config{Job: job})
	_, err = n.Host(Detection{Timeout: 1}, nil)
	require.ErrorContains(t, err, "for signs of life")
	require.Nil(t, n.host.Load())
	for _, addresses := range [][]string{{"127.0.0.1:1"}, {"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"}} {
		require.ErrorContains(t, n.JoinList(t.Context(), addresses), "addresses for 2 processes, want one for each")
	}
}

// What is wrong with a job is said before anything is started.
func TestLocalRunOfAJobThatMakesNoSenseIsRefused(t *testing.T) {
	job := pairOfProcesses()
	job.Tick = 0
	_, err := RunLocal(t.Context(), job, Detection{}, protocols.Program{})
	require.ErrorContains(t, err, "tick of 0s")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errEnough)
	_, err = RunLocal(ctx, pairOfProcesses(), Detection{}, protocols.Program{Main: func(protocols.Proc) {}})
	require.ErrorIs(t, err, errEnough)
	err = runProcess(ctx, Config{Job: pairOfProcesses(), Process: 2}, "127.0.0.1:1", protocols.Program{})
	require.ErrorContains(t, err, "process 2, want 0 to 1")
}
