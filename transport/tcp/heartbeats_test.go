package tcp_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// A process that has joined says nothing until the run begins. However long others take to come, it has given
// signs of life in time.
func TestProcessesThatWaitForOthersAreNotFenced(t *testing.T) {
	t.Parallel()
	job := someJob(2, 2)
	r := prepare(t, job, tcp.Detection{Offered: true, Timeout: deafness})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	program := protocols.Program{Main: func(p protocols.Proc) { p.WaitUntil(p.Now() + 3500) }} // longer than the timeout
	var wg sync.WaitGroup
	for process, n := range r.nodes {
		wg.Go(func() {
			time.Sleep(time.Duration(process) * deafness * 7 / 6)
			if err := r.serve(ctx, n, program); err != nil {
				t.Errorf("process %d: %v", process, err)
			}
		})
	}
	err := r.coordinator.Start(ctx, 0)
	require.NoError(t, err)
	res, err := r.coordinator.Wait(ctx)
	require.NoError(t, err)
	wg.Wait()
	require.Empty(t, res.Failed)
}
