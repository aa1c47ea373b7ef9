package mailbox_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// desk is a store with a shelf and a purse, as a rank has them.
type desk struct {
	store *mailbox.Store
	shelf mailbox.Shelf
	purse mailbox.Purse
}

func newDesk() *desk {
	d := &desk{store: mailbox.NewStore()}
	d.shelf.Open(d.store)
	return d
}

func (d *desk) cell() mailbox.Ref {
	if d.purse.Empty() {
		d.shelf.Take(&d.purse)
	}
	return d.purse.Pay(d.store)
}

func (d *desk) put(from int32, at clock.Time, m mailbox.Message) mailbox.Ref {
	ref := d.cell()
	d.store.Put(ref, from, at, m)
	return ref
}

func TestStoreReturnsWhatWasPut(t *testing.T) {
	messages := []mailbox.Message{
		{},
		{Kind: 255, Epoch: 1<<32 - 1, A: -1 << 63},
		{Kind: 1, A: 1<<63 - 1, Payload: "x"},
		{Payload: string(make([]byte, 1<<16))},
	}
	d := newDesk()
	var refs []mailbox.Ref
	for i := range 5000 {
		refs = append(refs, d.put(int32(i), clock.Time(i), messages[i%len(messages)]))
	}
	for i, ref := range refs {
		require.EqualValues(t, i, d.store.Cell(ref).At)
		from, m := d.store.Get(ref)
		require.Equal(t, i, from)
		require.Equal(t, messages[i%len(messages)], m)
	}
}

func TestCellsAreDistinctUntilGivenBack(t *testing.T) {
	d := newDesk()
	seen := make(map[mailbox.Ref]bool)
	for range 10_000 {
		ref := d.cell()
		require.NotZero(t, ref)
		require.False(t, seen[ref])
		seen[ref] = true
	}
	for ref := range seen {
		if d.purse.Earn(d.store, ref) {
			d.shelf.Give(d.purse.Excess(d.store))
		}
	}
	before := d.store.Used()
	for range 9_000 {
		d.cell()
	}
	require.Equal(t, before, d.store.Used(), "cells that were given back are used again")
}

// Messages may flow one way for ever: from senders that use one shelf to receivers that use
// another.
func TestCellsFlowBackFromOneShelfToAnother(t *testing.T) {
	store := mailbox.NewStore()
	var senders, receivers mailbox.Shelf
	senders.Open(store)
	receivers.Open(store)
	var out, in mailbox.Purse
	for range 100_000 {
		if out.Empty() {
			senders.Take(&out)
		}
		if in.Earn(store, out.Pay(store)) {
			receivers.Give(in.Excess(store))
		}
	}
	require.Less(t, store.Used(), 5_000)
}

func TestShelfServesSeveralGoroutines(t *testing.T) {
	store := mailbox.NewStore()
	var shelf mailbox.Shelf
	shelf.Open(store)
	var wait sync.WaitGroup
	owned := make([][]mailbox.Ref, 4)
	for i := range owned {
		wait.Go(func() {
			var purse mailbox.Purse
			for range 2000 {
				if purse.Empty() {
					shelf.Take(&purse)
				}
				owned[i] = append(owned[i], purse.Pay(store))
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
		d := newDesk()
		type sent struct {
			at   clock.Time
			from int32
			nth  int64
		}
		var want []sent
		var chain mailbox.Ref
		for i := range n {
			s := sent{clock.Time(random.IntN(1 + n/3)), int32(random.IntN(4)), int64(i)}
			want = append(want, s)
			ref := d.put(s.from, s.at, mailbox.Message{A: s.nth})
			d.store.Cell(ref).Next = chain
			chain = ref
		}
		slices.SortFunc(want, func(a, b sent) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from), cmp.Compare(a.nth, b.nth))
		})
		var got []sent
		for ref := d.store.SortArrivals(chain); ref != 0; ref = d.store.Cell(ref).Next {
			c := d.store.Cell(ref)
			got = append(got, sent{c.At, c.From, c.A})
		}
		require.Equal(t, want, got, "%d messages", n)
	}
}

func TestMailboxHandsOverAndFilters(t *testing.T) {
	d := newDesk()
	var box mailbox.Mailbox
	box.Open()
	var list mailbox.List
	for i := range 4 {
		list.Append(d.store, d.put(int32(i%2), clock.Time(10+i), mailbox.Message{Kind: mailbox.Kind(i), A: int64(i)}))
	}
	go box.HandOver(mailbox.Handover{Received: list, Until: 99})
	h := box.Await()
	require.EqualValues(t, 99, h.Until)
	box.Add(d.store, h.Received)

	take := func(w mailbox.Want) (a int64, at clock.Time) {
		prev, ref, received := box.Find(d.store, w)
		if ref == 0 {
			return -1, received
		}
		box.Remove(d.store, prev, ref)
		_, m := d.store.Get(ref)
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
	for _, s := range steps {
		a, at := take(s.want)
		require.Equal(t, s.a, a, s.want)
		require.Equal(t, s.at, at, s.want)
	}
	require.Equal(t, mailbox.List{}, box.Queue())
	box.Add(d.store, mailbox.List{})
	require.Equal(t, mailbox.List{}, box.Drain())
}

func TestWantSaysWhatItAccepts(t *testing.T) {
	name := func(k mailbox.Kind) string { return map[mailbox.Kind]string{2: "ack"}[k] }
	require.Equal(t, "any", mailbox.Any.String())
	require.Equal(t, "no message", mailbox.None.String())
	require.Equal(t, "any from 0", mailbox.From(0).String())
	require.Equal(t, "kind=2 from 7", mailbox.From(7).OfKind(2).String())
	require.Equal(t, "kind=ack from 7", mailbox.From(7).OfKind(2).Describe(name))
	require.Equal(t, "kind=3", mailbox.OfKind(3).Describe(name))
	require.Equal(t, "kind=ack..4", mailbox.OfKinds(2, 4).Describe(name))
	for kind, accepted := range []bool{false, false, true, true, true, false} {
		require.Equal(t, accepted, mailbox.OfKinds(2, 4).Accepts(9, mailbox.Kind(kind), 0))
	}
	require.Equal(t, "kind=ack epoch=0..5", mailbox.OfKind(2).UpTo(5).Describe(name))
	require.Equal(t, "any epoch=0", mailbox.Any.UpTo(0).String())
	for epoch, accepted := range map[uint32]bool{0: true, 5: true, 6: false, math.MaxUint32: false} {
		require.Equal(t, accepted, mailbox.Any.UpTo(5).Accepts(9, 2, epoch))
		require.True(t, mailbox.Any.Accepts(9, 2, epoch))
		require.False(t, mailbox.OfKind(3).UpTo(5).Accepts(9, 2, epoch))
	}
	require.False(t, mailbox.None.Accepts(0, 0, 0))
	require.True(t, mailbox.From(0).Accepts(0, 9, 0))
	require.False(t, mailbox.From(0).Accepts(1, 9, 0))
	require.True(t, mailbox.OfKind(0).Accepts(5, 0, 0))
	require.False(t, mailbox.OfKind(0).Accepts(5, 1, 0))
	_, named := mailbox.None.Sender()
	require.False(t, named)
}

func TestWantOfNoRankIsRefused(t *testing.T) {
	require.PanicsWithValue(t, "mailbox: From(-1), want a rank of 0 or more", func() { mailbox.From(-1) })
}

func TestKindNameFallsBackToTheNumber(t *testing.T) {
	table := func(k mailbox.Kind) string { return []string{"zero", ""}[k] }
	require.Equal(t, "zero", mailbox.KindName(0, table))
	require.Equal(t, "1", mailbox.KindName(1, table))
	require.Equal(t, "200", mailbox.KindName(200, table), "the table panics")
	require.Equal(t, "7", mailbox.KindName(7, nil))
}

func TestMessageWithoutPayloadCountsAsOneByte(t *testing.T) {
	require.Equal(t, 1, mailbox.Message{}.Bytes())
	require.Equal(t, 3, mailbox.Message{Payload: "abc"}.Bytes())
}
