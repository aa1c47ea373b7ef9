package collective

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Payloads stay what they were, whatever comes behind them.
func TestPiecesStayWhatTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all pieces
		var want, got []string
		for range rapid.IntRange(1, 50).Draw(t, "pieces") {
			payload := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "payload")
			want, got = append(want, string(payload)), append(got, all.text(payload))
		}
		require.Equal(t, want, got)
	})
}
