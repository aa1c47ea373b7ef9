package gossip_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/gossip"
)

// place is a rank among others, as far as partners depend on it.
type place struct {
	protocols.Proc
	rank, size int
}

func (p place) Rank() int { return p.rank }
func (p place) Size() int { return p.size }

// partnersOf are the first partners of a rank.
func partnersOf(partners gossip.Partners, rank, size, count int) (all []int) {
	for n := range count {
		all = append(all, partners(place{rank: rank, size: size}, n))
	}
	return all
}

// Lines with fixed partners are the same runs for ever.
func TestFixedPartnersStayAsTheyAre(t *testing.T) {
	require.Equal(t, []int{8, 6, 5, 1, 5, 9}, partnersOf(gossip.Fixed, 0, 10, 6))
	require.Equal(t, []int{9, 3, 2, 0, 9, 6}, partnersOf(gossip.Fixed, 4, 10, 6))
	require.Equal(t, []int{1, 1}, partnersOf(gossip.Fixed, 0, 2, 2))
	require.Equal(t, []int{0, 0}, partnersOf(gossip.Fixed, 1, 2, 2), "nobody is a partner of himself")
}

func TestTablesListPartners(t *testing.T) {
	table := gossip.Table(map[int][]int{1: {3, 2}})
	require.Equal(t, []int{3, 2, gossip.Nobody}, partnersOf(table, 1, 4, 3))
	require.Equal(t, []int{gossip.Nobody}, partnersOf(table, 0, 4, 1))
}

func TestFixedPartnersOnTheLargestMachine(t *testing.T) {
	const last = clock.MaxRanks - 1
	seen := make(map[int]bool)
	for _, rank := range []int{0, 1, last - 1, last} {
		upper := 0
		for _, to := range partnersOf(gossip.Fixed, rank, clock.MaxRanks, 200) {
			require.True(t, to >= 0 && to <= last && to != rank)
			seen[to] = true
			if to > last/2 {
				upper++
			}
		}
		require.InDelta(t, 100, upper, 40, "they are anywhere")
	}
	require.Len(t, seen, 4*200)
}
