package membership_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// inquiries are those of a rank, in order.
func (x outcome) inquiries(rank int) (asked []report.Event) {
	for _, e := range x.Events {
		if e.Rank == rank && e.Kind == report.EventSend && e.Msg == membership.HowAreYou {
			asked = append(asked, e)
		}
	}
	return asked
}

// targets are whom they went to, but for those whom nobody asks for.
func targets(asked []report.Event, of ...int) (ranks []int) {
	for _, e := range asked {
		if slices.Contains(of, e.Peer) {
			ranks = append(ranks, e.Peer)
		}
	}
	return ranks
}

// Ranks ask their successors one after the other, each once in a while.
func TestSuccessorsAreAskedInTurn(t *testing.T) {
	for _, every := range []clock.Time{100, 101, 105} {
		o := usual(papers(7), 2)
		o.Every, o.Until = every, 1000
		x := run(t, papers(7), o, "none")
		for rank := range 7 {
			at := every.Times(rank) / 7
			if rank == 0 {
				at = every
			}
			for _, e := range x.inquiries(rank) {
				require.Equal(t, at, e.Time, "rank %d", rank)
				require.Equal(t, (rank+1)%7, e.Peer)
				at += every
			}
			require.GreaterOrEqual(t, at, o.Until)
		}
	}
}

// At random, all others are asked, and nobody asks itself; at intervals that are half as long, or twice.
func TestAllOthersAreAskedAtRandom(t *testing.T) {
	o := usual(papers(4), 2)
	o.Inquiry, o.Every, o.Until = membership.Random, 50, 9000
	x := run(t, papers(4), o, "none")
	for rank := range 4 {
		asked := x.inquiries(rank)
		others := make(map[int]int)
		shortest, longest := clock.Never, clock.Time(0)
		for i, e := range asked {
			others[e.Peer]++
			if i > 0 {
				gap := e.Time - asked[i-1].Time
				shortest, longest = min(shortest, gap), max(longest, gap)
			}
		}
		require.Len(t, others, 3)
		require.NotContains(t, others, rank)
		for other, times := range others {
			require.InDelta(t, len(asked)/3, times, float64(len(asked))/6, "rank %d asks %d", rank, other)
		}
		require.InDelta(t, 9000/50, len(asked), 30)
		require.Less(t, shortest, o.Every/2)
		require.Greater(t, longest, o.Every*3/2)
		require.LessOrEqual(t, longest, 2*o.Every+10, "and an answer that has to come first")
	}
}

// Of two, each can find out that the other has failed. Who is alone asks nobody, least of all itself.
func TestWhoIsAloneDoesNotAskItself(t *testing.T) {
	for _, inquiry := range []membership.Inquiry{membership.Successor, membership.Random} {
		o := usual(papers(2), 2)
		o.Inquiry = inquiry
		for rank, view := range []string{"1 (1 member, 1 change)", "0 (1 member, 1 change)"} {
			failed := []string{"crash:0@t200", "crash:1@t200"}[rank]
			x := run(t, papers(2), o, failed)
			x.everybody(t, view, 1-rank)
			require.Empty(t, targets(x.inquiries(1-rank), 1-rank))
		}
	}
}

// A root asks those who have left, one at a time, all in turn; not those who are back. Others ask none of them.
func TestRootAsksThoseWhoHaveLeftInTurn(t *testing.T) {
	for schedule, want := range map[string][]int{
		"crash:4@t0,crash:6@t0":                          {4, 6},
		"crash:3@t0,crash:4@t0,crash:6@t0":               {3, 4, 6},
		"crash:3@t0,crash:4@t0,crash:6@t0,rejoin:4@t900": {3, 6},
	} {
		x := run(t, papers(7), usual(papers(7), 2), schedule)
		late := x.inquiries(0)
		late = slices.DeleteFunc(late, func(e report.Event) bool { return e.Time < 2000 })
		asked := targets(late, want...)
		require.Greater(t, len(asked), 20, schedule)
		place := slices.Index(want, asked[0])
		for i, rank := range asked {
			require.Equal(t, want[(place+i)%len(want)], rank, "%s: %v", schedule, asked)
		}
		require.Len(t, targets(late, 1), len(asked), "its successor as often")
		require.Len(t, late, 2*len(asked))
		require.Empty(t, targets(slices.DeleteFunc(x.inquiries(1), func(e report.Event) bool { return e.Time < 2000 }), want...))
	}
}

// A question to somebody who is no member, or to oneself, is not asked.
func TestNobodyIsAskedWhoIsNoMember(t *testing.T) {
	o := asked(papers(7), 2, membership.Question{At: 50, From: 2, To: 6}, membership.Question{At: 60, From: 2, To: 5}, membership.Question{At: 55, From: 3, To: 5})
	o.Members = 6
	x := run(t, papers(7), o, "none")
	require.Equal(t, []int{5}, targets(x.inquiries(2), 0, 1, 2, 3, 4, 5, 6))
	require.Equal(t, clock.Time(60), x.inquiries(2)[0].Time)
	require.Equal(t, []int{5}, targets(x.inquiries(3), 0, 1, 2, 3, 4, 5, 6))
}

// A further life asks what is to be asked after it has begun, and not what it has missed.
func TestFurtherLifeAsksWhatItHasNotMissed(t *testing.T) {
	o := asked(papers(7), 2, membership.Question{At: 300, From: 2, To: 5}, membership.Question{At: 40, From: 2, To: 4}, membership.Question{At: 10, From: 2, To: 3})
	x := run(t, papers(7), o, "crash:2@t30,rejoin:2@t100")
	require.Equal(t, []int{3, 5}, targets(x.inquiries(2), 0, 1, 3, 4, 5, 6))
	x.everybody(t, "0-6 (7 members, 2 changes)", 0, 1, 2, 3, 4, 5, 6)
	x = run(t, papers(7), o, "crash:2@t30,rejoin:2@t300")
	require.Equal(t, []int{3}, targets(x.inquiries(2), 0, 1, 3, 4, 5, 6), "it is not there yet when it begins")
}
