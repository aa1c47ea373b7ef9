package traceevent_test

import (
	"bytes"
	"context"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report/traceevent"
)

// ofLine runs a line. When ranks were coloured is written whatever the protocol does.
func ofLine(t require.TestingT, line string) traceevent.Run {
	run := viewtest.OfLine(t, line).Run
	run.Uncoloured = false
	return run
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
