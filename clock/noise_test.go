package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

// noisy is whether the processor is taken away at each instant, found by operations of one tick.
func noisy(n clock.Noise, stream uint64, instants clock.Time) []bool {
	all := make([]bool, instants)
	for t := range all {
		all[t] = n.Lengthen(stream, clock.Time(t), 1) > 0
	}
	return all
}

// An operation takes as long as it needs the processor, and as long as it has not got it meanwhile.
func TestNoiseLengthensWhatRanksDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := clock.Time(rapid.IntRange(2, 12).Draw(t, "period"))
		n := clock.Noise{Period: period, Length: clock.Time(rapid.IntRange(1, int(period)-1).Draw(t, "length")), Random: rapid.Bool().Draw(t, "random")}
		stream := rapid.Uint64().Draw(t, "stream")
		const instants = 300
		taken := noisy(n, stream, instants)
		start, needs := rapid.IntRange(0, 60).Draw(t, "start"), rapid.IntRange(1, 15).Draw(t, "needs")
		end, had := start, 0
		for had < needs {
			if !taken[end] {
				had++
			}
			end++
		}
		require.EqualValues(t, end-start-needs, n.Lengthen(stream, clock.Time(start), clock.Time(needs)))
	})
}

// Once in each period, for its length: at the same distance, or at any instant.
func TestNoiseComesOnceInEachPeriod(t *testing.T) {
	beginnings := make(map[int]bool)
	for stream := range uint64(200) {
		regular := noisy(clock.Noise{Period: 10, Length: 3}, stream, 100)
		for at := 10; at < 100; at++ {
			require.Equal(t, regular[at-10], regular[at])
		}
		require.Equal(t, 30, count(regular))
		random := noisy(clock.Noise{Period: 10, Length: 3, Random: true}, stream, 100)
		require.Equal(t, 30, count(random))
		for at := 0; at < 100; at += 10 {
			require.Equal(t, 3, count(random[at:at+10]))
			for i := range 10 {
				if random[at+i] {
					beginnings[i] = true
					break
				}
			}
		}
	}
	require.Len(t, beginnings, 8, "at any instant after which there is room for it")
	phases := make(map[bool]int)
	for stream := range uint64(1000) {
		phases[noisy(clock.Noise{Period: 10, Length: 3}, stream, 1)[0]]++
	}
	require.InDelta(t, 300, phases[true], 60, "ranks are not in step")
}

func count(all []bool) (n int) {
	for _, is := range all {
		if is {
			n++
		}
	}
	return n
}

func TestLongOperationsMeetAllNoise(t *testing.T) {
	n := clock.Noise{Period: 10, Length: 1}
	require.EqualValues(t, 1_000_000, n.Lengthen(5, 3, 9_000_000))
	n.Random = true
	require.InDelta(t, 1_000_000, float64(n.Lengthen(5, 3, 9_000_000)), 1)
	require.Positive(t, n.Lengthen(5, clock.Forever, clock.MaxCost))
}

func TestParseNoise(t *testing.T) {
	for _, text := range []string{"1000:25", "random:2:1", "random:1099511627776:1099511627775"} {
		n, err := clock.ParseNoise(text)
		require.NoError(t, err)
		require.Equal(t, text, n.String())
	}
	const forms = ", want a period and a length such as 1000:25, or random:1000:25"
	for text, want := range map[string]string{
		"":               `clock: noise ""` + forms,
		"1000":           `clock: noise "1000"` + forms,
		"x:5":            `clock: noise "x:5"` + forms,
		"random:1000":    `clock: noise "random:1000"` + forms,
		"periodic:100:5": `clock: noise "periodic:100:5"` + forms,
		"1:1":            "clock: period of noise = 1 ticks, want 2 to 1099511627776",
		"10:10":          "clock: length of noise = 10 ticks, want 1 to 9",
		"10:0":           "clock: length of noise = 0 ticks, want 1 to 9",
		"0:-1":           "clock: period of noise = 0 ticks, want 2 to 1099511627776; length of noise = -1 ticks, want 1 to 1",
	} {
		_, err := clock.ParseNoise(text)
		require.EqualError(t, err, want)
	}
}
