package cells_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// supply is a store with a pool and a reserve, as a rank has them.
type supply struct {
	store   *cells.Store
	pool    cells.Pool
	reserve cells.Reserve
}

func newSupply() *supply {
	s := &supply{store: cells.NewStore()}
	s.pool.Open(s.store)
	return s
}

func (s *supply) cell() cells.Ref {
	if s.reserve.Empty() {
		s.pool.Refill(&s.reserve)
	}
	return s.reserve.Take(s.store)
}

func (s *supply) put(from int32, at clock.Time, m mailbox.Message) cells.Ref {
	ref := s.cell()
	s.store.Put(ref, from, at, &m)
	return ref
}

// A reserve is empty when all cells that it got are taken, and not before.
func TestReservesAreUsedUp(t *testing.T) {
	s := newSupply()
	require.True(t, s.reserve.Empty())
	s.pool.Refill(&s.reserve)
	taken := make(map[cells.Ref]bool)
	for !s.reserve.Empty() {
		taken[s.reserve.Take(s.store)] = true
	}
	require.Len(t, taken, 4)
	for ref := range taken {
		s.reserve.Put(s.store, ref, cells.MaxReserve)
		require.False(t, s.reserve.Empty())
	}
}

func TestStoreReturnsWhatWasPut(t *testing.T) {
	messages := []mailbox.Message{
		{},
		{Kind: 255, Epoch: 1<<32 - 1, A: -1 << 63},
		{Kind: 1, A: 1<<63 - 1, Payload: "x"},
		{Payload: string(make([]byte, 1<<16))},
	}
	s := newSupply()
	var refs []cells.Ref
	for i := range 5000 {
		refs = append(refs, s.put(int32(i), clock.Time(i), messages[i%len(messages)]))
	}
	for i, ref := range refs {
		require.EqualValues(t, i, s.store.Cell(ref).At)
		from, m := s.store.Get(ref)
		require.Equal(t, i, from)
		require.Equal(t, messages[i%len(messages)], m)
	}
}

func TestCellsAreDistinctUntilGivenBack(t *testing.T) {
	s := newSupply()
	seen := make(map[cells.Ref]bool)
	for range 10_000 {
		ref := s.cell()
		require.NotZero(t, ref)
		require.False(t, seen[ref])
		seen[ref] = true
	}
	for ref := range seen {
		if s.reserve.Put(s.store, ref, cells.MaxReserve) {
			s.pool.GiveBack(s.reserve.Drain(s.store))
		}
	}
	before := s.store.Used()
	for range 9_000 {
		s.cell()
	}
	require.Equal(t, before, s.store.Used(), "cells that were given back are used again")
}

// Messages may flow one way for ever: from senders that use one pool to receivers that use
// another.
func TestCellsFlowBackFromOnePoolToAnother(t *testing.T) {
	store := cells.NewStore()
	var senders, receivers cells.Pool
	senders.Open(store)
	receivers.Open(store)
	var out, in cells.Reserve
	for range 100_000 {
		if out.Empty() {
			senders.Refill(&out)
		}
		if in.Put(store, out.Take(store), cells.MaxReserve) {
			receivers.GiveBack(in.Drain(store))
		}
	}
	require.Less(t, store.Used(), 5_000)
}

func TestPoolServesSeveralGoroutines(t *testing.T) {
	store := cells.NewStore()
	var pool cells.Pool
	pool.Open(store)
	var wait sync.WaitGroup
	owned := make([][]cells.Ref, 4)
	for i := range owned {
		wait.Go(func() {
			var reserve cells.Reserve
			for range 2000 {
				if reserve.Empty() {
					pool.Refill(&reserve)
				}
				owned[i] = append(owned[i], reserve.Take(store))
			}
		})
	}
	wait.Wait()
	all := slices.Concat(owned...)
	slices.Sort(all)
	require.Len(t, slices.Compact(all), 8000)
}

// Chains are built by pushing in front and read by arrival, sender and send order.
func TestSortArrivals(t *testing.T) {
	for n := 1; n < 300; n += 1 + n/5 {
		random := rand.New(rand.NewPCG(uint64(n), 0))
		s := newSupply()
		type sent struct {
			at   clock.Time
			from int32
			nth  int64
		}
		var want []sent
		var chain cells.Ref
		for i := range n {
			x := sent{clock.Time(random.IntN(1 + n/3)), int32(random.IntN(4)), int64(i)}
			want = append(want, x)
			ref := s.put(x.from, x.at, mailbox.Message{A: x.nth})
			s.store.Cell(ref).Next = chain
			chain = ref
		}
		slices.SortFunc(want, func(a, b sent) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from), cmp.Compare(a.nth, b.nth))
		})
		var got []sent
		for ref := s.store.SortArrivals(chain); ref != 0; ref = s.store.Cell(ref).Next {
			c := s.store.Cell(ref)
			got = append(got, sent{c.At, c.From, c.A})
		}
		require.Equal(t, want, got, "%d messages", n)
	}
}

// Eight senders are told apart at a glance; of more nobody says that they are.
func TestSendersAreToldApart(t *testing.T) {
	for n := range 11 {
		for twice := range n {
			s := newSupply()
			var lists [2]cells.List
			for i := range n {
				ref := s.put(int32(i), 1, mailbox.Message{})
				lists[i%2].Append(s.store, ref)
			}
			require.Equal(t, n <= 8, s.store.Distinct(lists[0].First, lists[1].First), "%d messages", n)
			lists[1].Append(s.store, s.put(int32(twice), 1, mailbox.Message{}))
			require.False(t, s.store.Distinct(lists[0].First, lists[1].First), "%d of %d", twice, n)
		}
	}
	require.True(t, newSupply().store.Distinct(0, 0))
}

func TestListIsReadByWantInOrder(t *testing.T) {
	s := newSupply()
	var list, more cells.List
	for i := range 2 {
		list.Append(s.store, s.put(int32(i%2), clock.Time(10+i), mailbox.Message{Kind: mailbox.Kind(i), A: int64(i)}))
	}
	for i := 2; i < 4; i++ {
		more.Append(s.store, s.put(int32(i%2), clock.Time(10+i), mailbox.Message{Kind: mailbox.Kind(i), A: int64(i)}))
	}
	list.AppendList(s.store, more)

	take := func(w mailbox.Want) (a int64, at clock.Time) {
		prev, ref, received := list.Find(s.store, w)
		if ref == 0 {
			return -1, received
		}
		list.Remove(s.store, prev, ref)
		_, m := s.store.Get(ref)
		return m.A, received
	}
	steps := []struct {
		want mailbox.Want
		a    int64
		at   clock.Time
	}{
		{mailbox.From(1).OfKind(3), 3, 13}, // the last one
		{mailbox.From(1), 1, 11},           // from the middle
		{mailbox.OfKind(7), -1, clock.Never},
		{mailbox.None, -1, clock.Never},
		{mailbox.Any, 0, 10},
		{mailbox.Any, 2, 12},
		{mailbox.Any, -1, clock.Never},
	}
	for _, step := range steps {
		a, at := take(step.want)
		require.Equal(t, step.a, a, step.want)
		require.Equal(t, step.at, at, step.want)
	}
	require.Equal(t, cells.List{}, list)
}

func TestEmptyListsJoinAndAreTaken(t *testing.T) {
	s := newSupply()
	one := s.put(0, 1, mailbox.Message{})
	var list cells.List
	list.AppendList(s.store, cells.List{})
	require.Equal(t, cells.List{}, list)
	list.AppendList(s.store, cells.List{First: one, Last: one})
	list.AppendList(s.store, cells.List{})
	require.Equal(t, cells.List{First: one, Last: one}, list.Take())
	require.Equal(t, cells.List{}, list.Take())
}
