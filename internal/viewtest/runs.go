package viewtest

import (
	"context"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report/traceevent"
	"github.com/mangrove-emu/mangrove/report/view"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// OfLine runs a line; all of its ranks are drawn that are by default.
func OfLine(t require.TestingT, line string) view.Run {
	run, err := catalog.ParseLine(line)
	require.NoError(t, err, line)
	outcome, err := run.Execute(context.Background(), scenarios.Options{Trace: emu.TraceEvents})
	require.NoError(t, err, line)
	return view.Run{
		Run: traceevent.Run{
			Report:     outcome.Report,
			KindName:   run.Experiment().Program.KindName,
			Network:    outcome.Network,
			Uncoloured: outcome.Reduction,
			Line:       outcome.Line,
		},
		Ranks:      view.DefaultRange(len(outcome.Report.Ranks)),
		Guarantees: outcome.Guarantees,
	}
}

// OfToken runs token on ranks with L=2 and o=1.
func OfToken(t require.TestingT, ranks int, schedule string) view.Run {
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Trace: emu.TraceEvents})
	require.NoError(t, err)
	rep, err := machine.Run(context.Background(), token, emu.Options{Faults: faults.MustParse(schedule)})
	require.NoError(t, err)
	return view.Run{
		Run:   traceevent.Run{Report: rep, KindName: token.KindName},
		Ranks: view.DefaultRange(ranks),
	}
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
