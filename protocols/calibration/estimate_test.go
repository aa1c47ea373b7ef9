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
	for i := range options.Bursts {
		messages := options.burst(i)
		span := spacing.Times(messages - 1)
		s.Bursts = append(s.Bursts, BurstSample{messages, span + noise(), span + noise()})
	}
	for range options.Rounds {
		s.RoundTrips = append(s.RoundTrips, trip+noise())
		s.Sends = append(s.Sends, logp.Overhead+noise()/10)
		s.Delays = append(s.Delays, DelaySample{Send: logp.Overhead + noise()/10, Busy: 3*trip + noise(), Idle: 3*trip + noise()})
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
	options := Usual()
	options.Rounds = 1000
	for range 50 {
		e, ok := made(logp, options, noise).Estimate()
		require.True(t, ok)
		require.InEpsilon(t, 20_000, e.Latency.Value, 0.03)
		require.InEpsilon(t, 3_000, e.Overhead.Value, 0.03)
		require.InEpsilon(t, 5_000, e.Gap.Value, 0.03)
		require.InEpsilon(t, 2, e.PerByte.Value, 0.03)
		require.InDelta(t, 0, e.Receive.Value, 300)
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
	require.Equal(t, 20_000.0, e.Latency.Value)
}

// Where the receiver goes on in the middle of a send, the send takes longer than in a row, and its time says
// little about o.
func TestASendThatIsKeptUpIsNotTheOverhead(t *testing.T) {
	s := made(clock.LogP{Ranks: 2, Latency: 4000, Overhead: 1000}, few(), func() clock.Time { return 0 })
	for i := range s.Sends {
		s.Sends[i] = 5500 // of 6000 there
	}
	e, ok := s.Estimate()
	require.True(t, ok)
	require.Equal(t, Exact(5500), e.Send)
	require.Equal(t, Exact(1000), e.Overhead)
	require.Equal(t, Exact(4000), e.Latency)
}

// Where messages are there before two sends could be over, L and o are not separable. The machine
// has the round trips that were measured, and sends are spaced as they were.
func TestWhatIsNotSeparableKeepsItsTimes(t *testing.T) {
	s := made(clock.LogP{Ranks: 2, Latency: 1, Overhead: 3000}, few(), func() clock.Time { return 0 })
	for i := range s.Sends {
		s.Sends[i] = 3500
	}
	for i, b := range s.Bursts {
		s.Bursts[i].Sent = 3400 * clock.Time(b.Messages-1)
	}
	e, ok := s.Estimate()
	require.True(t, ok)
	require.False(t, e.Separable())
	require.Equal(t, Exact(6001), e.Delivery)
	require.Equal(t, Exact(3400), e.Overhead)
	require.Equal(t, Exact(-799), e.Latency)
	logp := e.LogP(2)
	require.EqualValues(t, 6001, logp.Delivery())
	require.EqualValues(t, 3400, logp.Costs().Spacing)

	for name, e := range map[string]Estimate{
		"L may be 0": {Latency: Quantity{5, 0, 9}, Overhead: Exact(3), Delivery: Exact(11)},
		"o may be 0": {Latency: Exact(5), Overhead: Quantity{3, 0, 4}, Delivery: Exact(11)},
	} {
		require.False(t, e.Separable(), name)
		require.EqualValues(t, 11, e.LogP(2).Delivery(), name)
		require.EqualValues(t, 3, e.LogP(2).Costs().Spacing, name)
	}
	require.True(t, Estimate{Latency: Quantity{5, 1, 9}, Overhead: Quantity{3, 1, 4}}.Separable())
}

func TestTheSlowerSideOfABurstIsTheGap(t *testing.T) {
	s := made(clock.LogP{Ranks: 2, Latency: 1, Overhead: 1}, few(), func() clock.Time { return 0 })
	s.Bursts = []BurstSample{{4, 30, 3}, {4, 33, 6}, {4, 36, 900}, {2, 500, 500}}
	e, _ := s.Estimate()
	require.Equal(t, 11.0, e.Gap.Value, "of the longest")
	s.Bursts = []BurstSample{{4, 30, 60}, {4, 33, 90}, {2, 1, 1}, {4, 3600, 96}}
	e, _ = s.Estimate()
	require.Equal(t, 30.0, e.Gap.Value)
}

// Of rows of sends the slope counts: what one of them has once does not.
func TestASendMoreIsTheOverhead(t *testing.T) {
	s := &Samples{Bursts: []BurstSample{{2, 7, 0}, {4, 21, 0}, {8, 49, 0}, {2, 900, 0}, {4, 21, 0}, {8, 49, 0}, {2, 5, 0}, {16, 9999, 0}}}
	require.Equal(t, 7.0, s.spacing())
}

// What a message takes from a rank that computes is what the same computation lacks without it.
func TestWhatAMessageTakes(t *testing.T) {
	s := &Samples{Delays: []DelaySample{{0, 110, 100}, {0, 230, 200}, {0, 420, 400}}}
	require.Equal(t, 20.0, s.taken())
	require.Zero(t, (&Samples{}).taken())
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
	s.Delays = nil // all may have been late
	e, ok := s.Estimate()
	require.True(t, ok)
	require.Equal(t, Exact(0), e.Receive)
}

func TestRoundedEstimatesAreMachines(t *testing.T) {
	require.Equal(t, clock.LogP{Ranks: 2, Latency: 12, Overhead: 3, Gap: 3, PerByte: 1},
		Estimate{Delivery: Exact(18.49), Overhead: Exact(2.5), Gap: Exact(3.4), PerByte: Exact(0.5)}.LogP(2))
	require.Equal(t, clock.LogP{Ranks: 2, Latency: 1, Overhead: 1},
		Estimate{Delivery: Exact(-700), Overhead: Exact(0.2), Gap: Exact(-1), PerByte: Exact(0.49)}.LogP(2))
	rapid.Check(t, func(t *rapid.T) {
		cost := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)
		e := Estimate{Delivery: Exact(cost.Draw(t, "2o+L")), Overhead: Exact(cost.Draw(t, "o")), Gap: Exact(cost.Draw(t, "g")), PerByte: Exact(cost.Draw(t, "G"))}
		require.NoError(t, e.LogP(2).Validate())
	})
}
