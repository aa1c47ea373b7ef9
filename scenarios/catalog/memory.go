package catalog

import (
	"slices"
	"unsafe"

	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// What protocols take in memory besides the usual, as 'mangrove run' tells bytes per rank; docs/clusters.md has the table. Of lists of what ranks
// note every process has one of all ranks.

// pointerBytes is what a pointer takes.
const pointerBytes = 8

// memoryOfLists is that of corrections whose messages carry lists of up to f+1 ranks.
func memoryOfLists(s line.Settings, carried bool) (m scenarios.Memory) {
	if carried {
		m.PerRank = 500 + 600*int64(min(s.Int("f"), s.Int("P")))
	}
	return m
}

// memoryOfULFM is that of communicators, and of a share and a place in the diary of each rank.
func memoryOfULFM(calls int, share uintptr) scenarios.Memory {
	return scenarios.Memory{PerRank: 3200 + 1000*int64(calls), Everywhere: int64(share) + pointerBytes}
}

// memoryOfTeam is that of operations on a team whose ranks have so many bytes of data each.
func memoryOfTeam[T any](data int64) scenarios.Memory {
	m := memoryOfULFM(1, unsafe.Sizeof(share[T]{}))
	m.PerRank += 5000 + data
	return m
}

// What a rank has of each number that it computes with, and for each other rank where everybody sends to everybody, in bytes.
const (
	perNumber        = 40
	perPeerOfSorting = 120
	perPeerOfQueries = 80
)

func perPeerOf(operation string) int64 {
	if slices.Contains([]string{"alltoall", "alltoallv", "allgather"}, operation) {
		return 30
	}
	return 0
}

// seriesBytes is what there is of a rank that takes part in one broadcast after the other.
const seriesBytes = int64(unsafe.Sizeof(latencies{}.got[0]) + unsafe.Sizeof(latencies{}.late[0]))

var memoryOfMembership = scenarios.Memory{Everywhere: int64(unsafe.Sizeof(membership.Record{}))}
