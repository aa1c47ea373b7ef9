package line

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestUnitShowsTimesBesideTicks(t *testing.T) {
	for _, c := range []struct {
		unit       Unit
		ticks      clock.Time
		show, span string
	}{
		{0, 64, "t=64", "64 ticks"},
		{0, 1, "t=1", "1 tick"},
		{100, 64, "t=64 (6.4 us)", "64 ticks (6.4 us)"},
		{100, 0, "t=0 (0 ns)", "0 ticks (0 ns)"},
		{100, 1, "t=1 (100 ns)", "1 tick (100 ns)"},
		{100, 10, "t=10 (1 us)", "10 ticks (1 us)"},
		{1, 999, "t=999 (999 ns)", "999 ticks (999 ns)"},
		{1, 1234567, "t=1234567 (1.235 ms)", "1234567 ticks (1.235 ms)"},
		{1, 999999, "t=999999 (1 ms)", "999999 ticks (1 ms)"},
		{1, 999499, "t=999499 (999.499 us)", "999499 ticks (999.499 us)"},
		{Unit(time.Second), 90, "t=90 (90 s)", "90 ticks (90 s)"},
		{Unit(time.Second), clock.Forever, "t=1152921504606846976 (1152921504606847000 s)", "1152921504606846976 ticks (1152921504606847000 s)"},
		{100, clock.Never, "never", "never"},
	} {
		assert.Equal(t, c.show, c.unit.Show(c.ticks))
		assert.Equal(t, c.span, c.unit.Span(c.ticks))
	}
	assert.Equal(t, "61.5 ticks (6.15 us)", Unit(100).SpanOf(61.5))
}

func TestTimesAreReadExactly(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0ns": 0, "100ns": 100, "1.5us": 1500, "4.6us": 4600, "2ms": 2e6, "1s": 1e9, "0.000000001s": 1, "4.600us": 4600, "9223372036s": 9223372036e9,
	} {
		got, err := parseTime(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"1.5ns":                 "want whole nanoseconds",
		"1.0001us":              "want whole nanoseconds",
		"9223372037s":           "want less than 292 years",
		"99999999999999999999s": "want less than 292 years",
		"01us":                  "want a time such as 100ns, 1.5us, 2ms or 1s",
		".5us":                  "want a time such as 100ns, 1.5us, 2ms or 1s",
		"5.us":                  "want a time such as 100ns, 1.5us, 2ms or 1s",
		"1m30s":                 "want a time such as 100ns, 1.5us, 2ms or 1s",
		"-1us":                  "want a time such as 100ns, 1.5us, 2ms or 1s",
		"5":                     "want a time such as 100ns, 1.5us, 2ms or 1s",
		"":                      "want a time such as 100ns, 1.5us, 2ms or 1s",
	} {
		_, err := parseTime(text)
		assert.EqualError(t, err, want, text)
	}
}

func TestTimesComeBackFromTheirText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := time.Duration(rapid.Int64Min(0).Draw(t, "ns"))
		got, err := parseTime(printTime(want))
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
	assert.Equal(t, "4.6us", printTime(4600))
	assert.Equal(t, "1s", printTime(time.Second))
	assert.Equal(t, "0ns", printTime(0))
}
