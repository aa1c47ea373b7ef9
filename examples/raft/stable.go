package raft

import (
	"fmt"
	"math"
	"slices"
	"strings"

	etcd "go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
)

// stable is what the library has put by: in memory, where it looks at it, and in the records of its rank, which are a log with numbers for names. Each has what one step has changed,
// and always the term, the vote and the commit index. One with a snapshot has all that is known, so that the records before it are not needed any more.
type stable struct {
	*etcd.MemoryStorage
	written []string // names of the records, in their order
	next    int      // number of the next one
	whole   bool     // it will have all that is known
}

const prefix = "raft/"

// load reads the records of a rank's former lives. Those after the first gap were never made safe, as nothing that was is behind one that was not, and are deleted.
func load(s protocols.Storage, voters []int) *stable {
	log := &stable{MemoryStorage: etcd.NewMemoryStorage()}
	start := &pb.ConfState{}
	for _, rank := range voters {
		start.Voters = append(start.Voters, id(rank))
	}
	must(log.ApplySnapshot(&pb.Snapshot{Metadata: &pb.SnapshotMetadata{ConfState: start}}))
	var all []string
	for _, name := range s.Names() {
		if strings.HasPrefix(name, prefix) {
			all = append(all, name)
		}
	}
	for _, name := range all[log.readFrom(s, all):] {
		if name != recordName(log.next) {
			break
		}
		log.replay(name, read(s, name))
	}
	log.drop(s, all)
	return log
}

// readFrom finds the last record that has all that is known, whose number is the next one to be read, or else begins with the first of all.
func (log *stable) readFrom(s protocols.Storage, all []string) int {
	for i, name := range slices.Backward(all) {
		if !etcd.IsEmptySnap(read(s, name).GetSnapshot()) {
			_, err := fmt.Sscanf(name, prefix+"%d", &log.next)
			must(err)
			return i
		}
	}
	return 0
}

func (log *stable) replay(name string, m *pb.Message) {
	if !etcd.IsEmptySnap(m.GetSnapshot()) {
		must(log.ApplySnapshot(m.GetSnapshot()))
	}
	must(log.Append(m.GetEntries()))
	must(log.SetHardState(&pb.HardState{Term: m.Term, Vote: m.Vote, Commit: m.Commit}))
	log.written = append(log.written, name)
	log.next++
}

// drop deletes the records that were not read, before others get their numbers.
func (log *stable) drop(s protocols.Storage, all []string) {
	if len(all) == len(log.written) {
		return
	}
	for _, name := range all {
		if !slices.Contains(log.written, name) {
			s.Delete(name)
		}
	}
	s.Sync()
}

// save takes over what a step has changed and returns the record of it, if anything has, and which ones it replaces.
func (log *stable) save(rd *etcd.Ready, vote func(uint64) uint64) (write []statemachine.Record, forget []string) {
	received := !etcd.IsEmptySnap(rd.Snapshot)
	if received {
		must(log.ApplySnapshot(rd.Snapshot))
	}
	must(log.Append(rd.Entries))
	if !etcd.IsEmptyHardState(rd.HardState) {
		must(log.SetHardState(rd.HardState))
	} else if len(rd.Entries) == 0 && !received && !log.whole {
		return nil, nil
	}
	hard, _, _ := log.InitialState()
	m := &pb.Message{Term: hard.Term, Vote: new(vote(hard.GetVote())), Commit: hard.Commit, Entries: rd.Entries}
	if received || log.whole {
		m.Snapshot = log.snapshot()
		m.Entries = log.after(m.GetSnapshot().GetMetadata().GetIndex())
		forget, log.written, log.whole = log.written, nil, false
	}
	name := recordName(log.next)
	log.written = append(log.written, name)
	log.next++
	return []statemachine.Record{{Name: name, Value: encode(m)}}, forget
}

// compact replaces the log up to what is applied by a snapshot. The next record will have it.
func (log *stable) compact(applied uint64, group *pb.ConfState, state string) {
	_, err := log.CreateSnapshot(applied, group, []byte(state))
	must(err)
	must(log.Compact(applied))
	log.whole = true
}

func (log *stable) snapshot() *pb.Snapshot {
	snapshot, err := log.Snapshot()
	must(err)
	return snapshot
}

// compacted is the index of the last entry that is in the snapshot and not in the log any more.
func (log *stable) compacted() uint64 {
	first, err := log.FirstIndex()
	must(err)
	return first - 1
}

// after returns the entries after an index. They are the storage's own.
func (log *stable) after(index uint64) []*pb.Entry {
	last, err := log.LastIndex()
	must(err)
	if last <= index {
		return nil
	}
	entries, err := log.Entries(index+1, last+1, math.MaxUint64)
	must(err)
	return entries
}

func recordName(n int) string { return fmt.Sprintf("%s%06d", prefix, n) }

func read(s protocols.Storage, name string) *pb.Message {
	value, _ := s.Read(name)
	return decode(value)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
