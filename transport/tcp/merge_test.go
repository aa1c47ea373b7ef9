package tcp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// at is an event of a rank, with a message that its number tells from others, if it is one of a message.
func at(when time.Duration, rank int, kind report.EventKind, peer int, number int64) recorded {
	e := report.Event{Rank: rank, Kind: kind, Peer: peer}
	if peer != report.NoPeer {
		e.Msg, e.A = 1, number
	}
	return recorded{e, when}
}

// merged is a list as words such as "0 send 1", one for each event, with the instants that they have in the end.
func merged(wrong time.Duration, unrecorded map[int]bool, ranks ...[]recorded) (words []string) {
	m := newMerger(ranks, wrong)
	m.merge()
	m.loseAtCrashed(unrecorded)
	for _, e := range m.inOrder(1) {
		word := fmt.Sprintf("%d:%d %s", e.Time, e.Rank, e.Kind)
		if e.Peer != report.NoPeer {
			word += fmt.Sprintf(" %d", e.Peer)
		}
		words = append(words, word)
	}
	return words
}

// Causes come before their effects wherever clocks leave that open.
func TestEventsAreMergedByTimeAndCause(t *testing.T) {
	const send, receive, none = report.EventSend, report.EventReceive, report.NoPeer
	for name, c := range map[string]struct {
		wrong time.Duration
		ranks [][]recorded
		want  string
	}{
		"by time": {0, [][]recorded{
			{at(5, 0, send, 1, 7), at(20, 0, report.EventExit, none, 0)}, {at(9, 1, receive, 0, 7), at(10, 1, report.EventTake, 0, 7)},
		}, "5:0 send 1, 9:1 receive 0, 10:1 take 0, 20:0 exit"},
		"at the same instant": {0, [][]recorded{{at(5, 0, receive, 1, 7)}, {at(5, 1, send, 0, 7)}}, "5:1 send 0, 5:0 receive 1"},
		"the receiver's clock is behind": {4, [][]recorded{
			{at(9, 0, send, 1, 7)}, {at(1, 1, report.EventStep, none, 0), at(5, 1, receive, 0, 7), at(6, 1, report.EventStep, none, 0), at(12, 1, report.EventExit, none, 0)},
		}, "1:1 step, 9:0 send 1, 9:1 receive 0, 9:1 step, 12:1 exit"},
		"it cannot be as far behind": {3, [][]recorded{{at(9, 0, send, 1, 7)}, {at(5, 1, receive, 0, 7)}}, "5:1 receive 0, 9:0 send 1"},
		"an answer to what moved, moves as well": {4, [][]recorded{
			{at(9, 0, send, 1, 7), at(10, 0, receive, 1, 8)}, {at(5, 1, receive, 0, 7), at(6, 1, send, 0, 8)},
		}, "9:0 send 1, 9:1 receive 0, 9:1 send 0, 10:0 receive 1"},
		"never sent":                {100, [][]recorded{{at(9, 0, send, 1, 7)}, {at(5, 1, receive, 0, 8)}}, "5:1 receive 0, 9:0 send 1"},
		"sent once, received twice": {100, [][]recorded{{at(1, 0, send, 1, 7)}, {at(2, 1, receive, 0, 7), at(3, 1, receive, 0, 7)}}, "1:0 send 1, 2:1 receive 0, 3:1 receive 0"},
		"sent twice, the second too late": {3, [][]recorded{
			{at(1, 0, send, 1, 7), at(9, 0, send, 1, 7)}, {at(2, 1, receive, 0, 7), at(3, 1, receive, 0, 7)},
		}, "1:0 send 1, 2:1 receive 0, 3:1 receive 0, 9:0 send 1"},
		"on its way once more": {0, [][]recorded{
			{at(1, 0, send, 1, 7), at(1, 0, report.EventTwice, 1, 5)}, {at(1, 1, receive, 0, 7), at(6, 1, receive, 0, 7)},
		}, "1:0 send 1, 1:0 twice 1, 1:1 receive 0, 6:1 receive 0"},
		"two that cannot both be so": {9, [][]recorded{
			{at(2, 0, receive, 1, 8), at(3, 0, send, 1, 7)}, {at(1, 1, receive, 0, 7), at(2, 1, send, 0, 8)},
		}, "1:1 receive 0, 2:1 send 0, 2:0 receive 1, 3:0 send 1"},
		"lost with a crash, before it or after": {0, [][]recorded{
			{at(1, 0, send, 1, 7), at(3, 0, send, 1, 8), at(4, 0, send, 2, 9)}, {at(2, 1, report.EventCrash, none, 0)}, {},
		}, "1:0 send 1, 2:1 crash, 2:1 lost 0, 3:0 send 1, 3:1 lost 0, 4:0 send 2"},
		"down for a while": {0, [][]recorded{
			{at(1, 0, send, 1, 7), at(3, 0, send, 1, 8), at(6, 0, send, 1, 9)},
			{at(2, 1, report.EventCrash, none, 0), at(5, 1, report.EventRejoin, none, 0)},
		}, "1:0 send 1, 2:1 crash, 2:1 lost 0, 3:0 send 1, 3:1 lost 0, 5:1 rejoin, 6:0 send 1"},
		"dropped, and sent again: it is the second that is received": {9, [][]recorded{
			{at(5, 0, send, 1, 7), at(5, 0, report.EventDrop, 1, 7), at(8, 0, send, 1, 7)}, {at(2, 1, receive, 0, 7), at(9, 1, report.EventCrash, none, 0)},
		}, "5:0 send 1, 5:0 drop 1, 8:0 send 1, 8:1 receive 0, 9:1 crash"},
		"cut, or dropped, and not lost again": {0, [][]recorded{
			{at(1, 0, send, 1, 7), at(1, 0, report.EventCut, 1, 7), at(3, 0, send, 1, 8), at(3, 0, report.EventDrop, 1, 8)}, {at(2, 1, report.EventCrash, none, 0)},
		}, "1:0 send 1, 1:0 cut 1, 2:1 crash, 3:0 send 1, 3:0 drop 1"},
	} {
		require.Equal(t, c.want, strings.Join(merged(c.wrong, nil, c.ranks...), ", "), name)
	}
	killed := [][]recorded{{at(1, 0, send, 1, 7)}, {at(2, 1, report.EventCrash, none, 0)}}
	require.Equal(t, []string{"1:0 send 1", "2:1 crash"}, merged(0, map[int]bool{1: true}, killed...), "nobody knows what it received")
}

// Whatever ranks do, and however their clocks differ within the bound: the list has everything, in the order of each rank and of all causes, and never goes
// back in time.
func TestMergingKeepsEveryOrderThatIsKnown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.IntRange(2, 5).Draw(t, "ranks")
		half := time.Duration(rapid.IntRange(0, 50).Draw(t, "error of a clock"))
		skew := make([]time.Duration, ranks)
		for i := range skew {
			skew[i] = 100 + time.Duration(rapid.Int64Range(-int64(half), int64(half)).Draw(t, "skew"))
		}
		byRank := make([][]recorded, ranks)
		now, count := time.Duration(0), 0
		note := func(rank int, kind report.EventKind, peer int, number int64) {
			byRank[rank] = append(byRank[rank], at(now+skew[rank], rank, kind, peer, number))
			count++
		}
		type flight struct {
			from, to int
			number   int64
		}
		var flying []flight
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			now += time.Duration(rapid.IntRange(0, 20).Draw(t, "pause"))
			rank := rapid.IntRange(0, ranks-1).Draw(t, "rank")
			switch i := slices.IndexFunc(flying, func(f flight) bool { return f.to == rank }); {
			case i >= 0 && rapid.Bool().Draw(t, "receives"):
				note(rank, report.EventReceive, flying[i].from, flying[i].number)
				flying = slices.Delete(flying, i, i+1)
			case rapid.Bool().Draw(t, "sends"):
				f := flight{rank, rapid.IntRange(0, ranks-1).Draw(t, "to"), rapid.Int64Range(0, 1).Draw(t, "number")}
				note(rank, report.EventSend, f.to, f.number)
				flying = append(flying, f)
			default:
				note(rank, report.EventStep, report.NoPeer, 0)
			}
		}
		own := make([][]recorded, ranks)
		for rank := range byRank {
			own[rank] = slices.Clone(byRank[rank])
		}
		m := newMerger(byRank, 2*half)
		m.merge()
		events := m.inOrder(1)
		require.Len(t, events, count)
		pending := make(map[content]int)
		for i := range events {
			e := recorded{events[i], 0}
			require.True(t, i == 0 || events[i-1].Time <= e.Time)
			require.Equal(t, own[e.Rank][0].Kind, e.Kind, "the order of a rank")
			require.GreaterOrEqual(t, time.Duration(e.Time), own[e.Rank][0].At, "nothing moves back")
			require.LessOrEqual(t, time.Duration(e.Time), own[e.Rank][0].At+2*half, "nor further than clocks may differ")
			own[e.Rank] = own[e.Rank][1:]
			switch e.Kind {
			case report.EventSend:
				pending[e.sent()]++
			case report.EventReceive:
				require.Positive(t, pending[e.received()], "a receive comes after its send")
				pending[e.received()]--
			}
		}
	})
}

// What counts as at a tick is within it, and neither before what was noted in time nor after.
func TestEventsLieWithinTheirTicks(t *testing.T) {
	for _, c := range []struct{ at, want time.Duration }{{-5, 30}, {29, 30}, {30, 30}, {34, 34}, {39, 39}, {40, 39}, {1000, 39}} {
		require.Equal(t, c.want, withinTick(3, c.at, 10), c.at)
	}
}

// A process speaks of its own ranks, of what can have happened, and only if it was asked.
func TestEventsOfOthersAreRefused(t *testing.T) {
	good := recorded{report.Event{Rank: 1, Kind: report.EventSend, Peer: 0, Time: 5, Msg: mailbox.Kind(1)}, 5 * time.Millisecond}
	c := startedCoordinator(t, 2)
	require.EqualError(t, c.hear(c.members[1], control{Events: []recorded{good}}), "1 events that nobody wants")
	c.Record()
	require.NoError(t, c.hear(c.members[1], control{Events: []recorded{good, good}}))
	require.Equal(t, []recorded{good, good}, c.recorded[1])
	for name, change := range map[string]func(e *recorded){
		"another rank":     func(e *recorded) { e.Rank = 0 },
		"no rank":          func(e *recorded) { e.Rank = -1 },
		"no such peer":     func(e *recorded) { e.Peer = 2 },
		"no peer":          func(e *recorded) { e.Peer = report.NoPeer },
		"step with a peer": func(e *recorded) { e.Kind = report.EventStep },
		"decision":         func(e *recorded) { e.Kind = report.EventPass },
		"no kind":          func(e *recorded) { e.Kind = 200 },
		"before the run":   func(e *recorded) { e.Time, e.At = -1, -time.Millisecond },
		"in another tick":  func(e *recorded) { e.At = 6 * time.Millisecond },
	} {
		bad := good
		change(&bad)
		require.ErrorContains(t, c.hear(c.members[1], control{Events: []recorded{bad}}), "an event of rank", name)
	}
}
