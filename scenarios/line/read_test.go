package line

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// read reads a line of something that has a root and the common keys.
func read(text string) (*Line, error) {
	keys := append(Keys{NumberKey("root", 0, 0, MaxRanks-1, "rank that begins")}, CommonKeys()...)
	l, wrong := Read(Fields([]string{text}), keys, true)
	if err := Refuse(wrong...); err != nil {
		return nil, err
	}
	return &l, nil
}

func mustRead(t require.TestingT, text string) *Line {
	l, err := read(text)
	require.NoError(t, err, text)
	return l
}

// Of something unknown nobody knows the keys, but those of the machine are read.
func TestUnknownNamesMayHaveAnyKeys(t *testing.T) {
	_, wrong := Read(Fields([]string{"big fanout=3", "o=0"}), CommonKeys(), false)
	require.Equal(t, []string{`"o=0": want a number from 1 to 1099511627776`}, wrong.Texts())
	_, wrong = Read(Fields([]string{"big fanout=3"}), CommonKeys(), true)
	require.Len(t, wrong, 1)
	require.ErrorContains(t, wrong[0], `unknown key "fanout", big has P, L, o, g, G,`)
}

// A key with a wrong value keeps its default, and says so.
func TestWrongValuesAreLeftOut(t *testing.T) {
	l, wrong := Read([]string{"big", "P=0", "L=7", "faults=boom"}, CommonKeys(), true)
	require.Len(t, wrong, 2)
	s := l.Settings()
	require.Equal(t, "1024", s.Text("P"))
	require.False(t, s.Valid("P"))
	require.False(t, s.Valid("L", "faults"))
	require.True(t, s.Valid("L", "o"))
	require.False(t, s.Typed("P"))
}

// Lines are written anew with other faults, and with other values in the same place or at the end.
func TestLinesAreWrittenAnew(t *testing.T) {
	l := mustRead(t, "big ranks=8 faults=crash:3 L=4")
	require.Equal(t, "big ranks=8 L=4", l.WithFaults(nil))
	require.Equal(t, "big ranks=8 faults=crash:3 L=4 root=2", l.With("root", "2"))
	require.Equal(t, "big ranks=8 faults=crash:3 L=9", l.With("L", "9"))
	ranks, _ := CommonKeys().Lookup("P")
	latency, _ := CommonKeys().Lookup("latency")
	gap, _ := CommonKeys().Lookup("g")
	require.Equal(t, "big P=4 faults=crash:3 L=4", l.InPlace(ranks, "4"))
	require.Equal(t, "big ranks=8 faults=crash:3", l.InPlace(latency, "2"), "the default goes without saying")
	require.Equal(t, "big ranks=8 g=3 faults=crash:3 L=4", l.InPlace(gap, "3"))
}
