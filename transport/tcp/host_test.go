package tcp_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// Others may look for the coordinator before its host has made it.
func TestAHostLetsOthersTryAgainUntilTheCoordinatorIsThere(t *testing.T) {
	job := someJob(2, 2)
	host, err := tcp.Listen(tcp.Config{Job: job, Hosts: true})
	require.NoError(t, err)
	defer host.Close()
	other, err := tcp.Listen(tcp.Config{Job: job, Process: 1})
	require.NoError(t, err)
	defer other.Close()
	ends := make(chan error, 2)
	program := protocols.Program{Main: func(protocols.Proc) {}}
	run := func(n *tcp.Node) {
		err := n.JoinHost(t.Context(), host.Address())
		if err == nil {
			err = n.Run(t.Context(), program, nil)
		}
		ends <- err
	}
	go run(other)
	time.Sleep(50 * time.Millisecond) // it has tried more than once by then, or not; both must do
	c, err := host.Host(tcp.Detection{}, nil)
	require.NoError(t, err)
	defer c.Close()
	go run(host)
	require.NoError(t, c.Start(t.Context(), time.Millisecond))
	_, err = c.Wait(t.Context())
	require.NoError(t, err)
	require.NoError(t, <-ends)
	require.NoError(t, <-ends)
}
