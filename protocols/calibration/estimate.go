package calibration

import (
	"maps"
	"math"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// Estimate is what samples say about a machine, in ticks.
type Estimate struct {
	Latency  Quantity // L, which may be negative if it cannot be separated from o
	Overhead Quantity // o
	Gap      Quantity // g; what is to be seen of it is max(o,g)
	PerByte  Quantity // G; noise may make it negative
	// Delivery is 2o+L, half a round trip, which is known also if L and o are not.
	Delivery Quantity

	// Service is how long a message keeps busy what all ranks share, such as the processors of a host;
	// 0 if that is not to be seen. It is part of L, too.
	Service Quantity

	// RoundTrip is the spread of round trips of small messages, whose median is 4o+2L.
	RoundTrip Quartiles
	// Send is what a send takes by itself. That is o, unless the rank is kept for longer: where both are
	// on one processor, the receiver may be woken and go on in the middle of it.
	Send Quantity
	// Receive is by how much longer a rank computes because a message comes; 0 if none came in
	// time. The model has no such cost: there, the port receives beside the program.
	Receive Quantity

	// Estimates is how many others intervals come from, and Source what these are. One says nothing about confidence.
	Estimates int
	Source    Source
}

// Quartiles say where the middle half of some samples lies.
type Quartiles struct{ Lower, Median, Upper float64 }

// Estimate calculates the parameters; ok is false if there are not samples of all kinds. Intervals
// go from the lowest to the highest that stretches of the samples have by themselves.
func (s *Samples) Estimate() (e Estimate, ok bool) {
	e, ok = s.estimate()
	if !ok {
		return Estimate{}, false
	}
	var stretches []Estimate
	for _, samples := range s.stretches() {
		stretch, _ := samples.estimate() // it has some of all kinds
		stretches = append(stretches, stretch)
	}
	for i, q := range e.quantities() {
		*q = q.around(values(stretches, i))
	}
	e.Estimates = len(stretches)
	return e, true
}

// estimate is that of all samples, without intervals.
func (s *Samples) estimate() (e Estimate, ok bool) {
	if len(s.Bursts) == 0 || len(s.RoundTrips) == 0 || len(s.Sends) == 0 {
		return e, false
	}
	perByte, ok := s.perByte()
	if !ok {
		return e, false
	}
	e.PerByte = Exact(perByte)
	e.RoundTrip = quartiles(ticks(s.RoundTrips))
	delivery, send := e.RoundTrip.Median/2, median(ticks(s.Sends))
	overhead := min(send, s.spacing())
	e.Delivery, e.Send, e.Overhead = Exact(delivery), Exact(send), Exact(overhead)
	e.Latency = Exact(delivery - 2*overhead)
	e.Gap = Exact(s.gap())
	e.Receive = Exact(s.taken())
	e.Service = Exact(s.service(e))
	return e, true
}

// spacing is by how much a send more makes a row of sends longer. There must be a burst.
func (s *Samples) spacing() float64 {
	groups := s.burstsByLength()
	more, took := []float64{0}, []float64{0} // the first send is where a row begins
	for _, length := range slices.Sorted(maps.Keys(groups)) {
		var sent []float64
		for _, b := range groups[length] {
			sent = append(sent, float64(b.Sent))
		}
		more, took = append(more, float64(length-1)), append(took, median(sent))
	}
	return slope(more, took)
}

// gap is the spacing of the longest bursts, on the side where it is longer. There must be a burst.
func (s *Samples) gap() float64 {
	groups := s.burstsByLength()
	longest := groups[slices.Max(slices.Collect(maps.Keys(groups)))]
	return max(
		median(spacings(longest, func(b BurstSample) clock.Time { return b.Sent })),
		median(spacings(longest, func(b BurstSample) clock.Time { return b.Received })),
	)
}

// taken is by how much longer a computation takes if a message comes meanwhile, and is received
// then; 0 if that was not to be measured.
func (s *Samples) taken() float64 {
	if len(s.Delays) == 0 {
		return 0
	}
	var longer []float64
	for _, d := range s.Delays {
		longer = append(longer, float64(d.Busy-d.Idle))
	}
	return median(longer)
}

// crowded is by how much longer a crowd must take than it would if ranks shared nothing, to say that
// they do.
const crowded = 1.25

// service is how long a message takes of what all ranks share. If that is what takes longest, it serves
// one message after the other: all questions, then all answers. The last one has a way to go before
// and behind it, together half a round trip less its own service.
func (s *Samples) service(e Estimate) float64 {
	if len(s.Crowd) == 0 {
		return 0
	}
	took, others := median(ticks(s.Crowd)), float64(s.Others)
	if took <= crowded*((others-1)*max(e.Overhead.Value, e.Gap.Value)+e.RoundTrip.Median) {
		return 0
	}
	return (took - e.RoundTrip.Median/2) / (2*others - 1)
}

// perByte is by how much a byte more makes a trip longer; false if there are not two sizes.
func (s *Samples) perByte() (slopeOfTrips float64, ok bool) {
	var bytes, trips []float64
	for _, size := range s.Sizes {
		if len(size.Trips) > 0 {
			bytes = append(bytes, float64(size.Bytes))
			trips = append(trips, median(ticks(size.Trips)))
		}
	}
	if len(bytes) < 2 {
		return 0, false
	}
	return slope(bytes, trips), true
}

func quartiles(numbers []float64) Quartiles {
	return Quartiles{quantile(numbers, 0.25), median(numbers), quantile(numbers, 0.75)}
}

// Separable reports whether L and o are known each by itself: neither may be 0. If they are not,
// 2o+L still is.
func (e Estimate) Separable() bool { return e.Latency.Low > 0 && e.Overhead.Low > 0 }

// LogP rounds the estimate to the parameters of a machine of so many ranks, halves up. A message
// takes 2o+L as measured, and sends are as far apart, whether or not L and o are separable: L is
// what o leaves, and o is less if it would leave nothing. L and o are 1 at least, g and G 0, and all are
// [clock.MaxCost] at most. So a G below half a tick becomes 0: on a fast network bytes are free,
// unless ticks are short. A g that is not above o has no effect.
func (e Estimate) LogP(ranks int) clock.LogP {
	overhead := whole(min(e.Overhead.Value, math.Floor((e.Delivery.Value-1)/2)), 1)
	return clock.LogP{
		Ranks:    ranks,
		Latency:  whole(e.Delivery.Value-2*float64(overhead), 1),
		Overhead: overhead,
		Gap:      whole(max(e.Gap.Value, e.Overhead.Value), 0),
		PerByte:  whole(e.PerByte.Value, 0),
	}
}

// whole rounds to ticks of a cost.
func whole(ticks float64, least clock.Time) clock.Time {
	return clock.Time(math.Round(min(max(ticks, float64(least)), float64(clock.MaxCost))))
}
