package clock_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
)

// drawn are many delays, ascending.
func drawn(j clock.Jitter) []clock.Time {
	all := make([]clock.Time, 100_000)
	for i := range all {
		all[i] = j.Delay(splitmix.At(7, uint64(i)))
	}
	slices.Sort(all)
	return all
}

// mean is their average.
func mean(all []clock.Time) float64 {
	sum := 0.0
	for _, d := range all {
		sum += float64(d)
	}
	return sum / float64(len(all))
}

// What is drawn for a message depends on the seed, its sender and the number of the send, and on all of them.
func TestJitterIsDrawnForEachMessage(t *testing.T) {
	j := clock.UniformJitter{Most: clock.MaxCost}
	all := make(map[clock.Time]bool)
	for seed := range uint64(5) {
		for rank := range 5 {
			for send := 1; send <= 5; send++ {
				late := clock.DrawJitter(j, seed, rank, send)
				require.Equal(t, late, clock.DrawJitter(j, seed, rank, send))
				all[late] = true
			}
		}
	}
	require.Len(t, all, 5*5*5)
}

// Nothing is ever later than the bound, and something is as late as that.
func TestBoundsOfJitterAreReachedAndKept(t *testing.T) {
	for _, j := range []clock.Jitter{
		clock.UniformJitter{}, clock.UniformJitter{Least: 2, Most: 6}, clock.TableJitter{{0, 90}, {200, 1}, {5, 9}}, clock.TableJitter{{3, 1}},
	} {
		longest, bounded := j.Max()
		require.True(t, bounded, j)
		all := drawn(j)
		require.Equal(t, longest, all[len(all)-1], j)
	}
	for _, j := range []clock.Jitter{clock.ExponentialJitter{Mean: 3}, clock.LognormalJitter{Median: 3, Sigma: 1}} {
		_, bounded := j.Max()
		require.False(t, bounded, j)
	}
}

func TestDelaysAreDistributedAsTheySay(t *testing.T) {
	uniform := drawn(clock.UniformJitter{Least: 2, Most: 6})
	require.EqualValues(t, 2, uniform[0])
	require.EqualValues(t, 6, uniform[len(uniform)-1])
	require.InDelta(t, 4, mean(uniform), 0.02)
	for d := clock.Time(2); d <= 6; d++ {
		low, _ := slices.BinarySearch(uniform, d)
		high, _ := slices.BinarySearch(uniform, d+1)
		require.InDelta(t, 20_000, high-low, 600)
	}

	exponential := drawn(clock.ExponentialJitter{Mean: 50})
	require.InDelta(t, 50, mean(exponential), 0.8)
	require.InDelta(t, 50*math.Ln2, float64(exponential[50_000]), 1)
	require.InDelta(t, 50*math.Log(100), float64(exponential[99_000]), 6)

	lognormal := drawn(clock.LognormalJitter{Median: 100, Sigma: 0.5})
	require.InDelta(t, 100, float64(lognormal[50_000]), 1)
	require.InDelta(t, 100*math.Exp(0.5), float64(lognormal[84_134]), 2)
	require.InDelta(t, 100*math.Exp(-0.5), float64(lognormal[15_866]), 1)
	require.InDelta(t, 100*math.Exp(0.125), mean(lognormal), 1)

	table := drawn(clock.TableJitter{{0, 90}, {200, 1}, {5, 9}})
	require.InDelta(t, 0.45+2, mean(table), 0.08)
	require.EqualValues(t, 0, table[89_000])
	require.EqualValues(t, 5, table[91_000])
	require.EqualValues(t, 200, table[99_500])
}

// The same numbers give the same delays for ever: runs are compared with those of earlier versions and other processors.
func TestDelaysStayAsTheyAre(t *testing.T) {
	for text, want := range map[string][]clock.Time{
		"uniform:0..5":             {2, 1, 3, 1, 5, 2, 3, 1},
		"exponential:5":            {5, 9, 3, 7, 1, 4, 3, 6},
		"lognormal:5:0.8":          {4, 2, 5, 3, 13, 4, 6, 3},
		"table:0x90,5x9,200x1":     {0, 0, 0, 0, 0, 0, 0, 0},
		"exponential:0.25":         {0, 0, 0, 0, 0, 0, 0, 0},
		"lognormal:1000000:2.5":    {381836, 95402, 1223908, 183776, 21329141, 615697, 1773630, 224867},
		"exponential:100000000000": {104959488740, 175074749593, 63072219625, 139027163045, 11706261827, 86017522833, 52653566898, 128993927502},
	} {
		j, err := clock.ParseJitter(text)
		require.NoError(t, err)
		require.Equal(t, text, j.String())
		var got []clock.Time
		for i := range uint64(8) {
			got = append(got, j.Delay(splitmix.At(1234567, i+1)))
		}
		require.Equal(t, want, got, text)
	}
}

func TestParseJitterNamesWhatIsWrong(t *testing.T) {
	const forms = ", want uniform:0..5, exponential:5, lognormal:5:0.8 or table:0x90,5x9,200x1"
	for text, want := range map[string]string{
		"":                         `clock: jitter ""` + forms,
		"5":                        `clock: jitter "5"` + forms,
		"uniform":                  `clock: jitter "uniform"` + forms,
		"uniform:5":                `clock: jitter "uniform:5"` + forms,
		"uniform:x..5":             `clock: jitter "uniform:x..5"` + forms,
		"uniform:0..y":             `clock: jitter "uniform:0..y"` + forms,
		"uniform:5..4":             "clock: smallest delay = 5 ticks, want 0 to 4",
		"uniform:-1..4":            "clock: smallest delay = -1 ticks, want 0 to 4",
		"uniform:0..1099511627777": "clock: largest delay = 1099511627777 ticks, want 0 to 1099511627776",
		"exponential:":             `clock: jitter "exponential:"` + forms,
		"exponential:0":            "clock: mean 0 ticks, want more than 0 and at most 1099511627776",
		"exponential:NaN":          "clock: mean NaN ticks, want more than 0 and at most 1099511627776",
		"exponential:1e13":         "clock: mean 10000000000000 ticks, want more than 0 and at most 1099511627776",
		"lognormal:5":              `clock: jitter "lognormal:5"` + forms,
		"lognormal:x:1":            `clock: jitter "lognormal:x:1"` + forms,
		"lognormal:-5:11":          "clock: median -5 ticks, want more than 0 and at most 1099511627776; sigma 11, want 0 to 10",
		"lognormal:5:-1":           "clock: sigma -1, want 0 to 10",
		"table:":                   `clock: jitter "table:"` + forms,
		"table:5":                  `clock: jitter "table:5"` + forms,
		"table:5x":                 `clock: jitter "table:5x"` + forms,
		"table:ax1":                `clock: jitter "table:ax1"` + forms,
		"table:-1x0":               "clock: delay in the table = -1 ticks, want 0 to 1099511627776; weight in the table = 0, want 1 to 1000000000",
		"poisson:5":                `clock: jitter "poisson:5"` + forms,
	} {
		_, err := clock.ParseJitter(text)
		require.EqualError(t, err, want)
	}
	require.ErrorContains(t, clock.TableJitter{}.Validate(), "rows of the table = 0, want 1 to 1000")
}
