package guarantee_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// run runs a program whose only root is rank 0, with L=2 and o=1, and records events.
func run(t testing.TB, ranks int, program protocols.Program, schedule string) guarantee.Run {
	t.Helper()
	machine, err := emu.New(emu.Config{
		LogP:    clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1},
		Workers: 1,
		Trace:   emu.TraceEvents,
	})
	require.NoError(t, err)
	rep, err := machine.Run(context.Background(), program, emu.Options{Faults: faults.MustParse(schedule)})
	require.NoError(t, err)
	return guarantee.Run{Report: rep, Roots: []int{0}}
}

// fromRoot is a program that rank 0 begins.
func fromRoot(main func(protocols.Proc)) protocols.Program {
	return protocols.Program{Main: main, Initiators: []int{0}}
}

// requireVerdict checks one guarantee.
func requireVerdict(t *testing.T, run guarantee.Run, g guarantee.Guarantee, value guarantee.Value, evidence string) {
	t.Helper()
	promise := guarantee.PromiseOf(g)
	require.Equal(t, guarantee.Verdict{Name: g.Name(), Value: value, Evidence: evidence, Safety: promise.IsSafety()}, promise.Check(run))
}

const held, broken, unclaimed, tooLate = guarantee.Held, guarantee.Broken, guarantee.NotClaimed, guarantee.TooLate

// reported is a hand-made report of so many ranks.
func reported(ranks int, failed ...report.Failure) *report.Report {
	return &report.Report{Ranks: make([]report.RankResult, ranks), Failed: failed}
}

// traced is a hand-made run of eight ranks with these events. Rank 0 is the root.
func traced(events ...report.Event) guarantee.Run {
	rep := reported(8)
	rep.Events = events
	return guarantee.Run{Report: rep, Roots: []int{0}}
}

func crash(rank int, at clock.Time) report.Failure {
	return report.Failure{Rank: rank, Outcome: report.Crashed, Time: at}
}

func send(at clock.Time, from, to int, epoch uint32) report.Event {
	return report.Event{Time: at, Rank: from, Kind: report.EventSend, Peer: to, Epoch: epoch}
}

func receive(at clock.Time, rank, from int, epoch uint32) report.Event {
	return report.Event{Time: at, Rank: rank, Kind: report.EventReceive, Peer: from, Epoch: epoch}
}

func take(at clock.Time, rank, from int, epoch uint32) report.Event {
	return report.Event{Time: at, Rank: rank, Kind: report.EventTake, Peer: from, Epoch: epoch}
}

func step(at clock.Time, rank int, name string) report.Event {
	return report.Event{Time: at, Rank: rank, Kind: report.EventStep, Peer: -1, Step: name}
}

// must is for constructors whose arguments are right.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
