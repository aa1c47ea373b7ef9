package calibration

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

// truth is a machine whose two sides are not alike, and on which all is late by chance.
type truth struct {
	send    float64 // in a row
	alone   float64 // what one that wakes the receiver takes
	receive float64 // from a rank that computes
	transit float64 // half a round trip
	gap     float64 // where bursts arrive
	perByte float64
}

// latency is the L that a machine with one o for both sides has.
func (m truth) latency() float64 { return m.transit - 2*min(m.send, m.alone) }

// noise draws by how much something is late: in half of all cases by less than nothing, now and then by a lot.
func noise(random *rand.Rand, size float64) clock.Time {
	late := (random.ExpFloat64() - math.Ln2) * size
	if random.IntN(10) == 0 {
		late = (random.Float64() - 0.5) * 40 * size
	}
	return clock.Time(math.Round(late))
}

// samples are those of processes that were started together: what they have in common makes all of
// their times longer or shorter by a share, in half of all cases.
func (m truth) samples(random *rand.Rand, o Options, common float64) *Samples {
	factor := 1 + common*(random.Float64()-0.5)
	times := func(t float64) clock.Time { return clock.Time(math.Round(t * factor)) }
	s := &Samples{}
	for i := range o.Bursts {
		messages := o.burst(i)
		more := float64(messages - 1)
		s.Bursts = append(s.Bursts, BurstSample{messages, times(more*m.send) + noise(random, 300), times(more*m.gap) + noise(random, 300)})
	}
	for range o.Rounds {
		s.RoundTrips = append(s.RoundTrips, times(2*m.transit)+noise(random, 3000))
		s.Sends = append(s.Sends, times(m.alone)+noise(random, 300))
		computing := times(3 * m.transit)
		s.Delays = append(s.Delays, DelaySample{times(m.alone) + noise(random, 300), computing + times(m.receive) + noise(random, 3000), computing + noise(random, 3000)})
	}
	for _, size := range o.Sizes {
		sample := SizeSample{Bytes: size}
		for range o.Trips {
			sample.Trips = append(sample.Trips, times(2*m.transit+float64(size-1)*m.perByte)+noise(random, 3000))
		}
		s.Sizes = append(s.Sizes, sample)
	}
	return s
}

// some is enough for six stretches.
func some() Options {
	return Options{Rounds: 42, Burst: 16, Bursts: 48, Sizes: SizesUpTo(1 << 16), Trips: 6}
}

var truths = map[string]truth{
	"a host whose senders wake receivers": {send: 6_000, alone: 90_000, receive: 9_000, transit: 95_000, gap: 5_500, perByte: 3},
	"a network of gaps":                   {send: 9_000, alone: 2_000, receive: 0, transit: 50_000, gap: 9_500, perByte: 0.5},
}

// covered counts the intervals that do not hold the truth, by what they are of.
func covered(t *testing.T, m truth, times int, estimate func() Estimate) map[string]int {
	missed := make(map[string]int)
	for range times {
		e := estimate()
		for name, q := range map[string]struct {
			Quantity
			want float64
		}{
			"L": {e.Latency, m.latency()}, "o": {e.Overhead, min(m.send, m.alone)}, "g": {e.Gap, max(m.send, m.gap)}, "G": {e.PerByte, m.perByte},
			"2o+L": {e.Delivery, m.transit}, "send": {e.Send, m.alone}, "receive": {e.Receive, m.receive},
		} {
			require.LessOrEqual(t, q.Low, q.Value)
			require.LessOrEqual(t, q.Value, q.High)
			if q.want < q.Low || q.want > q.High {
				missed[name]++
			}
		}
	}
	return missed
}

// requireMisses fails unless as many intervals miss as they say, give or take what is chance: of 800 that each miss
// in 1 of 32 cases, 25 on average, with a standard deviation of 5.
func requireMisses(t *testing.T, missed map[string]int, name string) {
	for _, quantity := range []string{"L", "o", "g", "G", "2o+L", "send", "receive"} {
		require.Less(t, missed[quantity], 25+4*5, "%s of %s", quantity, name)
		require.Greater(t, missed[quantity], 25-4*5, "%s of %s: wider than stated", quantity, name)
	}
}

const simulated = 800

// Processes that are started together have something in common. Intervals of several runs hold the
// truth as often as they say; those of one run cannot.
func TestIntervalsOfSeveralRunsHoldTheTruth(t *testing.T) {
	for name, m := range truths {
		random := rand.New(rand.NewPCG(3, 4))
		options := some()
		options.Rounds, options.Bursts, options.Trips = 11, 12, 3
		requireMisses(t, covered(t, m, simulated, func() Estimate {
			var runs []Estimate
			for range mostStretches {
				e, ok := m.samples(random, options, 0.2).estimate()
				require.True(t, ok)
				runs = append(runs, e)
			}
			all := Together(runs, NewProcesses)
			require.Equal(t, mostStretches, all.Estimates)
			require.Equal(t, NewProcesses, all.Source)
			require.Equal(t, 1.0/32, all.Misses())
			require.True(t, all.Separable())
			return all
		}), name)
		alone := covered(t, m, simulated, func() Estimate {
			e, _ := m.samples(random, options, 0.2).Estimate()
			return e
		})
		require.Greater(t, alone["2o+L"], simulated/4, "%s: one run says nothing about others", name)
	}
}

// Intervals of one run hold the truth about its processes as often as they say.
func TestIntervalsOfARunHoldTheTruth(t *testing.T) {
	for name, m := range truths {
		random := rand.New(rand.NewPCG(5, 6))
		requireMisses(t, covered(t, m, simulated, func() Estimate {
			e, ok := m.samples(random, some(), 0).Estimate()
			require.True(t, ok)
			require.Equal(t, mostStretches, e.Estimates)
			require.Equal(t, Stretches, e.Source)
			return e
		}), name)
	}
}

// What changes while it is measured makes intervals wider.
func TestParts(t *testing.T) {
	s := made(clock.LogP{Ranks: 2, Latency: 10, Overhead: 5}, some(), func() clock.Time { return 0 })
	for i := range s.RoundTrips {
		s.RoundTrips[i] = 40 + clock.Time(i/7) // 40 to 45
	}
	e, ok := s.Estimate()
	require.True(t, ok)
	require.Equal(t, Quantity{21.25, 20, 22.5}, e.Delivery)
	require.Equal(t, Quantity{11.25, 10, 12.5}, e.Latency)
	require.Equal(t, Exact(5), e.Overhead)
	for i := range s.Bursts[24:] {
		s.Bursts[24+i].Sent *= 2
	}
	for i := range s.Sends[21:] {
		s.Sends[21+i] = 10
	}
	e, _ = s.Estimate()
	require.Equal(t, 5.0, e.Overhead.Low)
	require.Equal(t, 10.0, e.Overhead.High)

	stretches := s.stretches()
	require.Len(t, stretches, mostStretches)
	for i, stretch := range stretches {
		require.Equal(t, s.RoundTrips[7*i:7*(i+1)], stretch.RoundTrips)
		require.Equal(t, s.Delays[7*i:7*(i+1)], stretch.Delays)
		require.Len(t, stretch.Bursts, 8, "two of each length")
		require.ElementsMatch(t, s.Bursts[8*i:8*(i+1)], stretch.Bursts)
		require.Len(t, stretch.Sizes, 9)
		require.Equal(t, s.Sizes[3].Trips[i:i+1], stretch.Sizes[3].Trips)
	}
	s.Sizes[8].Trips = s.Sizes[8].Trips[:2]
	require.Len(t, s.stretches(), 2, "each has something of all")
	s.Sizes[8].Trips = nil
	require.Len(t, s.stretches(), mostStretches, "but of what there is nothing of")
	s.Bursts = s.Bursts[:11]
	require.Len(t, s.stretches(), 2)
}

// Several runs are the median of what they find, from the lowest to the highest.
func TestRunsTogether(t *testing.T) {
	of := func(latency float64) Estimate {
		return Estimate{
			Latency: Quantity{latency, 0, 1000}, Overhead: Exact(3), Receive: Exact(-latency), Estimates: 6,
			RoundTrip: Quartiles{latency - 1, latency, latency + 2},
		}
	}
	all := Together([]Estimate{of(40), of(10), of(25)}, SameProcesses)
	require.Equal(t, Estimate{
		Latency: Quantity{25, 10, 40}, Overhead: Exact(3), Receive: Quantity{-25, -40, -10}, Estimates: 3, Source: SameProcesses,
		RoundTrip: Quartiles{24, 25, 27},
	}, all)
	require.Equal(t, 0.25, all.Misses())
	require.Equal(t, of(7), Together([]Estimate{of(7)}, NewProcesses), "one alone")
	require.Equal(t, 1.0, Estimate{Estimates: 1}.Misses())
}

// If what passes between two sends and two receives is nothing, that is what is said, in as many
// cases as intervals hold the truth.
func TestWhatCannotBeSeparatedIsNotSeparated(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, tt := range []struct {
		transit     float64
		least, most int // of a hundred
	}{
		{11_000, 100, 100}, {12_000, 94, 100}, {20_000, 0, 5}, {40_000, 0, 0},
	} {
		m := truth{send: 6_000, alone: 9_000, transit: tt.transit, gap: 6_000}
		inseparable := 0
		for range 100 {
			var runs []Estimate
			for range mostStretches {
				e, _ := m.samples(random, some(), 0.1).estimate()
				runs = append(runs, e)
			}
			all := Together(runs, NewProcesses)
			if !all.Separable() {
				inseparable++
			}
			logp := all.LogP(2)
			require.InDelta(t, all.Delivery.Value, float64(logp.Delivery()), 1)
			require.InDelta(t, max(all.Overhead.Value, all.Gap.Value), float64(logp.Costs().Spacing), 1)
		}
		require.GreaterOrEqual(t, inseparable, tt.least, "2o+L = %v", tt.transit)
		require.LessOrEqual(t, inseparable, tt.most, "2o+L = %v", tt.transit)
	}
}
