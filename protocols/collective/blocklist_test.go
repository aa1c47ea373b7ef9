package collective

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// lists draws as many lists as there are tasks, of all lengths or of the same one.
func lists(t *rapid.T) [][]int64 {
	length := rapid.IntRange(0, 4).Draw(t, "length")
	if length == 0 && rapid.Bool().Draw(t, "long") {
		return [][]int64{make([]int64, 150), nil, slices.Repeat([]int64{7, 8}, 130)} // 1,093 bytes on the average
	}
	list := rapid.SliceOfN(rapid.Int64(), length, length)
	if rapid.Bool().Draw(t, "uneven") {
		list = rapid.SliceOfN(rapid.Int64(), 0, 4)
	}
	return rapid.SliceOfN(list, 1, 70).Draw(t, "lists")
}

func TestAListHasTheBlocksThatItWasMadeOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		blocks := lists(t)
		list := encodeList(blocks)
		for task, block := range blocks {
			require.Equal(t, encode(block), list.of(task))
		}
	})
}

// Blocks come in any order, short and long ones.
func TestArrivalsAreWhatHasComeInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		blocks := lists(t)
		came := newArrivals(len(blocks))
		tasks := make([]int, len(blocks))
		for task := range tasks {
			tasks[task] = task
		}
		for _, task := range rapid.Permutation(tasks).Draw(t, "order") {
			require.False(t, came.there.has(task))
			came.put(task, encode(blocks[task]))
			require.True(t, came.there.has(task))
		}
		got := listsOf[int64](came)
		require.Len(t, got, len(blocks))
		for task, block := range blocks {
			if len(block) == 0 {
				require.Nil(t, got[task])
				continue
			}
			require.Equal(t, block, got[task])
			require.Equal(t, len(block), cap(got[task]), "whoever appends to it changes no other")
		}
	})
}

// On a thousand ranks there are a million blocks: short ones take no more than their bytes.
func TestShortBlocksOfOneLengthAreInOnePlace(t *testing.T) {
	came := newArrivals(3)
	came.put(1, "12345678")
	came.put(2, "abcdefgh")
	require.Nil(t, came.blocks)
	require.Len(t, came.short, 3*8)
	came.put(0, "123456789abcdefg, which is more than a string takes besides its bytes")
	require.Equal(t, []string{"123456789abcdefg, which is more than a string takes besides its bytes", "12345678", "abcdefgh"}, came.blocks)
	require.Nil(t, came.short)
}

// A list that goes to all is one payload; lists that are alike are not, nor are parts of the same memory.
func TestOneListForAllIsOnePayload(t *testing.T) {
	list := []int32{1, 2, 3}
	for _, c := range []struct {
		blocks [][]int32
		one    bool
	}{
		{[][]int32{list, list, list}, true},
		{[][]int32{list}, true},
		{[][]int32{list, list, {1, 2, 3}}, false},
		{[][]int32{list, list[:2], list}, false},
		{[][]int32{list[:2], list[1:]}, false},
		{[][]int32{nil, nil}, false},
		{[][]int32{list, nil}, false},
		{[][]int32{{}, list}, false},
	} {
		encoded := encodeList(c.blocks)
		require.Equal(t, c.one, encoded.one, c.blocks)
		for task, block := range c.blocks {
			require.Equal(t, encode(block), encoded.of(task), "%v for task %d", c.blocks, task)
		}
		if c.one {
			require.Len(t, encoded.payload, 4*len(list))
		}
	}
	require.False(t, oneForAll[int32](nil))
}
