package calibration

import (
	"math"

	"github.com/mangrove-emu/mangrove/clock"
)

// Estimate is what samples say about a machine, in ticks.
type Estimate struct {
	Latency  float64 // L, 0 or more
	Overhead float64 // o, a quarter of a round trip at most
	Gap      float64 // g; what is to be seen of it is max(o,g)
	PerByte  float64 // G; noise may make it negative

	// Service is how long a message keeps busy what all ranks share, such as the processors of a host;
	// 0 if that is not to be seen. It is part of L, too.
	Service float64

	// RoundTrip is the spread of round trips of small messages, whose median is 4o+2L.
	RoundTrip Quartiles
	// Send is what a send takes. That is o, unless it is too long for that.
	Send float64
	// Receive is what it takes to receive a message that is there; 0 if none was there in time. The
	// model has no such cost.
	Receive float64
}

// Quartiles say where the middle half of some samples lies.
type Quartiles struct{ Lower, Median, Upper float64 }

// Estimate calculates the parameters; ok is false if there are not samples of all kinds.
func (s *Samples) Estimate() (e Estimate, ok bool) {
	if len(s.Bursts) == 0 || len(s.RoundTrips) == 0 || len(s.Sends) == 0 {
		return e, false
	}
	if e.PerByte, ok = s.perByte(); !ok {
		return e, false
	}
	e.Send = median(ticks(s.Sends))
	e.RoundTrip = quartiles(ticks(s.RoundTrips))
	e.Overhead = min(e.Send, e.RoundTrip.Median/4)
	e.Latency = e.RoundTrip.Median/2 - 2*e.Overhead
	e.Gap = s.gap()
	e.Service = s.service(e)
	if len(s.Receives) > 0 {
		e.Receive = median(ticks(s.Receives))
	}
	return e, true
}

// gap is the spacing of bursts, on the side where it is longer. There must be a burst.
func (s *Samples) gap() float64 {
	var sent, received []float64
	for _, b := range s.Bursts {
		sent = append(sent, float64(b.Sent)/float64(b.Messages-1))
		received = append(received, float64(b.Received)/float64(b.Messages-1))
	}
	return max(median(sent), median(received))
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
	if took <= crowded*((others-1)*max(e.Overhead, e.Gap)+e.RoundTrip.Median) {
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

// LogP rounds the estimate to the parameters of a machine of so many ranks. Each is rounded to the
// nearest whole tick by itself, halves up; L and o are 1 at least, g and G 0, and all are
// [clock.MaxCost] at most. So a G below half a tick becomes 0: on a fast network bytes are free,
// unless ticks are short. A g that is not above o has no effect.
func (e Estimate) LogP(ranks int) clock.LogP {
	return clock.LogP{
		Ranks:    ranks,
		Latency:  whole(e.Latency, 1),
		Overhead: whole(e.Overhead, 1),
		Gap:      whole(e.Gap, 0),
		PerByte:  whole(e.PerByte, 0),
	}
}

// whole rounds to ticks of a cost.
func whole(ticks float64, least clock.Time) clock.Time {
	return clock.Time(math.Round(min(max(ticks, float64(least)), float64(clock.MaxCost))))
}
