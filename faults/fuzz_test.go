package faults

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse feeds Parse any text. It must not panic, and what it accepts must be
// well-formed and come back from its own printed form.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "none", "crash:3@send2", "slow:~5x4@t10,hang:0.01%@step:a/b#2",
		"crash:4,rejoin:4@t9,cut:3+0-1|*@t7"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			require.Nil(t, s)
			return
		}
		require.NoError(t, s.wellFormed())
		back, err := Parse(s.String())
		require.NoError(t, err)
		require.Equal(t, s, back)
		require.Equal(t, s.String(), back.String())
	})
}
