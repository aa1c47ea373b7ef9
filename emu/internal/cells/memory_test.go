package cells_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// A store has memory for 1024 cells at first, then each time for twice as many as before, and never for more than it needs.
func TestStoresDouble(t *testing.T) {
	s := newSupply()
	used := 0
	for _, want := range []int{1024, 1024 + 2048, 1024 + 2048 + 4096} {
		for ; used < want; used++ {
			s.cell()
			reserved, payloads := s.store.Reserved()
			require.Equal(t, want, reserved, "after %d cells", used+1)
			require.Equal(t, want, payloads)
		}
	}
}

// A pool keeps 1024 free cells for its own ranks, and leaves all to others as soon as it has more.
func TestPoolsKeepSomeFreeCells(t *testing.T) {
	const kept = 1024
	for given, again := range map[int]int{kept: 0, kept + 1: kept + 1} {
		s := newSupply()
		var free cells.List
		for range given {
			free.Append(s.store, s.cell())
		}
		var from, to cells.Pool
		from.Open(s.store)
		from.GiveBack(free, given)
		to.Open(s.store)
		before := s.store.Used()
		var reserve cells.Reserve
		taken := 0
		for ; s.store.Used() == before; taken++ {
			if reserve.Empty() {
				to.Refill(&reserve)
			}
			if s.store.Used() == before {
				reserve.Take(s.store)
			}
		}
		require.Equal(t, again, taken-1, "%d were given back", given)
	}
}

// Only reserves without any cells get some.
func TestOnlyEmptyReservesAreRefilled(t *testing.T) {
	s := newSupply()
	reserves := make([]cells.Reserve, 3)
	kept := s.cell()
	reserves[1].Put(s.store, kept, cells.MaxReserve)
	s.pool.RefillEmpty(len(reserves), func(i int) *cells.Reserve { return &reserves[i] })
	for i, want := range []int{4, 1, 4} {
		taken := 0
		for ; !reserves[i].Empty(); taken++ {
			reserves[i].Take(s.store)
		}
		require.Equal(t, want, taken, "reserve %d", i)
	}
}

// Payloads that nobody reads are forgotten: those of cells that are thrown away, and all when a store is cleared.
func TestUnreadPayloadsAreForgotten(t *testing.T) {
	s := newSupply()
	long := mailbox.Message{Payload: "long"}
	thrown, left, empty := s.put(0, 1, long), s.put(0, 1, long), s.put(0, 1, mailbox.Message{})
	s.store.Discard(empty)
	s.store.Discard(thrown)
	require.Empty(t, s.store.Payload(thrown))
	require.Equal(t, "long", s.store.Payload(left))
	s.store.Clear()
	require.Empty(t, s.store.Payload(left))
	require.Zero(t, s.store.Used())
	s.pool.Open(s.store)
	s.reserve = cells.Reserve{}
	require.Equal(t, thrown, s.cell(), "the first one is used again")
}
