package calibration

import "github.com/mangrove-emu/mangrove/clock"

// mostStretches is into how many stretches the time of a measurement is divided. An interval from the lowest
// to the highest of six misses in 1 of 32 cases.
const mostStretches = 6

// stretches divides samples by the time at which they were taken, so that each stretch has some of all
// kinds: what changes slowly then makes them differ.
func (s *Samples) stretches() []*Samples {
	groups := s.burstsByLength()
	count := min(mostStretches, len(s.RoundTrips), len(s.Sends))
	for _, group := range groups {
		count = min(count, len(group))
	}
	for _, size := range s.Sizes {
		if len(size.Trips) > 0 {
			count = min(count, len(size.Trips))
		}
	}
	for _, others := range []int{len(s.Delays), len(s.Crowd)} {
		if others > 0 { // or there is nothing to find of the kind
			count = min(count, others)
		}
	}
	var all []*Samples
	for i := range count {
		stretch := &Samples{
			RoundTrips: slice(s.RoundTrips, i, count), Sends: slice(s.Sends, i, count), Delays: slice(s.Delays, i, count),
			Others: s.Others, Crowd: slice(s.Crowd, i, count),
		}
		for _, group := range groups {
			stretch.Bursts = append(stretch.Bursts, slice(group, i, count)...)
		}
		for _, size := range s.Sizes {
			stretch.Sizes = append(stretch.Sizes, SizeSample{size.Bytes, slice(size.Trips, i, count)})
		}
		all = append(all, stretch)
	}
	return all
}

// slice is one of so many stretches of a list, which differ by one in length at most.
func slice[T any](list []T, stretch, of int) []T {
	return list[len(list)*stretch/of : len(list)*(stretch+1)/of]
}

// burstsByLength are the bursts of each length.
func (s *Samples) burstsByLength() map[int][]BurstSample {
	groups := make(map[int][]BurstSample)
	for _, b := range s.Bursts {
		groups[b.Messages] = append(groups[b.Messages], b)
	}
	return groups
}

// spacings are what the messages of bursts took each but the first, by one of their times.
func spacings(bursts []BurstSample, took func(BurstSample) clock.Time) []float64 {
	var all []float64
	for _, b := range bursts {
		all = append(all, float64(took(b))/float64(b.Messages-1))
	}
	return all
}
