package raft

import (
	etcd "go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// apply takes over a snapshot that the leader has sent, and then what is committed.
func (n *Node) apply() {
	if snapshot := n.ready.Snapshot; !etcd.IsEmptySnap(snapshot) {
		n.app.Restore(string(snapshot.GetData()))
		n.applied, n.group = snapshot.GetMetadata().GetIndex(), snapshot.GetMetadata().GetConfState()
	}
	for _, entry := range n.config.committed(n, n.ready.CommittedEntries) {
		if entry.GetIndex() <= n.applied {
			continue
		}
		n.applied = entry.GetIndex()
		n.seen.applies(entry, n.Raft.BasicStatus().GetTerm())
		switch entry.GetType() {
		case pb.EntryConfChange:
			change := new(pb.ConfChange)
			must(proto.Unmarshal(entry.GetData(), change))
			n.group = n.Raft.ApplyConfChange(change)
		case pb.EntryNormal:
			if len(entry.GetData()) > 0 { // a new leader begins with an empty one
				n.app.Apply(entry.GetIndex(), string(entry.GetData()))
			}
		}
	}
}
