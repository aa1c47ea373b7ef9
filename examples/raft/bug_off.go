//go:build !bug

package raft

import pb "go.etcd.io/raft/v3/raftpb"

// bugs are what a node does wrong: nothing.
type bugs struct{}

// vote is the vote that is stored.
func (bugs) vote(cast uint64) uint64 { return cast }

// syncs says whether what is written is made safe before anybody hears of it.
func (bugs) syncs(must bool) bool { return must }

// committed are the entries that are applied: those that the library says are committed.
func (bugs) committed(_ *Node, entries []*pb.Entry) []*pb.Entry { return entries }
