package line

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// read reads a line of something that has a root and the common keys.
func read(text string) (*Line, error) {
	keys := append(Keys{NumberKey("root", 0, 0, clock.MaxRanks-1, "rank that begins")}, CommonKeys()...)
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
	require.Equal(t, "big L=4 g=3", mustRead(t, "big L=4").InPlace(gap, "3"), "at the end if there are no faults")
	require.Equal(t, "big ranks=8 L=4 faults=crash:5@t0", l.WithFaults(faults.MustParse("crash:5")))
}

// What does not have the form of a word, stands there twice or has no value is told, each once.
func TestWordsThatMakeNoSenseAreNamed(t *testing.T) {
	long := strings.Repeat("x", 61)
	for text, want := range map[string]string{
		"big root":               `"root": want key=value`,
		"big root=":              `"root=": empty value, want 0 to 2147483646`,
		"big L=3 latency=4":      `"latency=4": key L is set twice, first by "L=3"`,
		"big P=4 root=03":        `"root=03": want no leading zeros`,
		"big root=0 P=10 seed=0": "",
		"big P=0":                `"P=0": want a number from 1 to 2147483647`,
		"big P=2147483648":       `"P=2147483648": want a number from 1 to 2147483647`,
		"big P=2147483647":       "",
		"big P=x":                `"P=x": want a number from 1 to 2147483647`,
		"big P=4 faults=crash:4": `"faults=crash:4": crash:4@t0: rank 4, want 0 to 3`,
		"big N=4":                `unknown key "N", big has root, P, L, o, g, G, network, nodes, Lin, oin, jitter, noise, links, tick, machine, receive, seed, faults; the number of ranks is P`,
		"big rank=4":             `unknown key "rank", big has root, P, L, o, g, G, network, nodes, Lin, oin, jitter, noise, links, tick, machine, receive, seed, faults; did you mean ranks?`,
		"big " + long:            `"` + long[:60] + `"...: want key=value`,
		"big " + long[:60]:       `"` + long[:60] + `": want key=value`,
		"big receive=some":       `"receive=some": want one or many; did you mean one?`,
	} {
		_, err := read(text)
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.EqualError(t, err, "scenarios: "+want, text)
	}
}

func TestListsOfNamesReadLikeSentences(t *testing.T) {
	require.Equal(t, "", OneOf(nil))
	require.Equal(t, "one", OneOf([]string{"one"}))
	require.Equal(t, "one or many", OneOf([]string{"one", "many"}))
	require.Equal(t, "one, two or many", OneOf([]string{"one", "two", "many"}))
}

func TestKeysAreFoundByEitherName(t *testing.T) {
	keys := CommonKeys()
	for _, name := range []string{"P", "ranks"} {
		key, ok := keys.Lookup(name)
		require.True(t, ok, name)
		require.Equal(t, "P", key.Name)
	}
	_, ok := keys.Lookup("") // which is the alias of most
	require.False(t, ok)
	fewer := keys.Without("P")
	require.Len(t, fewer, len(keys)-1)
	_, ok = fewer.Lookup("P")
	require.False(t, ok)
	_, ok = keys.Lookup("P")
	require.True(t, ok, "the list itself stays as it is")
}

// keyed is a line of keys only.
func keyed(t *testing.T, text string, keys ...Key) (Settings, error) {
	t.Helper()
	l, wrong := ReadKeys("toy", keys, Fields([]string{text}))
	return l.Settings(), Refuse(wrong...)
}

func TestValuesOfEveryKindOfKey(t *testing.T) {
	colours := Choices[int]{{"red", 3}, {"green", 5}}
	keys := []Key{AutoKey("n", 2, 9, ""), AutoTimeKey("wait", 2, 9, ""), DecimalKey("x", "0.5", 0.25, 2, ""), ChanceKey("chance", "0.1", ""), colours.Key("colour", "")}
	usual, err := keyed(t, "", keys...)
	require.NoError(t, err)
	require.Equal(t, 7, AutoNumber(usual, "n", 7))
	require.Equal(t, 0.5, usual.Decimal("x"))
	require.Equal(t, 3, colours.Of(usual, "colour"), "the first of a table is the default")
	said, err := keyed(t, "n=4 wait=auto x=2 chance=0.9 colour=green", keys...)
	require.NoError(t, err)
	require.Equal(t, 4, AutoNumber(said, "n", 7))
	require.Equal(t, 2.0, said.Decimal("x"))
	require.Equal(t, 5, colours.Of(said, "colour"))
	require.True(t, said.Typed("x"))
	require.False(t, usual.Typed("x"))
	_, err = keyed(t, "x=0.25", keys...)
	require.NoError(t, err, "the least one")
	for text, want := range map[string]string{
		"n=1":         `"n=1": want auto or a number from 2 to 9`,
		"wait=10":     `"wait=10": want auto or a number from 2 to 9`,
		"x=0.24":      `"x=0.24": want a number from 0.25 to 2`,
		"x=2.1":       `"x=2.1": want a number from 0.25 to 2`,
		"x=NaN":       `"x=NaN": want a number from 0.25 to 2`,
		"chance=0":    `"chance=0": want a number above 0 and below 1`,
		"chance=1":    `"chance=1": want a number above 0 and below 1`,
		"colour=gren": `"colour=gren": want red or green; did you mean green?`,
		"size=3":      `unknown key "size", toy has n, wait, x, chance, colour`,
	} {
		_, err := keyed(t, text, keys...)
		require.EqualError(t, err, "scenarios: "+want)
	}
}

func TestNotesOfIdleKeysNameBothKeys(t *testing.T) {
	idle := Idle{"root", "L", func(s Settings) bool { return s.Ticks("L") > 5 }}
	s := mustRead(t, "big root=3 L=7").Settings()
	require.Equal(t, "root=3 does not matter with L=7", idle.Note(s))
	require.True(t, s.IsIdle("root", []Idle{idle}))
	require.False(t, s.IsIdle("P", []Idle{idle}))
	require.False(t, mustRead(t, "big L=5").Settings().IsIdle("root", []Idle{idle}))
}
