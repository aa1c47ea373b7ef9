package search

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// placesAt are those of a run in which rank 1 receives two messages and takes them, each at such an instant, from such a rank.
func placesAt(received, taken [2]clock.Time, from [2]int, said int64) places {
	rep := &report.Report{LogP: clock.LogP{Ranks: 3, Latency: 2, Overhead: 1}, Ranks: make([]report.RankResult, 3)}
	for i, sender := range from {
		rep.Events = append(rep.Events,
			report.Event{Time: 0, Rank: sender, Kind: report.EventSend, Peer: 1},
			report.Event{Time: 0, Rank: sender, Kind: report.EventLeave, Peer: 1, A: int64(received[i]) - 1})
	}
	for i, sender := range from {
		rep.Events = append(rep.Events, report.Event{Time: received[i], Rank: 1, Kind: report.EventReceive, Peer: sender, A: said})
	}
	for i, sender := range from {
		rep.Events = append(rep.Events, report.Event{Time: taken[i], Rank: 1, Kind: report.EventTake, Peer: sender, A: said})
	}
	return placesOf(rep, false)
}

// What waits for what is part of the order and not of the case. Instants and contents are part of neither.
func TestOrdersAreFinerThanCases(t *testing.T) {
	plain := placesAt([2]clock.Time{10, 20}, [2]clock.Time{10, 20}, [2]int{0, 2}, 0)
	require.Equal(t, plain, placesAt([2]clock.Time{10, 30}, [2]clock.Time{10, 30}, [2]int{0, 2}, 7), "another time, and other contents")

	other := placesAt([2]clock.Time{10, 20}, [2]clock.Time{10, 20}, [2]int{2, 0}, 0)
	require.NotEqual(t, plain.what, other.what, "the other way round")
	require.NotEqual(t, plain.order, other.order)

	close := placesAt([2]clock.Time{10, 11}, [2]clock.Time{10, 11}, [2]int{0, 2}, 0)
	require.Equal(t, plain.what, close.what)
	require.NotEqual(t, plain.order, close.order, "the second has waited for the port")

	late := placesAt([2]clock.Time{10, 20}, [2]clock.Time{25, 25}, [2]int{0, 2}, 0)
	require.Equal(t, plain.what, late.what)
	require.NotEqual(t, plain.order, late.order, "the rank has not waited for the second")
}
