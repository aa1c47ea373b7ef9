//go:build !bug

package raft

import (
	"testing"

	"github.com/stretchr/testify/require"
	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// Rank 2 is away while the others agree on many commands and forget the log of them. It is sent a snapshot, and goes on from there.
func TestWhoWasAwayIsSentASnapshot(t *testing.T) {
	plan := plan(3)
	plan.Until = 1500
	seen := make([]Seen, 3)
	m, err := emu.New(emu.Config{LogP: machine(3), Disk: disk, Trace: emu.TraceEvents})
	require.NoError(t, err)
	rep, err := m.Run(t.Context(), Program(plan, seen), emu.Options{Faults: faults.MustParse("crash:2@t300,rejoin:2@t1000")})
	require.NoError(t, err)
	taken := 0
	for _, e := range rep.Events {
		if e.Kind == report.EventTake && e.Rank == 2 && e.Msg == mailbox.Kind(pb.MsgSnap) {
			taken++
		}
	}
	require.NotZero(t, taken)
	require.Empty(t, guarantee.OnlyBroken(guarantee.Check(guarantee.Run{Report: rep}, Promises(seen)...)))
	require.Greater(t, len(seen[0].Applied), len(seen[2].Applied)+4, "rank 2 has not seen all entries")
	require.InDelta(t, seen[0].Node.Applied(), seen[2].Node.Applied(), 2)
}
