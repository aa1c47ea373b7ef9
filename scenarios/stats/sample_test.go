package stats_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

func sampleOf(values ...float64) *stats.Sample {
	s := &stats.Sample{}
	s.Add(values...)
	return s
}

// Worked by hand, with t(0.975, 4) = 2.7764.
func TestMeanAndItsConfidence(t *testing.T) {
	s := sampleOf(4, 8, 6, 5, 7)
	require.Equal(t, 6.0, s.Mean())
	require.InDelta(t, math.Sqrt(2.5), s.Deviation(), 1e-12)
	require.InDelta(t, 2.776445*math.Sqrt(2.5)/math.Sqrt(5), s.Confidence(0.95), 1e-5)
	require.Greater(t, s.Confidence(0.99), s.Confidence(0.95))
}

// Squares of large numbers have no digits left for small differences.
func TestDeviationOfValuesFarFromZero(t *testing.T) {
	const far = 1e9
	require.InEpsilon(t, math.Sqrt(2.5)/1000, sampleOf(far+0.004, far+0.008, far+0.006, far+0.005, far+0.007).Deviation(), 1e-3)
}

func TestTheMedianIsInTheMiddle(t *testing.T) {
	s := &stats.Sample{}
	for i := range 101 {
		s.Add(float64(i))
	}
	require.Equal(t, 50.0, s.Median())
}

func TestSamplesOfOneAndNone(t *testing.T) {
	one := sampleOf(3)
	require.Equal(t, 3.0, one.Mean())
	require.True(t, math.IsNaN(one.Deviation()))
	require.True(t, math.IsInf(one.Confidence(0.95), 1))
	require.InDelta(t, 12.7062, sampleOf(1, 3).Confidence(0.95), 1e-4)
	require.Equal(t, 3.0, one.Percentile(1))
	var none stats.Sample
	for _, x := range []float64{none.Mean(), none.Deviation(), none.Min(), none.Max(), none.Median()} {
		require.True(t, math.IsNaN(x))
	}
}

func TestPercentilesAreValuesOfTheSample(t *testing.T) {
	s := &stats.Sample{}
	for i := 1000; i >= 1; i-- {
		s.Add(float64(i))
	}
	for p, want := range map[float64]float64{0.05: 1, 0.1: 1, 1: 10, 50: 500, 99: 990, 99.9: 999, 99.95: 1000, 100: 1000} {
		require.Equal(t, want, s.Percentile(p), "%v", p)
	}
	require.Equal(t, 1.0, s.Min())
	require.Equal(t, 1000.0, s.Max())
}

// The definition, word by word.
func TestPercentileIsTheSmallestThatIsNotExceeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(0, 20), 1, 60).Draw(t, "values")
		percent := rapid.IntRange(1, 100).Draw(t, "percent")
		s := &stats.Sample{}
		for _, x := range values {
			s.Add(float64(x))
		}
		got := s.Percentile(float64(percent))
		covered := func(limit float64) int {
			count := 0
			for _, x := range values {
				if float64(x) <= limit {
					count++
				}
			}
			return count
		}
		require.GreaterOrEqual(t, 100*covered(got), percent*len(values))
		require.Less(t, 100*covered(got-0.5), percent*len(values))
	})
}

// Merged parts must give the numbers of the whole, to the last bit.
func TestTheOrderOfValuesDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 2, 50).Draw(t, "values")
		shuffled := rapid.Permutation(values).Draw(t, "shuffled")
		a, b := sampleOf(values...), sampleOf(shuffled...)
		require.Equal(t, a.Mean(), b.Mean())
		require.Equal(t, a.Confidence(0.95), b.Confidence(0.95))
		require.Equal(t, a.Percentile(90), b.Percentile(90))
	})
}

// Measurements made several times are as if they were added one by one.
func TestMeasurementsAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var counted, single stats.Sample
		times := make(map[float64]int)
		for _, x := range rapid.SliceOf(rapid.IntRange(-3, 3)).Draw(t, "values") {
			n := rapid.IntRange(0, 4).Draw(t, "times")
			counted.AddTimes(float64(x), n)
			for range n {
				single.Add(float64(x))
				times[float64(x)]++
			}
			require.Equal(t, single.Len(), counted.Len())
			if single.Len() > 0 {
				require.Equal(t, single.Max(), counted.Max(), "asked between additions")
			}
		}
		require.Equal(t, times, maps.Collect(counted.All()))
		last := math.Inf(-1)
		for x, n := range counted.All() {
			require.Less(t, last, x)
			require.Equal(t, n, counted.Count(x))
			last = x
		}
		require.Zero(t, counted.Count(4))
		for _, ask := range []func(*stats.Sample) float64{(*stats.Sample).Mean, (*stats.Sample).Deviation, (*stats.Sample).Median, (*stats.Sample).Min} {
			a, b := ask(&single), ask(&counted)
			require.True(t, a == b || math.IsNaN(a) && math.IsNaN(b), "%v and %v", a, b)
		}
	})
}

// 95 of 100 intervals must have the mean in them. The seed is fixed.
func TestTheConfidenceOfMeansIsTrue(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	covered := stats.Proportion{}
	for range 4000 {
		s := &stats.Sample{}
		for range 8 {
			s.Add(random.NormFloat64()*3 + 10)
		}
		covered.Add(math.Abs(s.Mean()-10) <= s.Confidence(0.95))
	}
	require.InDelta(t, 0.95, covered.Rate(), 0.01)
}

func TestMistakesPanic(t *testing.T) {
	require.PanicsWithValue(t, "stats: NaN is no measurement", func() { sampleOf(math.NaN()) })
	require.PanicsWithValue(t, "stats: percentile 0, want more than 0 and at most 100", func() { sampleOf(1).Percentile(0) })
	require.PanicsWithValue(t, "stats: level of confidence 95, want one between 0 and 1", func() { sampleOf(1, 2).Confidence(95) })
	require.PanicsWithValue(t, "stats: 3 of 2 runs, want 0 to 2", func() { stats.Proportion{Hits: 3, Runs: 2}.Wilson(0.95) })
}

func ExampleSample() {
	var latencies stats.Sample
	latencies.Add(64, 66, 64, 70, 64)
	fmt.Printf("%.1f ± %.1f, median %v, 99 %% below %v\n", latencies.Mean(), latencies.Confidence(0.95), latencies.Median(), latencies.Percentile(99))
	// Output: 65.6 ± 3.2, median 64, 99 % below 70
}
