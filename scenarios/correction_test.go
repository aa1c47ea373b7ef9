package scenarios_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// correctionOf runs a line and returns what its correction found.
func correctionOf(t require.TestingT, line string) *scenarios.Correction {
	run, err := catalog.ParseLine(line)
	require.NoError(t, err)
	outcome, err := run.Execute(context.Background(), scenarios.Options{})
	require.NoError(t, err)
	return outcome.Correction
}

// In an in-order tree a failed rank and all below it are one gap; in an interleaved one they are not side
// by side.
func TestTheGapIsThatOfTheTree(t *testing.T) {
	for _, test := range []struct {
		line string
		gap  int
	}{
		{"broadcast P=64", 0},
		{"broadcast P=64 faults=crash:5", 1},
		{"broadcast P=64 faults=crash:5,crash:6,crash:7", 3},
		{"broadcast P=64 numbering=in-order faults=crash:8", 8},
		{"broadcast P=64 numbering=in-order faults=crash:48", 16},
		{"broadcast P=64 numbering=in-order faults=crash:48,crash:63", 16},
		{"broadcast P=64 root=7 numbering=in-order faults=crash:55", 16}, // ranks 55 to 6, beyond the last
		{"broadcast P=64 faults=crash:63@send1", 0},                      // a leaf: it has the message, and fails when it corrects
	} {
		got := correctionOf(t, test.line)
		require.NotNil(t, got, test.line)
		require.Equal(t, test.gap, got.Gap, test.line)
		require.EqualValues(t, 24, got.From, test.line)
	}
	require.EqualValues(t, 8, correctionOf(t, "broadcast P=64").Took, "lemma 2")
}

// Who does not begin at once has no gap that could be told from a time.
func TestOnlyASynchronizedCorrectionHasAGap(t *testing.T) {
	for _, line := range []string{
		"broadcast start=overlapped", "broadcast correction=none", "broadcast correction=ack", "broadcast repeat=2", "gossip", "reduce",
	} {
		require.Nil(t, correctionOf(t, line+" P=16"), line)
	}
}

// Lemma 3, from what a report says.
func TestLemma3HoldsForWhatIsMeasured(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.IntRange(64, 600).Draw(t, "P")
		line := fmt.Sprintf("broadcast P=%d L=2 o=1 tree=%s faults=crash:~%d seed=%d", ranks,
			rapid.SampledFrom([]string{"binomial", "kary", "lame", "optimal"}).Draw(t, "tree"),
			rapid.IntRange(1, ranks/20).Draw(t, "down"), rapid.Uint64Range(0, 1000).Draw(t, "seed"))
		c := correctionOf(t, line)
		if c.Gap > ranks/8 {
			t.Skip("the gap is too large for the lemma")
		}
		gap := clock.Time(c.Gap)
		require.GreaterOrEqual(t, c.Took, 8+gap, line)
		require.LessOrEqual(t, c.Took, 8+2*gap+1, line)
	})
}
