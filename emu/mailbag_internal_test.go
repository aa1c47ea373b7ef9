package emu

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// Mail leaves in the order in which it came, a few sheets at a time, and sheets are used again.
func TestMailLeavesInOrder(t *testing.T) {
	var paper stationery
	var bag mailbag
	var want []byte
	for i := range 3000 {
		n := 1 + i%200
		if i%700 == 3 {
			n = sheetBytes + i // longer than a sheet
		}
		text := bytes.Repeat([]byte{byte(i)}, n)
		want = append(want, text...)
		copy(bag.space(n, &paper), text)
	}
	sheets := len(bag.sheets)
	var got []byte
	for len(bag.sheets) > 0 {
		batch := bag.send([]byte("head"), 3*sheetBytes, &paper)
		require.Equal(t, "head", string(batch[:4]))
		require.Less(t, len(batch), 5*sheetBytes, "not more than it has to be")
		got = append(got, batch[4:]...)
	}
	require.True(t, bytes.Equal(want, got))
	require.Empty(t, bag.send(nil, 10, &paper))
	used := len(paper.free)
	require.Less(t, used, sheets, "long ones are not kept")
	require.Greater(t, used, sheets/2)

	for range 100 {
		bag.space(300, &paper)
	}
	require.Less(t, len(paper.free), used)
	bag.discard(&paper)
	require.Len(t, paper.free, used)
	require.Empty(t, bag.sheets)
	require.Empty(t, bag.space(0, &paper))
}
