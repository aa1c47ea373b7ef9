package guarantee_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
)

func TestRanksAreListedUpToEight(t *testing.T) {
	require.Equal(t, "no rank", guarantee.ListRanks(nil))
	require.Equal(t, "rank 5", guarantee.ListRanks([]int{5}))
	require.Equal(t, "ranks 5 and 9", guarantee.ListRanks([]int{5, 9}))
	require.Equal(t, "ranks 1, 2 and 3", guarantee.ListRanks([]int{1, 2, 3}))
	require.Equal(t, "ranks 1, 2, 3, 4, 5, 6, 7 and 8", guarantee.ListRanks([]int{1, 2, 3, 4, 5, 6, 7, 8}))
	require.Equal(t, "ranks 1, 2, 3, 4, 5, 6, 7, 8 and 1 more", guarantee.ListRanks([]int{1, 2, 3, 4, 5, 6, 7, 8, 9}))
}
