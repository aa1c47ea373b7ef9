package emu

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

// However many links there are, each has an order of its own, and none is left after a reset.
func TestLinksHaveTheirOwnOrders(t *testing.T) {
	var orders linkOrders
	random := rand.New(rand.NewPCG(1, 2))
	for _, links := range []int{1, 3, fewLinks, fewLinks + 1, 200, mostLinks + 9, 5, 40} {
		orders.reset()
		last := make(map[uint64]clock.Time)
		for n := range 5 * links {
			link := uint64(random.IntN(links))
			at := clock.Time(n/9 + random.IntN(30))
			last[link] = max(last[link], at)
			require.Equal(t, last[link], orders.of(link).follow(at, false), "%d links", links)
		}
		require.LessOrEqual(t, len(orders.all), links)
	}
}

// What is there once more follows the first one as it would without others, and holds nobody up.
func TestSecondMessagesKeepTheirDistance(t *testing.T) {
	var o linkOrder
	require.EqualValues(t, 30, o.follow(30, false))
	require.EqualValues(t, 30, o.follow(10, false), "held up")
	require.EqualValues(t, 34, o.follow(14, true), "four ticks behind it")
	require.EqualValues(t, 90, o.follow(70, true))
	require.EqualValues(t, 31, o.follow(31, false))
	require.EqualValues(t, 33, o.follow(33, true))
}
