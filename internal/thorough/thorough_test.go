package thorough_test

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
)

// set sets a flag for the time of a test.
func set(t *testing.T, name, value string) {
	t.Helper()
	before := flag.Lookup(name).Value.String()
	require.NoError(t, flag.Set(name, value))
	t.Cleanup(func() { require.NoError(t, flag.Set(name, before)) })
}

func TestTheFlagsSayHowMuchIsTried(t *testing.T) {
	for _, c := range []struct {
		thorough, short string
		all             bool
		times, stride   int
	}{
		{"true", "false", true, 600, 1},
		{"false", "false", false, 120, 5},
		{"false", "true", false, 60, 9},
		{"true", "true", false, 60, 9},
	} {
		set(t, "thorough", c.thorough)
		set(t, "test.short", c.short)
		require.Equal(t, c.all, thorough.All())
		require.Equal(t, c.times, thorough.Times(600))
		require.Equal(t, c.stride, thorough.Stride(9))
		require.Positive(t, thorough.Times(uint64(1)), "a test does what it says at least once")
	}
}
