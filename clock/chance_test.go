package clock

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// They are what package math has, but for the last digits.
func TestFunctionsOfOurOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-300, 1e300).Draw(t, "x")
		require.InEpsilon(t, math.Log(x)+1000, ln(x)+1000, 1e-14)
		u := rapid.Float64Range(1e-9, 10).Draw(t, "u")
		require.InDelta(t, math.Log(u), ln(u), 1e-14*max(1, -math.Log(u)))
		y := rapid.Float64Range(-690, 99).Draw(t, "y")
		require.InEpsilon(t, math.Exp(y), exp(y), 1e-12)
		p := rapid.Float64Range(1e-9, 1-1e-9).Draw(t, "p")
		require.InDelta(t, math.Sqrt2*math.Erfinv(2*p-1), normalQuantile(p), 1e-6*max(1, math.Abs(normalQuantile(p))))
	})
	require.Zero(t, exp(-701))
	require.Equal(t, exp(100), exp(1e9))
	require.InDelta(t, 1.959963984540054, normalQuantile(0.975), 1e-15)
	require.InDelta(t, -1.959963984540054, normalQuantile(0.025), 1e-15)
	require.InDelta(t, -8.222082216130435, normalQuantile(1e-16), 1e-12)
	require.Zero(t, normalQuantile(0.5))
	require.InDelta(t, 2.326347874040841, normalQuantile(0.99), 1e-14)
}

func TestFractionsAreBetweenZeroAndOne(t *testing.T) {
	require.Positive(t, fraction(0))
	require.Less(t, fraction(math.MaxUint64), 1.0)
	require.Greater(t, fraction(1<<63), 0.5)
	require.Less(t, fraction(1<<63-1), 0.5)
	require.Zero(t, scaled(math.MaxUint64, 1))
	require.EqualValues(t, 5, scaled(math.MaxUint64, 6))
	require.EqualValues(t, 3, scaled(1<<63, 6))
}

func TestTicksAreRounded(t *testing.T) {
	require.EqualValues(t, 0, roundTicks(0.4999))
	require.EqualValues(t, 1, roundTicks(0.5))
	require.EqualValues(t, 7, roundTicks(7.2))
	require.Equal(t, MaxCost, roundTicks(math.Inf(1)))
}
