package collective

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// requireRoundTrip says that any list comes back as it was; an empty one as nil.
func requireRoundTrip[T any](t *testing.T, bytes int, elements *rapid.Generator[T]) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(elements).Draw(t, "list")
		payload := encode(list)
		require.Len(t, payload, bytes*len(list))
		got := decode[T](payload)
		require.Len(t, got, len(list))
		if len(list) > 0 {
			require.Equal(t, list, got)
		}
	})
}

type row struct {
	Key   uint32
	Price float64
	Name  [3]byte
	Valid bool
}

func TestListsOfElementsOfFixedSizeComeBack(t *testing.T) {
	t.Run("int64", func(t *testing.T) { requireRoundTrip(t, 8, rapid.Int64()) })
	t.Run("uint16", func(t *testing.T) { requireRoundTrip(t, 2, rapid.Uint16()) })
	t.Run("byte", func(t *testing.T) { requireRoundTrip(t, 1, rapid.Byte()) })
	t.Run("bool", func(t *testing.T) { requireRoundTrip(t, 1, rapid.Bool()) })
	t.Run("float64", func(t *testing.T) { requireRoundTrip(t, 8, rapid.Float64()) })
	t.Run("array", func(t *testing.T) {
		requireRoundTrip(t, 6, rapid.Custom(func(t *rapid.T) [3]int16 {
			return [3]int16{rapid.Int16().Draw(t, "a"), rapid.Int16().Draw(t, "b"), rapid.Int16().Draw(t, "c")}
		}))
	})
	t.Run("struct", func(t *testing.T) {
		requireRoundTrip(t, 16, rapid.Custom(func(t *rapid.T) row {
			return row{
				rapid.Uint32().Draw(t, "key"), rapid.Float64().Draw(t, "price"),
				[3]byte([]byte(rapid.StringMatching(`[a-z]{3}`).Draw(t, "name"))), rapid.Bool().Draw(t, "valid"),
			}
		}))
	})
}

func TestNothingIsEncodedAsNothing(t *testing.T) {
	require.Empty(t, encode[int64](nil))
	require.Empty(t, encode([]int64{}))
	require.Nil(t, decode[int64](""))
}

func TestElementsWithoutFixedSizeArePanics(t *testing.T) {
	panics := func(want string, f func()) {
		t.Helper()
		defer func() { require.Contains(t, recover(), want) }()
		f()
	}
	panics("collective: elements of type int have no fixed size, want such as int64", func() { encode([]int{1}) })
	panics("collective: elements of type string have no fixed size", func() { encode([]string{"a"}) })
	panics("collective: elements of type []uint8 have no fixed size", func() { encode([][]byte{{1}}) })
	panics("collective: elements of type int have no fixed size", func() { encode([]int(nil)) })
}

func TestNumbersOfTasksComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := rapid.MapOf(rapid.IntRange(0, MaxTasks), rapid.Just(true)).Draw(t, "tasks")
		tasks := slices.Sorted(maps.Keys(set))
		got := decodeTasks(encodeTasks(tasks))
		require.Len(t, got, len(tasks))
		if len(tasks) > 0 {
			require.Equal(t, tasks, got)
		}
	})
	require.Len(t, encodeTasks([]int{1000, 1001, 1002}), 4, "neighbours take a byte each")
}

func TestBlocksComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		blocks := rapid.MapOf(rapid.IntRange(0, 99), rapid.StringN(0, 300, -1)).Draw(t, "blocks")
		tasks := slices.Sorted(maps.Keys(blocks))
		got := make(map[int]string)
		decodeBlocks(got, tasks, encodeBlocks(blocks, tasks))
		require.Equal(t, blocks, got)
	})
}

func TestAllBlocksComeBackInOnePayload(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		blocks := rapid.SliceOf(rapid.SliceOfN(rapid.Int64(), 1, 40)).Draw(t, "blocks")
		require.Equal(t, len(blocks), len(unflatten[int64](flatten(blocks), len(blocks))))
		for task, block := range unflatten[int64](flatten(blocks), len(blocks)) {
			require.Equal(t, blocks[task], block)
		}
	})
}
