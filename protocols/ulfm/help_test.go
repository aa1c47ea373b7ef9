package ulfm_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// hop is how long a message takes on the machines of these tests, 2o+L.
const hop clock.Time = 4

// prompt is the fastest detector there is.
var prompt = emu.Detection{Delay: hop}

// machineOf has that many ranks, with L=2 and o=1.
func machineOf(ranks int) emu.Config {
	return emu.Config{
		LogP:      clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1},
		Detection: prompt,
		Trace:     emu.TraceEvents,
		TimeLimit: 1_000_000, // a program that calls again and again for ever is soon told
	}
}

// tryRun runs a program with faults, all of which must happen.
func tryRun(t testing.TB, cfg emu.Config, schedule string, program protocols.Program) (*report.Report, error) {
	t.Helper()
	machine, err := emu.New(cfg)
	require.NoError(t, err)
	rep, err := machine.Run(context.Background(), program, emu.Options{Faults: faults.MustParse(schedule)})
	if err == nil {
		require.Empty(t, rep.Unfired, "faults that did not happen")
	}
	return rep, err
}

// play runs a program in which nobody waits for ever.
func play(t testing.TB, cfg emu.Config, schedule string, main func(world *ulfm.Comm)) *report.Report {
	t.Helper()
	rep, err := tryRun(t, cfg, schedule, ulfm.Program(main))
	require.NoError(t, err)
	require.Empty(t, rep.Deadlocks)
	return rep
}

// until lets a rank compute up to an instant. What comes in meanwhile is not answered.
func until(c *ulfm.Comm, t clock.Time) { c.Proc().WaitUntil(t) }

// sends are the messages of a kind that a rank has sent, by their receivers, in order.
func sends(rep *report.Report, rank int, kind string) (to []int) {
	for _, e := range rep.Events {
		if e.Kind == report.EventSend && e.Rank == rank && ulfm.KindName(e.Msg) == kind {
			to = append(to, e.Peer)
		}
	}
	return to
}

// live are the ranks that have not failed.
func live(rep *report.Report) (ranks []int) {
	for rank := range rep.Ranks {
		if !rep.Ranks[rank].Outcome.Failed() {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}

// allBut has all bits set but those of some ranks: what Agree returns if these take part, each
// with all bits but its own.
func allBut(ranks ...int) int64 {
	flags := int64(-1)
	for _, rank := range ranks {
		flags &^= 1 << rank
	}
	return flags
}

// requireFailed wants an ErrProcFailed that names these ranks.
func requireFailed(t testing.TB, err error, ranks ...int) {
	t.Helper()
	require.ErrorIs(t, err, ulfm.ErrProcFailed)
	var failed *ulfm.FailedError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, ranks, failed.Ranks)
}

// sorted returns a sorted copy.
func sorted(list []int) []int { return slices.Sorted(slices.Values(list)) }

// uneven is a network on which some messages take much longer than it takes to notice a failure.
type uneven struct {
	least  clock.Time
	spread uint64
	seed   uint64
}

func (u uneven) MinLatency() clock.Time { return u.least }

func (u uneven) Latency(from, to int) clock.Time {
	return u.least + clock.Time(rand.NewPCG(u.seed, uint64(from)<<32|uint64(to)).Uint64()%u.spread)
}

func (u uneven) String() string { return "uneven" }
