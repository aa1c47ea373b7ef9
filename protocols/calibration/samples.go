package calibration

import (
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
)

// Samples is what rank 0 has measured, in ticks.
type Samples struct {
	Bursts     []BurstSample
	RoundTrips []clock.Time
	Sends      []clock.Time // of the same messages
	Delays     []DelaySample
	Late       int // messages that were not there when the rank had computed
	Sizes      []SizeSample
	Others     int          // that were asked at once
	Crowd      []clock.Time // how long it took until all had answered
}

// BurstSample is one burst of messages sent back to back.
type BurstSample struct {
	Messages int
	Sent     clock.Time // from the end of the first send to that of the last
	Received clock.Time // from the first receive to the last
}

// DelaySample is a message that is answered while the rank computes.
type DelaySample struct {
	Send clock.Time // the send
	Busy clock.Time // the computation, and the receive of the answer
	Idle clock.Time // the same computation without a message
}

// SizeSample is all round trips with a payload of one size.
type SizeSample struct {
	Bytes int
	Trips []clock.Time
}

// Missing says what is not measured yet; "" if everything is.
func (c *Calibration) Missing(s *Samples) string {
	trips := 0
	for _, size := range s.Sizes {
		trips += len(size.Trips)
	}
	for _, part := range []struct {
		name      string
		done, all int
	}{
		{"bursts", len(s.Bursts), c.options.Bursts},
		{"round trips", min(len(s.RoundTrips), len(s.Sends)), c.options.Rounds},
		{"receives", len(s.Delays) + s.Late, c.options.Rounds},
		{"trips with payloads", trips, c.options.Trips * len(c.options.Sizes)},
		{"answers of a crowd", len(s.Crowd), c.crowds(s)},
	} {
		if part.done < part.all {
			return fmt.Sprintf("%d of %d %s", part.done, part.all, part.name)
		}
	}
	return ""
}

// crowds is how often a crowd is asked, if there is one.
func (c *Calibration) crowds(s *Samples) int {
	if s.Others == 0 {
		return 0
	}
	return c.options.Crowd
}

// Check says why samples cannot be those of this calibration, or of a part of it; nil if they can.
func (c *Calibration) Check(s *Samples) error {
	return errors.Join(
		c.checkBursts(s.Bursts),
		checkTimes("round trips", s.RoundTrips, c.options.Rounds),
		checkTimes("sends", s.Sends, c.options.Rounds),
		c.checkDelays(s),
		c.checkSizes(s.Sizes),
		checkTimes("answers of a crowd", s.Crowd, c.crowds(s)),
	)
}

func (c *Calibration) checkBursts(bursts []BurstSample) error {
	if len(bursts) > c.options.Bursts {
		return fmt.Errorf("calibration: %d bursts, want up to %d", len(bursts), c.options.Bursts)
	}
	for i, b := range bursts {
		if b.Messages != c.options.burst(i) || b.Sent < 0 || b.Received < 0 {
			return fmt.Errorf("calibration: a burst of %d messages, sent in %d and received in %d ticks, want %d messages in 0 ticks or more",
				b.Messages, b.Sent, b.Received, c.options.burst(i))
		}
	}
	return nil
}

func (c *Calibration) checkDelays(s *Samples) error {
	if s.Late < 0 || len(s.Delays)+s.Late > c.options.Rounds {
		return fmt.Errorf("calibration: %d receives and %d late messages, want up to %d", len(s.Delays), s.Late, c.options.Rounds)
	}
	for _, d := range s.Delays {
		if d.Send < 0 || d.Busy < 0 || d.Idle < 0 {
			return fmt.Errorf("calibration: a send of %d ticks before a computation of %d, or %d without a message, want 0 or more", d.Send, d.Busy, d.Idle)
		}
	}
	return nil
}

func (c *Calibration) checkSizes(sizes []SizeSample) error {
	if len(sizes) > len(c.options.Sizes) {
		return fmt.Errorf("calibration: %d sizes, want up to %d", len(sizes), len(c.options.Sizes))
	}
	for i, size := range sizes {
		if size.Bytes != c.options.Sizes[i] {
			return fmt.Errorf("calibration: a size of %d bytes, want %d", size.Bytes, c.options.Sizes[i])
		}
		if err := checkTimes("trips of a size", size.Trips, c.options.Trips); err != nil {
			return err
		}
	}
	return nil
}

// checkTimes says what is wrong with a list of durations.
func checkTimes(name string, times []clock.Time, most int) error {
	if len(times) > most {
		return fmt.Errorf("calibration: %d %s, want up to %d", len(times), name, most)
	}
	for _, t := range times {
		if t < 0 {
			return fmt.Errorf("calibration: %d ticks in %s, want 0 or more", t, name)
		}
	}
	return nil
}
