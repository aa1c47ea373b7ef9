package draw

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/faults"
)

// What is drawn is valid, and rejoins are of ranks that fail.
func TestRejoinsAndCutsAreValid(t *testing.T) {
	seen := make(map[faults.Kind]int)
	rapid.Check(t, func(t *rapid.T) {
		ranks := Number(t, "P", 1, 12)
		points := Points{Calls: 4, Until: Ticks(t, "until", 0, 50)}
		failures := points.Failures(t, Some(t, "failing", ranks, 5))
		s := append(failures, points.Rejoins(t, failures)...)
		s = append(s, points.Cuts(t, ranks)...)
		require.NoError(t, s.Validate(ranks))
		fails := make(map[int]bool)
		for _, f := range s {
			seen[f.Kind]++
			fails[f.Rank] = fails[f.Rank] || f.Kind.Stops()
			require.True(t, f.Kind != faults.Rejoin || fails[f.Rank], s)
		}
	})
	require.Positive(t, seen[faults.Rejoin])
	require.Positive(t, seen[faults.Cut])
}
