package collective_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/collective"
)

func TestBlocksArePartsOfOneList(t *testing.T) {
	all := []int32{1, 2, 3, 4, 5, 6}
	even := collective.EvenBlocks(3, all)
	require.Equal(t, 3, even.Len())
	require.Equal(t, []int32{3, 4}, even.Of(1))
	require.Equal(t, 2, cap(even.Of(1)), "whoever appends to it changes no other")
	require.Equal(t, all, even.All())

	uneven := collective.UnevenBlocks(all, []int{0, 4, 4, 6})
	require.Equal(t, 4, uneven.Len())
	require.Empty(t, uneven.Of(0))
	require.Equal(t, []int32{1, 2, 3, 4}, uneven.Of(1))
	require.Equal(t, 4, cap(uneven.Of(1)))
	require.Empty(t, uneven.Of(2))
	require.Equal(t, []int32{5, 6}, uneven.Of(3))
}

func TestBlocksThatAreNoPartsOfTheirListAreRefused(t *testing.T) {
	require.PanicsWithValue(t, "collective: 5 elements in 2 blocks of the same length", func() { collective.EvenBlocks(2, make([]int32, 5)) })
	require.PanicsWithValue(t, "collective: 0 elements in 0 blocks of the same length", func() { collective.EvenBlocks[int32](0, nil) })
	for _, ends := range [][]int{nil, {2, 1, 5}, {-1, 5}, {1, 4}, {1, 6}} {
		require.Panics(t, func() { collective.UnevenBlocks(make([]int32, 5), ends) }, ends)
	}
}
