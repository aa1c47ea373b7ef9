package paper

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// With long blocks an all-to-all takes little more than its bytes, and tolerance adds next to nothing.
func TestLongBlocksTakeAsLongAsTheirBytes(t *testing.T) {
	r := evaluated(t, "collective-4mb", 1, 5)
	for _, x := range column[float64](t, r, "plain/least") {
		require.GreaterOrEqual(t, x, 1.0)
		require.Less(t, x, 1.02)
	}
	for _, x := range column[float64](t, r, "tolerant/plain") {
		require.Greater(t, x, 1.0)
		require.Less(t, x, 1.01)
	}
	for i, bytes := range column[int](t, r, "block, bytes") {
		require.Equal(t, 4<<20, bytes*column[int](t, r, "P")[i])
	}
	requireInDocument(t, "collectives.md", r.Table.Text())
	requireReadable(t, r)
}
