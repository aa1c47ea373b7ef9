package emu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// decides does each thing that depends on time, on rank 1.
func decides(p protocols.Proc) {
	if p.Rank() == 0 {
		p.Send(1, mailbox.Message{})
		return
	}
	p.Now()
	p.Now()
	p.Poll(mailbox.Any)           // nothing is there
	p.RecvUntil(mailbox.Any, 3)   // nor is it by then
	p.RecvUntil(mailbox.Any, 100) // here it is
	p.WaitUntil(6)
	p.WaitUntil(2)
	detector, _ := protocols.DetectorOf(p)
	detector.Suspects(2)
	p.WaitUntil(20)
	detector.Suspects(2)
	detector.Known(0)
	detector.Known(1)
}

// What programs decide by time is in the trace if it is asked for, and makes no difference to the hash.
func TestDecisionsByTimeAreTraced(t *testing.T) {
	cfg := emu.Config{
		LogP:      clock.LogP{Ranks: 3, Latency: 2, Overhead: 1},
		Detection: emu.Detection{Delay: 10},
	}
	play := func(level emu.TraceLevel) *report.Report {
		cfg.Trace = level
		m, err := emu.New(cfg)
		require.NoError(t, err)
		rep, err := m.Run(t.Context(), protocols.Program{Main: decides}, emu.Options{Faults: faults.MustParse("crash:2@t1")})
		require.NoError(t, err)
		return rep
	}
	rep := play(emu.TraceDecisions)
	var texts []string
	for _, e := range rep.Events {
		if e.Rank == 1 {
			texts = append(texts, e.String())
		}
	}
	require.Equal(t, []string{
		"t=0 rank 1 clock",
		"t=0 rank 1 pass",
		"t=3 rank 1 pass",
		"t=4 rank 1 receive from 0 kind=0 epoch=0 a=0",
		"t=4 rank 1 take from 0 kind=0 epoch=0 a=0",
		"t=6 rank 1 wait",
		"t=6 rank 1 wait",
		"t=6 rank 1 look -1",
		"t=20 rank 1 wait",
		"t=20 rank 1 look 2",
		"t=20 rank 1 look 2",
		"t=20 rank 1 look -1",
		"t=20 rank 1 exit",
	}, texts)

	events := play(emu.TraceEvents) // rank 2 looks at its clock and polls, too, and rank 0 sends
	require.Equal(t, rep.Hash, events.Hash)
	require.Len(t, events.Events, len(rep.Events)-13)
	require.Equal(t, rep.Hash, play(emu.TraceHash).Hash)
}

// How often a program asks may depend on what others have worked out already, in whatever run: it shares lists with them. A search that counted it would
// see different cases with each number of workers.
func TestToAskAgainForAFailureIsNoDecision(t *testing.T) {
	m, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 10}, Trace: emu.TraceDecisions})
	require.NoError(t, err)
	asks := func(p protocols.Proc) {
		detector, _ := protocols.DetectorOf(p)
		for _, at := range []clock.Time{1, 20, 30, 60} {
			p.WaitUntil(at)
			for _, n := range []int{0, 0, 1, 0} {
				detector.Known(n)
			}
		}
	}
	for range 2 { // the next run knows nothing of this one
		rep, err := m.Run(t.Context(), protocols.Program{Main: asks}, emu.Options{Faults: faults.MustParse("crash:2@t2,crash:3@t40")})
		require.NoError(t, err)
		var looks []string
		for _, e := range rep.Events {
			if e.Rank == 0 && e.Kind == report.EventLook {
				looks = append(looks, e.String())
			}
		}
		require.Equal(t, []string{
			"t=1 rank 0 look -1", "t=1 rank 0 look -1", "t=1 rank 0 look -1", "t=1 rank 0 look -1",
			"t=20 rank 0 look 2", "t=20 rank 0 look -1",
			"t=30 rank 0 look -1",
			"t=60 rank 0 look 3",
		}, looks)
	}
}
