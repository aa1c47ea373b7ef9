package traceevent_test

import (
	"bytes"
	"context"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report/traceevent"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// ofLine runs a line.
func ofLine(t require.TestingT, line string) traceevent.Run {
	run, err := catalog.ParseLine(line)
	require.NoError(t, err, line)
	outcome, err := run.Execute(context.Background(), scenarios.Options{Trace: emu.TraceEvents})
	require.NoError(t, err, line)
	return traceevent.Run{
		Report:   outcome.Report,
		KindName: run.Experiment().Program.KindName,
		Network:  outcome.Network,
		Line:     outcome.Line,
	}
}

// ofProgram runs a program.
func ofProgram(t require.TestingT, cfg emu.Config, program protocols.Program, schedule faults.Schedule, seed uint64) traceevent.Run {
	cfg.Trace = emu.TraceEvents
	machine, err := emu.New(cfg)
	require.NoError(t, err)
	rep, err := machine.Run(context.Background(), program, emu.Options{Faults: schedule, Seed: seed})
	require.NoError(t, err)
	return traceevent.Run{Report: rep, KindName: program.KindName, Network: cfg.Network}
}

func write(t require.TestingT, run traceevent.Run) []byte {
	var b bytes.Buffer
	require.NoError(t, traceevent.Write(&b, run))
	return b.Bytes()
}
