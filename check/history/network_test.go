package history_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// Ranks that talk over connections record in real time, if they are in one process.
func TestHistoriesOfRanksOnANetwork(t *testing.T) {
	h := history.New[request, int](machine.Ranks)
	job := tcp.Job{Job: wire.NewJob(), LogP: machine, Processes: machine.Ranks, Tick: time.Millisecond}
	_, err := tcp.RunLocal(t.Context(), job, tcp.Detection{}, kept(h, false))
	require.NoError(t, err)
	require.Len(t, h.Operations(), 6)
	v := history.SequentiallyConsistent(h, registers).Check(guarantee.Run{})
	require.Equal(t, "held: sequentially consistent: 6 operations", v.String())
}
