package paper

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
)

// Figure 6: checked corrections send 5 messages a rank beyond the tree, whatever the tree and the number
// of ranks.
func TestCheckedCorrectionSendsFiveMessagesBeyondTheTree(t *testing.T) {
	r := small(t, "trees-fig6", 1)
	require.Equal(t, "5.00", claim(t, r, "checked correction: messages a rank beyond the tree").Ours)
	require.True(t, claim(t, r, "checked correction: messages a rank beyond the tree").Holds)
	require.True(t, claim(t, r, "acknowledged tree: messages a rank").Holds)
	require.True(t, claim(t, r, "opportunistic over checked").Holds)
	require.Equal(t, 24575.0/4096, cell(t, r, "4K", "binomial, checked"))
	require.Equal(t, 8190.0/4096, cell(t, r, "4K", "binomial, acknowledged"))
}

// Figure 7: checked correction adds 8 ticks to every tree, acknowledgements double the time.
func TestCheckedCorrectionAddsEightTicks(t *testing.T) {
	r := small(t, "trees-fig7", 1)
	adds := claim(t, r, "checked correction adds, ticks")
	require.Equal(t, Claim{"checked correction adds, ticks", "8", "8", true}, adds)
	twice := claim(t, r, "acknowledged trees over dissemination")
	require.Equal(t, Claim{"acknowledged trees over dissemination", "2", "1.90 to 2.00", true}, twice)
	require.Equal(t, 56.0, cell(t, r, "4K", "binomial, checked"))
	require.Equal(t, 96.0, cell(t, r, "4K", "binomial, acknowledged"))
	require.InDelta(t, 45, cell(t, r, "4K", "gossip, checked"), 3)
}

// Figures 8 to 10 and table 1 have a campaign in common.
func TestFailuresTakeTimeAndSaveMessages(t *testing.T) {
	latency := small(t, "trees-fig8", thorough.Times(10))
	for _, name := range []string{"binomial", "4-ary", "Lamé", "optimal"} {
		require.Greater(t, cell(t, latency, "mean", name, 4.0), cell(t, latency, "mean", name, 0.1), name)
	}
	require.InDelta(t, 50, cell(t, latency, "mean", "binomial", 0.1), 2)
	messages := small(t, "trees-fig9", thorough.Times(10))
	require.True(t, claim(t, messages, "the more ranks are down, the fewer messages").Holds, messages.Text())
	require.True(t, claim(t, messages, "gossip at its fewest over trees at their most").Holds, messages.Text())
}

func TestEveryCorrectionLiesWithinTheBoundsOfLemma3(t *testing.T) {
	runs := thorough.Times(10)
	for _, name := range []string{"trees-fig10", "trees-table1"} {
		r := small(t, name, runs)
		require.Equal(t, Claim{"runs outside lemma 3's bounds", "0", fmt.Sprintf("0 of %d", 20*runs), true}, claim(t, r, "runs outside lemma 3's bounds"))
	}
	seen := 0
	for _, row := range small(t, "trees-fig10", runs).Table.Rows {
		require.LessOrEqual(t, row[2], row[1], "%v", row)
		require.GreaterOrEqual(t, row[3], row[1], "%v", row)
		for _, times := range row[4:] {
			seen += times.(int)
		}
	}
	require.Equal(t, 20*runs, seen)
}

func TestLemma3(t *testing.T) {
	low, high := lemma3(0)
	require.EqualValues(t, [2]int{8, 8}, [2]int{int(low), int(high)})
	low, high = lemma3(5)
	require.EqualValues(t, [2]int{13, 19}, [2]int{int(low), int(high)})
}

// Figure 1b, on the smaller trees: a failed rank takes its whole subtree with it, side by side if ranks
// are numbered in order.
func TestInterleavedTreesAreCorrectedFaster(t *testing.T) {
	r := small(t, "trees-fig1b", thorough.Times(10))
	for _, down := range []int{8, 16, 32, 64} {
		require.Greater(t, cell(t, r, "mean", "in-order", 4096, down), cell(t, r, "mean", "interleaved", 4096, down))
	}
	require.Equal(t, 10.0, cell(t, r, "mean", "interleaved", 4096, 1))
}

func TestCoverageCountsWhoWasMissed(t *testing.T) {
	runs := thorough.Times(20)
	r := small(t, "trees-coverage", runs)
	require.Len(t, r.Table.Rows, 32)
	require.True(t, claim(t, r, "opportunistic: runs that missed somebody at 0.1 %").Holds)
	for _, row := range r.Table.Rows {
		missed := row[4].(int)
		require.Equal(t, row[9].(float64) > 0, missed > 0, "%v", row)
		require.Equal(t, 100*float64(missed)/float64(runs), row[5], "%v", row)
	}
}
