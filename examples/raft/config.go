package raft

import (
	etcd "go.etcd.io/raft/v3"

	"github.com/mangrove-emu/mangrove/clock"
)

// Tick is the time between two ticks of the library: about as long as a message takes.
const Tick clock.Time = 20

// The library counts ticks.
const (
	electionTick  = 5 // without a leader for so many ticks, and up to twice as many by chance, a rank wants to be one
	heartbeatTick = 1 // between two heartbeats
)

// Config says how a group works. It is the same on all ranks.
type Config struct {
	// Voters are the ranks that are in the group at the beginning. Others may join.
	Voters []int
	// SnapshotEvery is after how many entries the log is replaced by a snapshot. 0: never.
	SnapshotEvery uint64
	// PreVote has a rank ask whether it could win before it wants to be leader; CheckQuorum has a leader step down who hears of no majority.
	PreVote, CheckQuorum bool

	bugs // in the build with the tag bug
}

// library is the configuration of the library for a rank.
func (c *Config) library(rank int, log *stable) *etcd.Config {
	return &etcd.Config{
		ID:                id(rank),
		ElectionTick:      electionTick,
		HeartbeatTick:     heartbeatTick,
		Storage:           log,
		Applied:           log.snapshot().GetMetadata().GetIndex(),
		MaxSizePerMsg:     1 << 20,
		MaxInflightMsgs:   256,
		PreVote:           c.PreVote,
		CheckQuorum:       c.CheckQuorum,
		StepDownOnRemoval: true,
		Logger:            silent{},
	}
}

// id is what the library calls a rank: 0 is nobody there.
func id(rank int) uint64 { return uint64(rank) + 1 }

func rankOf(id uint64) int { return int(id) - 1 }
