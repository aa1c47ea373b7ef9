package paper

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// Figure 1b, on the smaller trees: a failed rank takes its whole subtree with it, side by side if ranks
// are numbered in order.
func TestInterleavedTreesAreCorrectedFaster(t *testing.T) {
	r := small(t, "trees-fig1b", thorough.Times(10))
	for _, down := range []int{8, 16, 32, 64} {
		require.Greater(t, cell(t, r, "mean", "in-order", 4096, down), cell(t, r, "mean", "interleaved", 4096, down))
	}
	require.Equal(t, 10.0, cell(t, r, "mean", "interleaved", 4096, 1))
}

func TestVerdictsOnNumbering(t *testing.T) {
	for took, holds := range map[float64]bool{7: false, 8: true, 10.5: true, 10.6: false} {
		m := made(t, "trees-numbering", func(_ point, s *campaign.Summary) { s.Correction, s.Gap = just(took, took), just(1) })
		require.Equal(t, holds, verdict(t, "trees-fig1b", "interleaved, 64K ranks, 8 down: ticks", m).Holds, "%v", took)
	}
}
