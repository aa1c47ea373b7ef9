package emu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// traced is a machine whose ranks have noted something, with A as the order in which a rank did so.
func traced(rng *rand.Rand, ranks, perRank int, span clock.Time) (m *Machine, noted []report.Event) {
	m = &Machine{ranks: make([]rank, ranks)}
	begin := rng.Int64N(1000)
	for id := range m.ranks {
		if rng.IntN(4) == 0 {
			continue // it has nothing to say
		}
		x := &extra{}
		for i := range rng.IntN(perRank + 1) {
			x.events = append(x.events, report.Event{
				Time: clock.Time(begin) + clock.Time(rng.Int64N(int64(span)+1)), Rank: id, Kind: report.EventKind(rng.IntN(int(report.EventCut) + 1)), Peer: rng.IntN(3), A: int64(i),
			})
		}
		m.ranks[id].extra = x
		noted = append(noted, x.events...)
	}
	return m, noted
}

// However events lie, they come in the order of CompareEvents, and those that are equal in that of a rank.
func TestEventsComeInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	near, wide := 0, 0
	for range 2000 {
		span := clock.Time(1) << rng.IntN(20)
		m, want := traced(rng, 1+rng.IntN(20), rng.IntN(30), span)
		slices.SortStableFunc(want, report.CompareEvents)
		got := m.events()
		require.Len(t, got, len(want))
		for i := range want {
			require.Equal(t, want[i], got[i], "event %d of %d within %d ticks", i, len(want), span)
		}
		if n := len(want); n > 0 && want[n-1].Time-want[0].Time <= instantsPerEvent*clock.Time(n) {
			near++
		} else if n > 0 {
			wide++
		}
	}
	require.Greater(t, near, 500)
	require.Greater(t, wide, 500)
}
