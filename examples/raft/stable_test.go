//go:build !bug

package raft

import (
	"testing"

	"github.com/stretchr/testify/require"
	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols"
)

// loaded is what a rank makes of such records, and the names of those that it leaves.
func loaded(t *testing.T, records map[string]*pb.Message) (log *stable, left []string) {
	t.Helper()
	m, err := emu.New(emu.Config{LogP: machine(1), Disk: disk})
	require.NoError(t, err)
	_, err = m.Run(t.Context(), protocols.Program{Main: func(p protocols.Proc) {
		s := p.Storage()
		s.Write("somebody else's", "")
		for name, m := range records {
			s.Write(name, encode(m))
		}
		log = load(s, all(3))
		left = s.Names()
	}}, emu.Options{})
	require.NoError(t, err)
	return log, left
}

// record is one with an entry for each index, all of term 1.
func record(indices ...uint64) *pb.Message {
	m := &pb.Message{Term: new(uint64(1)), Vote: new(uint64(2)), Commit: new(uint64(0))}
	for _, index := range indices {
		m.Entries = append(m.Entries, &pb.Entry{Index: new(index), Term: new(uint64(1))})
	}
	return m
}

// The third record got lost in a crash before it was safe, the fourth one did not. Its number will be that of another record.
func TestRecordsAfterAGapAreForgotten(t *testing.T) {
	log, left := loaded(t, map[string]*pb.Message{"raft/000000": record(1, 2), "raft/000001": record(3), "raft/000003": record(4)})
	require.Equal(t, []string{"raft/000000", "raft/000001", "somebody else's"}, left)
	require.Equal(t, 2, log.next)
	require.Len(t, log.after(0), 3)
	hard, group, err := log.InitialState()
	require.NoError(t, err)
	require.Equal(t, uint64(2), hard.GetVote())
	require.Equal(t, []uint64{1, 2, 3}, group.GetVoters())
}

// Without the first record there is nothing to begin with.
func TestARankWithoutItsFirstRecordHasNone(t *testing.T) {
	log, left := loaded(t, map[string]*pb.Message{"raft/000001": record(1)})
	require.Equal(t, []string{"somebody else's"}, left)
	require.Zero(t, log.next)
	require.Empty(t, log.after(0))
}

// Of the records that a snapshot has made superfluous some may be there still.
func TestASnapshotIsABeginning(t *testing.T) {
	whole := record(5)
	whole.Snapshot = &pb.Snapshot{Data: []byte("state"), Metadata: &pb.SnapshotMetadata{
		Index: new(uint64(4)), Term: new(uint64(1)), ConfState: &pb.ConfState{Voters: []uint64{1, 3}},
	}}
	log, left := loaded(t, map[string]*pb.Message{"raft/000001": record(1, 2), "raft/000007": whole, "raft/000008": record(6)})
	require.Equal(t, []string{"raft/000007", "raft/000008", "somebody else's"}, left)
	require.Equal(t, 9, log.next)
	require.Equal(t, uint64(4), log.compacted())
	require.Len(t, log.after(4), 2)
	require.Equal(t, "state", string(log.snapshot().GetData()))
}
