package campaign

import (
	"fmt"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"
)

func TestRangesOfValues(t *testing.T) {
	for text, want := range map[string]Values{
		"1024..65536 x4":             {"1024", "4096", "16384", "65536"},
		"1..10 x3":                   {"1", "3", "9"},
		"10..50 +20":                 {"10", "30", "50"},
		"0..1 +1":                    {"0", "1"},
		"7..7 +1":                    {"7"},
		"1..8 x1.5":                  {"1", "1.5", "2.25", "3.375", "5.0625", "7.59375"},
		"0.1..0.3us +0.1":            {"0.1us", "0.2us", "0.3us"},
		"1..4% +1":                   {"1%", "2%", "3%", "4%"},
		"cut:0-3..5|*@t9 +1":         {"cut:0-3|*@t9", "cut:0-4|*@t9", "cut:0-5|*@t9"},
		"crash:~1..8 x2":             {"crash:~1", "crash:~2", "crash:~4", "crash:~8"},
		"crash:3@t10..50,hang:4 +20": {"crash:3@t10,hang:4", "crash:3@t30,hang:4", "crash:3@t50,hang:4"},
		"1..9223372036854775807 x4611686018427387904": {"1", "4611686018427387904"},
	} {
		got, err := parseRange(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "1..2", "2..1 +1", "0..8 x2", "1..8 x1", "1..8 +0", "0..0 x2", "4..4 x0.5", "4..4 x0", "4..4 x1", "4..4 +0", "1..8 -1", "a..b +1", "1..8 x", "0..1000000 +1", "-3..3 +1", "1..2 +1 ", "1...2 +1", "..2 +1", "1..1 x1111111111111111111111111", "1111111111111111111111111..2 +1", "1..1000 x1.001", "1..1000 x1.1", "1..2 x1.0000000000000000000001", "slow:-1..3 +1"} {
		_, err := parseRange(text)
		require.ErrorContains(t, err, "want a list, or a range", text)
	}
}

// As many as are allowed are allowed, and one more is not.
func TestLimitsOfRanges(t *testing.T) {
	all, err := parseRange(fmt.Sprintf("1..%d +1", mostInRange))
	require.NoError(t, err)
	require.Len(t, all, 10_000)
	_, err = parseRange(fmt.Sprintf("1..%d +1", mostInRange+1))
	require.ErrorContains(t, err, "of up to 10000 values with up to 24 digits")

	long := strings.Repeat("1", 24)
	for _, form := range []string{"%[1]s..%[1]s +1", "1..%s +1" + strings.Repeat("0", 20), "1..2 +%s"} {
		_, err := parseRange(fmt.Sprintf(form, long))
		require.NoError(t, err, form)
		_, err = parseRange(fmt.Sprintf(form, long+"1"))
		require.Error(t, err, form)
	}
	// Numbers that get longer: 1.1 to the power of 22 has 24 characters, and the next has 25.
	all, err = parseRange("1..8.2 x1.1")
	require.NoError(t, err)
	require.Len(t, all, 23)
	require.Len(t, all[22], 24)
	_, err = parseRange("1..9 x1.1")
	require.Error(t, err)
}

func TestListsOfValuesAreWordsAndNumbers(t *testing.T) {
	for list, want := range map[string]Values{
		`["lame", "crash:3"]`:   {"lame", "crash:3"},
		`[4, -5]`:               {"4", "-5"},
		`[0.25, 1e21, 3.0, 10]`: {"0.25", "1e+21", "3", "10"},
		`["a", 1, 0.5]`:         {"a", "1", "0.5"},
		`"1..3 +2"`:             {"1", "3"},
	} {
		var axis Axis
		_, err := toml.Decode("values = "+list, &axis)
		require.NoError(t, err, list)
		require.Equal(t, want, axis.Values, list)
	}
	for _, list := range []string{`[true]`, `["a", [1]]`, `true`, `5`, `0.5`, `"1..2"`} {
		var axis Axis
		_, err := toml.Decode("values = "+list, &axis)
		require.Error(t, err, list)
	}
}
