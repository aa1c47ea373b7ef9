package calibration

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestMediansAndQuartiles(t *testing.T) {
	for _, tt := range []struct {
		numbers []float64
		want    Quartiles
	}{
		{[]float64{7}, Quartiles{7, 7, 7}},
		{[]float64{4, 2}, Quartiles{2.5, 3, 3.5}},
		{[]float64{5, 1, 3}, Quartiles{2, 3, 4}},
		{[]float64{9, 1, 5, 3, 7}, Quartiles{3, 5, 7}},
		{[]float64{1, 1, 1, 1e12}, Quartiles{1, 1, 1 + (1e12-1)/4}},
	} {
		unsorted := slices.Clone(tt.numbers)
		require.Equal(t, tt.want, quartiles(tt.numbers))
		require.Equal(t, unsorted, tt.numbers, "samples stay in the order in which they were measured")
	}
}

// Two of nine points may be anywhere.
func TestTheSlopeStandsOutliers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rise := float64(rapid.IntRange(-1000, 1000).Draw(t, "rise"))
		x, y := make([]float64, 9), make([]float64, 9)
		for i := range x {
			x[i] = float64(100 * i)
			y[i] = 12345 + rise*x[i]
		}
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, 8), 0, 2, rapid.ID[int]).Draw(t, "outliers") {
			y[i] = rapid.Float64Range(-1e9, 1e9).Draw(t, "y")
		}
		require.Equal(t, rise, slope(x, y))
	})
}

// made are samples of a machine whose times are longer than they should be by some noise.
func made(logp clock.LogP, options Options, noise func() clock.Time) *Samples {
	s := &Samples{}
	trip := 2 * logp.Delivery()
	spacing := logp.Costs().Spacing
	for range options.Bursts {
		span := spacing.Times(options.Burst - 1)
		s.Bursts = append(s.Bursts, BurstSample{options.Burst, span + noise(), span + noise()})
	}
	for range options.Rounds {
		s.RoundTrips = append(s.RoundTrips, trip+noise())
		s.Sends = append(s.Sends, logp.Overhead+noise()/10)
		s.Receives = append(s.Receives, noise()/10)
	}
	for _, size := range options.Sizes {
		sample := SizeSample{Bytes: size}
		for range options.Trips {
			sample.Trips = append(sample.Trips, trip+clock.Time(size-1)*logp.PerByte+noise())
		}
		s.Sizes = append(s.Sizes, sample)
	}
	return s
}

// A network is a little slower than it could be most of the time, and far slower now and then.
func TestEstimatesStandNoise(t *testing.T) {
	logp := clock.LogP{Ranks: 2, Latency: 20_000, Overhead: 3_000, Gap: 5_000, PerByte: 2}
	random := rand.New(rand.NewPCG(1, 2))
	noise := func() clock.Time {
		if random.IntN(5) == 0 {
			return clock.Time(random.IntN(50_000_000)) // a scheduler's break
		}
		return clock.Time(random.ExpFloat64() * 400)
	}
	for range 50 {
		e, ok := made(logp, Usual(), noise).Estimate()
		require.True(t, ok)
		require.InEpsilon(t, 20_000, e.Latency, 0.03)
		require.InEpsilon(t, 3_000, e.Overhead, 0.03)
		require.InEpsilon(t, 5_000, e.Gap, 0.03)
		require.InEpsilon(t, 2, e.PerByte, 0.03)
		require.Less(t, e.Receive, 100.0)
		require.Less(t, e.RoundTrip.Lower, e.RoundTrip.Median)
		require.Less(t, e.RoundTrip.Median, e.RoundTrip.Upper)
		require.InEpsilon(t, 52_400, e.RoundTrip.Median, 0.01)
		require.Less(t, e.RoundTrip.Upper, 55_000.0)
	}
}

// Means of the same samples would be off by a factor: the test above is not too easy.
func TestNoiseWouldMisleadMeans(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := func() clock.Time {
		if random.IntN(5) == 0 {
			return clock.Time(random.IntN(50_000_000))
		}
		return 0
	}
	s := made(clock.LogP{Ranks: 2, Latency: 20_000, Overhead: 3_000}, Usual(), noise)
	sum := 0.0
	for _, trip := range ticks(s.RoundTrips) {
		sum += trip
	}
	require.Greater(t, sum/float64(len(s.RoundTrips)), 50*float64(2*26_000))
	e, ok := s.Estimate()
	require.True(t, ok)
	require.Equal(t, 20_000.0, e.Latency)
}

// On some networks a send takes longer than the model allows for. The machine then has the round
// trips that were measured, and bursts are spaced as they were.
func TestRoundTripsCountMoreThanSends(t *testing.T) {
	s := made(clock.LogP{Ranks: 2, Latency: 1, Overhead: 3000, Gap: 2700}, few(), func() clock.Time { return 0 })
	for i := range s.Sends {
		s.Sends[i] = 3500
	}
	e, ok := s.Estimate()
	require.True(t, ok)
	require.Equal(t, 3500.0, e.Send)
	require.Equal(t, 3000.5, e.Overhead)
	require.Zero(t, e.Latency)
	require.Equal(t, 12_002.0, e.RoundTrip.Median)
	logp := e.LogP(2)
	require.InDelta(t, 12_002, float64(2*logp.Delivery()), 4)
	require.EqualValues(t, 3001, logp.Costs().Spacing)
}

func TestTheSlowerSideOfABurstIsTheGap(t *testing.T) {
	s := made(clock.LogP{Ranks: 2, Latency: 1, Overhead: 1}, few(), func() clock.Time { return 0 })
	s.Bursts = []BurstSample{{4, 30, 3}, {4, 33, 6}, {4, 36, 900}}
	e, _ := s.Estimate()
	require.Equal(t, 11.0, e.Gap)
	s.Bursts = []BurstSample{{4, 30, 60}, {4, 33, 90}, {4, 3600, 96}}
	e, _ = s.Estimate()
	require.Equal(t, 30.0, e.Gap)
}

func TestThereIsNoEstimateWithoutSamplesOfEachKind(t *testing.T) {
	for name, spoil := range map[string]func(*Samples){
		"bursts":      func(s *Samples) { s.Bursts = nil },
		"round trips": func(s *Samples) { s.RoundTrips = nil },
		"sends":       func(s *Samples) { s.Sends = nil },
		"sizes":       func(s *Samples) { s.Sizes = s.Sizes[:1] },
		"trips": func(s *Samples) {
			for i := range s.Sizes[1:] {
				s.Sizes[i+1].Trips = nil
			}
		},
	} {
		s := made(clock.LogP{Ranks: 2, Latency: 1, Overhead: 1}, few(), func() clock.Time { return 0 })
		spoil(s)
		_, ok := s.Estimate()
		require.False(t, ok, name)
	}
	s := made(clock.LogP{Ranks: 2, Latency: 1, Overhead: 1}, few(), func() clock.Time { return 30 })
	s.Receives = nil // all may have been late
	e, ok := s.Estimate()
	require.True(t, ok)
	require.Zero(t, e.Receive)
	s.Receives = []clock.Time{7}
	e, ok = s.Estimate()
	require.True(t, ok)
	require.EqualValues(t, 7, e.Receive, "one is enough")
}

func TestRoundedEstimatesAreMachines(t *testing.T) {
	require.Equal(t, clock.LogP{Ranks: 2, Latency: 12, Overhead: 3, Gap: 3, PerByte: 1},
		Estimate{Latency: 12.49, Overhead: 2.5, Gap: 3.4, PerByte: 0.5}.LogP(2))
	require.Equal(t, clock.LogP{Ranks: 2, Latency: 1, Overhead: 1},
		Estimate{Latency: -700, Overhead: 0.2, Gap: -1, PerByte: 0.49}.LogP(2))
	rapid.Check(t, func(t *rapid.T) {
		cost := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)
		e := Estimate{Latency: cost.Draw(t, "L"), Overhead: cost.Draw(t, "o"), Gap: cost.Draw(t, "g"), PerByte: cost.Draw(t, "G")}
		require.NoError(t, e.LogP(2).Validate())
	})
}
