package search

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// timeless is a random program that does not look at its clock: ranks send and receive, and whom they send to depends on whom they have heard.
func timeless(ranks, length int, seed uint64) protocols.Program {
	return protocols.Program{Main: func(p protocols.Proc) {
		random := rand.New(rand.NewPCG(seed, uint64(p.Rank())))
		last := p.Rank()
		for range length {
			if random.IntN(5) < 3 {
				p.Send((last+1+random.IntN(ranks-1))%ranks, mailbox.Message{Kind: mailbox.Kind(last)})
			} else {
				last, _ = p.Recv(mailbox.Any)
			}
		}
	}}
}

// Every order of deliveries is met: as many as with as many delays as there are messages.
func TestNoOrderIsMissed(t *testing.T) {
	cases, most := 0, 0
	seeds := uint64(150)
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
		s := subject(3, timeless(3, 3, seed), reachesNobodyInParticular)
		s.Machine.Unordered = seed%3 == 0
		b := newBruteForce(t, s)
		messages := int(b.run(nil).Messages)
		if messages < 2 || messages > 4 {
			continue
		}
		want := explore(t, s, ExploreOptions{Delays: messages + 1})
		got, err := Orders(t.Context(), s, OrdersOptions{})
		require.NoError(t, err)
		require.True(t, got.Complete())
		require.Equal(t, want.Cases, got.Cases, "seed %d", seed)
		require.LessOrEqual(t, got.Runs, want.Runs)
		cases, most = cases+len(got.Cases), max(most, len(got.Cases))
	}
	require.Greater(t, cases, int(seeds)/4)
	require.GreaterOrEqual(t, most, 2)
}

// Three ranks send twice to one, and it takes that in 6!/(2! 2! 2!) orders, or in 6! if links are not in order.
func TestOrdersOfThreeSenders(t *testing.T) {
	program := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() > 0 {
			p.Send(0, mailbox.Message{})
			p.Send(0, mailbox.Message{})
			return
		}
		for range 6 {
			p.Recv(mailbox.Any)
		}
	}}
	s := subject(4, program, func(rep *report.Report) []guarantee.Verdict {
		return []guarantee.Verdict{{Name: "in time", Value: guarantee.ValueOf(len(rep.Faults) < 3)}}
	})
	for _, workers := range []int{1, 3} {
		found, err := Orders(t.Context(), s, OrdersOptions{Workers: workers})
		require.NoError(t, err)
		require.Len(t, found.Cases, 90)
	}
	free := subject(4, program, reachesNobodyInParticular)
	free.Machine.Unordered = true
	all, err := Orders(t.Context(), free, OrdersOptions{})
	require.NoError(t, err)
	require.Len(t, all.Cases, 720)

	found, err := Orders(t.Context(), s, OrdersOptions{})
	require.NoError(t, err)
	again, err := Orders(t.Context(), s, OrdersOptions{Resume: stored(t, found)})
	require.NoError(t, err)
	requireSame(t, found, again)
}

// A program that looks at its clock has more than orders.
func TestProgramsThatLookAtTheClockHaveNoOrders(t *testing.T) {
	for _, program := range []func(protocols.Proc){
		func(p protocols.Proc) { p.Now() },
		func(p protocols.Proc) { p.Poll(mailbox.Any) },
		func(p protocols.Proc) { p.RecvUntil(mailbox.Any, 5) },
		func(p protocols.Proc) { p.WaitUntil(3) },
	} {
		_, err := Orders(t.Context(), subject(2, protocols.Program{Main: program}, reachesNobodyInParticular), OrdersOptions{})
		require.ErrorContains(t, err, "rank 0 decides by time at t=")
	}
}
