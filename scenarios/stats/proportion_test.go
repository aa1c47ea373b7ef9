package stats_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// By R: binom.test(3, 20)$conf.int, binom.confint(3, 20, methods="wilson").
func TestIntervalsOfProportions(t *testing.T) {
	p := stats.Proportion{Hits: 3, Runs: 20}
	low, high := p.ClopperPearson(0.95)
	require.InDelta(t, 0.03207094, low, 1e-7)
	require.InDelta(t, 0.37892683, high, 1e-7)
	low, high = p.Wilson(0.95)
	require.InDelta(t, 0.0523683, low, 1e-6)
	require.InDelta(t, 0.3604188, high, 1e-6)
}

// One run more or less than none or all has an end on either side: binom.test(1, 20)$conf.int.
func TestOneRunIsNotNone(t *testing.T) {
	low, high := stats.Proportion{Hits: 1, Runs: 20}.ClopperPearson(0.95)
	require.InDelta(t, 0.001265089, low, 1e-7)
	require.InDelta(t, 0.2487328, high, 1e-6)
	low, high = stats.Proportion{Hits: 19, Runs: 20}.ClopperPearson(0.95)
	require.InDelta(t, 1-0.2487328, low, 1e-6)
	require.InDelta(t, 1-0.001265089, high, 1e-7)
}

// The rule of three: nothing in n runs means less than about 3/n.
func TestNothingHappened(t *testing.T) {
	p := stats.Proportion{Runs: 1000}
	low, high := p.ClopperPearson(0.9) // 95 % on one side
	require.Zero(t, low)
	require.InDelta(t, 0.003, high, 1e-5)
	low, high = stats.Proportion{Hits: 1000, Runs: 1000}.ClopperPearson(0.9)
	require.InDelta(t, 0.997, low, 1e-5)
	require.Equal(t, 1.0, high)
	low, high = stats.Proportion{}.Wilson(0.95)
	require.Equal(t, []float64{0, 1}, []float64{low, high})
}

// Rounding takes no interval beyond 0 and 1.
func TestWhatDoesNotHitMisses(t *testing.T) {
	require.Equal(t, stats.Proportion{Hits: 3, Runs: 10}, stats.Proportion{Hits: 7, Runs: 10}.Complement())
}

func TestRatesAreFrom0To1(t *testing.T) {
	for runs := 1; runs <= 1000; runs++ {
		low, _ := stats.Proportion{Runs: runs}.Wilson(0.95)
		_, high := stats.Proportion{Hits: runs, Runs: runs}.Wilson(0.95)
		require.GreaterOrEqual(t, low, 0.0)
		require.LessOrEqual(t, high, 1.0)
	}
}

// Clopper and Pearson's interval covers the truth at least as often as it says, whatever the rate;
// by all outcomes and their probabilities.
func TestClopperPearsonCoversTheTruth(t *testing.T) {
	const runs = 30
	for _, rate := range []float64{0.01, 0.05, 0.2, 0.5, 0.77, 0.99} {
		covered := 0.0
		for hits := range runs + 1 {
			low, high := stats.Proportion{Hits: hits, Runs: runs}.ClopperPearson(0.95)
			if low <= rate && rate <= high {
				covered += choose(runs, hits) * math.Pow(rate, float64(hits)) * math.Pow(1-rate, float64(runs-hits))
			}
		}
		require.GreaterOrEqual(t, covered, 0.95, "rate %v", rate)
	}
}

func choose(n, k int) float64 {
	x := 1.0
	for i := range k {
		x = x * float64(n-i) / float64(i+1)
	}
	return x
}

func ExampleProportion() {
	missed := stats.Proportion{Hits: 2, Runs: 1000}
	low, high := missed.Wilson(0.95)
	fmt.Printf("%.2f %% (%.2f to %.2f %%)\n", 100*missed.Rate(), 100*low, 100*high)
	// Output: 0.20 % (0.05 to 0.73 %)
}
