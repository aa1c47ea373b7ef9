package benchmark

import (
	"context"
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

var huge = flag.Bool("bench-huge", false, "also benchmark 2^22 ranks (16 GiB of memory)")

// Sizes are the numbers of ranks that benchmarks run at. Short ones show that they run.
func Sizes() []int {
	if testing.Short() {
		return []int{1 << 10, 1 << 16}
	}
	s := []int{1 << 10, 1 << 16, 1 << 20}
	if *huge {
		s = append(s, 1<<22)
	}
	return s
}

// LogP is the machine of all benchmarks.
func LogP(ranks int) clock.LogP {
	return clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
}

// NewMachine makes that machine.
func NewMachine(b *testing.B, ranks int) *emu.Machine {
	machine, err := emu.New(emu.Config{LogP: LogP(ranks)})
	require.NoError(b, err)
	return machine
}

// CheckedBroadcast is a broadcast over a tree with synchronized checked correction.
func CheckedBroadcast(b *testing.B, ranks int, t tree.Tree) protocols.Program {
	protocol, err := broadcast.New(LogP(ranks), broadcast.Options{Tree: t, Correction: correction.Checked{}})
	require.NoError(b, err)
	return protocol.Program(mailbox.Message{})
}

// Run runs a program once, and requires that it reached every rank.
func Run(b *testing.B, machine *emu.Machine, program protocols.Program) *report.Report {
	rep, err := machine.Run(context.Background(), program, emu.Options{})
	require.NoError(b, err)
	require.Empty(b, rep.Unreached)
	return rep
}

// Timed says how long a run takes on a machine that was used before, and fills in its report.
func Timed(b *testing.B, machine *emu.Machine, program protocols.Program, rep *report.Report) time.Duration {
	began := time.Now()
	require.NoError(b, machine.RunInto(context.Background(), program, emu.Options{}, rep))
	return time.Since(began)
}
