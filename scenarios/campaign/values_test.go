package campaign

import (
	"testing"

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
