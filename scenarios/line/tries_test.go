package line

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeysSayWhatIsWorthTrying(t *testing.T) {
	for want, key := range map[string]Key{
		"0 1 2 3":           NumberKey("n", 9, 0, 99, ""),
		"5 6":               TimeKey("t", 5, 5, 6, ""),
		"red green":         Choices[int]{{"red", 1}, {"green", 2}}.Key("colour", ""),
		"2 4":               NumberKey("n", 9, 0, 99, "").Trying(Words("2", "4")),
		"a a a a a a a b":   NumberKey("n", 9, 0, 99, "").Trying(Mostly("a", "a", "b")),
		"1 1 1 1 1 1 1 two": NumberKey("n", 9, 0, 99, "").Trying(Mostly("1", "two")),
	} {
		require.Equal(t, want, strings.Join(key.Tries(Settings{}), " "))
	}
	for _, key := range []Key{AutoKey("n", 1, 2, ""), AutoTimeKey("t", 1, 2, ""), DecimalKey("x", "1", 0, 1, ""), tickKey, machineKey, faultsKey} {
		require.Nil(t, key.Tries, key.Name)
	}
}

// A line is made up key by key, and each may depend on those before it.
func TestLinesAreMadeUp(t *testing.T) {
	keys := Keys{
		NumberKey("P", 9, 1, 99, ""),
		Choices[bool]{{"star", false}, {"tree", true}}.Key("shape", ""),
		NumberKey("arity", 2, 1, 99, ""),
		NumberKey("root", 0, 0, 99, "").Trying(func(s Settings) []string { return Numbers(0, s.Int("P")-1)(s) }),
		AutoKey("left", 1, 2, ""),
	}
	idle := []Idle{{"arity", "shape", func(s Settings) bool { return s.Text("shape") == "star" }}}
	first := func(_ Key, values []string) string { return values[0] }
	last := func(_ Key, values []string) string { return values[len(values)-1] }
	require.Equal(t, "toy P=1 shape=star root=0", MakeUp("toy", keys, idle, first))
	require.Equal(t, "toy P=4 shape=tree arity=4 root=3", MakeUp("toy", keys, idle, last))
	require.Equal(t, "toy P=4 root=3", MakeUp("toy", keys, idle, func(key Key, values []string) string {
		if key.Name == "shape" {
			return "" // left alone
		}
		return last(key, values)
	}))
}

// Small machines, on which much can be tried.
func TestCommonKeysSayWhatIsWorthTrying(t *testing.T) {
	tried := make(map[string]string)
	for _, key := range CommonKeys() {
		if key.Tries != nil {
			all := key.Tries(Settings{})
			tried[key.Name] = all[0] + " to " + all[len(all)-1]
		}
	}
	delete(tried, networkKey.Name)
	require.Equal(t, map[string]string{
		"P": "1 to 16", "L": "1 to 4", "o": "1 to 3", "g": "0 to 4", "G": "0 to 1", "links": "ordered to unordered", "receive": "one to many", "seed": "0 to 255",
	}, tried)
}
