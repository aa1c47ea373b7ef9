package traceevent_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
)

// Sends and receives are shown as long as they were: shorter inside a node, longer where noise takes the processor away and where ranks
// are slow.
func TestSendsAndReceivesAreAsLongAsTheyWere(t *testing.T) {
	const ranks = 6
	program := protocols.Program{Main: func(p protocols.Proc) {
		for i := range 8 {
			p.Send((p.Rank()+1+2*i)%ranks, mailbox.Message{A: int64(i)})
			p.Step("sent")
		}
	}}
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		cfg := emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 9, Overhead: 5}, Trace: emu.TraceEvents}
		if random.IntN(2) == 0 {
			cfg.Network = clock.Nodes{Ranks: ranks, Nodes: 2, Between: clock.Uniform(9), Inside: clock.Local{Latency: 2, Overhead: 2}}
		}
		if random.IntN(2) == 0 {
			cfg.Noise = &clock.Noise{Period: 20, Length: 1 + clock.Time(random.IntN(18)), Random: random.IntN(2) == 0}
		}
		schedule := faults.MustParse([]string{"none", "slow:2x3@t30,slow:4x2@send3"}[random.IntN(2)])
		machine, err := emu.New(cfg)
		require.NoError(t, err)
		rep, err := machine.Run(t.Context(), program, emu.Options{Seed: seed, Faults: schedule})
		require.NoError(t, err)
		about := fmt.Sprintf("seed %d, %v, %v, %v", seed, cfg.Network, cfg.Noise, schedule)
		ended := make(map[int]clock.Time)       // the last send of each rank
		free := make(map[int]clock.Time, ranks) // when each receive port is
		receives := 0
		traceevent.Visit(traceevent.Run{Report: rep}, func(a traceevent.Act) {
			switch a.Kind {
			case report.EventSend:
				ended[a.Rank] = a.End
			case report.EventStep:
				require.Equal(t, a.Time, ended[a.Rank], "%s: send of rank %d", about, a.Rank)
			case report.EventReceive:
				receives++
				arrival := a.Message.Resumed + machine.Config().Network.Latency(a.Peer, a.Rank)
				require.Equal(t, max(arrival, free[a.Rank]), a.Start, "%s: receive of rank %d at t=%d", about, a.Rank, a.Time)
				free[a.Rank] = a.Time
			}
		})
		require.Equal(t, 8*ranks, receives)
	}
}
