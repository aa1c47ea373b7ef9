//go:build bug

package raft

import (
	"slices"

	pb "go.etcd.io/raft/v3/raftpb"
)

// bugs are what a node does wrong.
type bugs struct{ forgetsVote, neverSyncs, appliesOneMore bool }

// vote is the vote that is stored. Who comes back does not know of it, and votes again.
func (b bugs) vote(cast uint64) uint64 {
	if b.forgetsVote {
		return 0
	}
	return cast
}

// syncs says whether what is written is made safe before anybody hears of it.
func (b bugs) syncs(must bool) bool { return must && !b.neverSyncs }

// committed are the entries that are applied: all up to the commit index, which is one too many if the range is taken to end before it.
func (b bugs) committed(n *Node, entries []*pb.Entry) []*pb.Entry {
	if !b.appliesOneMore {
		return entries
	}
	end := n.Raft.BasicStatus().GetCommit() + 1
	return slices.DeleteFunc(slices.Clone(n.log.after(n.applied)), func(e *pb.Entry) bool { return e.GetIndex() > end })
}
