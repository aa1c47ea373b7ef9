package view_test

import (
	"context"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
	"github.com/mangrove-emu/mangrove/report/view"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// ofLine runs a line; all of its ranks are drawn that are by default.
func ofLine(t require.TestingT, line string) view.Run {
	run, err := scenarios.ParseLine(line)
	require.NoError(t, err, line)
	outcome, err := run.Execute(context.Background(), scenarios.Options{Trace: emu.TraceEvents})
	require.NoError(t, err, line)
	return view.Run{
		Run: traceevent.Run{
			Report:     outcome.Report,
			KindName:   run.Experiment().Program.KindName,
			Network:    outcome.Network,
			Slow:       timed(outcome.Report),
			Uncoloured: outcome.Reduction,
			Line:       outcome.Line,
		},
		Ranks:      view.DefaultRange(len(outcome.Report.Ranks)),
		Guarantees: outcome.Guarantees,
	}
}

// ofProgram runs a program on ranks with L=2 and o=1.
func ofProgram(t require.TestingT, ranks int, program protocols.Program, schedule string) view.Run {
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Trace: emu.TraceEvents})
	require.NoError(t, err)
	rep, err := machine.Run(context.Background(), program, emu.Options{Faults: faults.MustParse(schedule)})
	require.NoError(t, err)
	return view.Run{
		Run:   traceevent.Run{Report: rep, KindName: program.KindName, Slow: timed(rep)},
		Ranks: view.DefaultRange(ranks),
	}
}

// timed are the slow-downs by the clock.
func timed(rep *report.Report) (slow []traceevent.Slowdown) {
	for _, f := range rep.Faults {
		if f.Kind == faults.Slow && f.At.Anchor == faults.AtTime && !slices.Contains(rep.Unfired, f) {
			slow = append(slow, traceevent.Slowdown{Rank: f.Rank, From: f.At.Time, Factor: f.Factor})
		}
	}
	return slow
}

// token goes around a ring of ranks, from rank 0.
var token = protocols.Program{
	Initiators: []int{0},
	Main: func(p protocols.Proc) {
		if p.Rank() > 0 {
			p.Recv(mailbox.From(p.Rank() - 1))
		}
		p.Step("passes")
		p.Send((p.Rank()+1)%p.Size(), mailbox.Message{Kind: 1, A: int64(p.Rank())})
	},
	KindName: func(mailbox.Kind) string { return "token" },
}

func dataOf(t require.TestingT, run view.Run) *view.Data {
	d, err := view.NewData(run)
	require.NoError(t, err)
	return d
}

func pageOf(t require.TestingT, run view.Run) string {
	var b strings.Builder
	require.NoError(t, view.Write(&b, run))
	return b.String()
}

// instants adds up differences.
func instants(steps view.Column) []int64 {
	total, all := int64(0), make([]int64, len(steps))
	for i, s := range steps {
		total += s
		all[i] = total
	}
	return all
}
