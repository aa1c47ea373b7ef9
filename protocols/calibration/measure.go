package calibration

import (
	"math"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// measurer is rank 0 at work.
type measurer struct {
	*Calibration
	p       protocols.Proc
	samples *Samples
	// rest is for how long ports may be busy with a small message, as far as bursts have shown.
	rest clock.Time
	// pace is how many looks at its clock the rank takes in a tick; 0 if the clock stands still meanwhile.
	pace float64
}

// measure is the part of rank 0.
func (c *Calibration) measure(p protocols.Proc, samples *Samples) {
	if p.Size() <= answerer {
		panic("calibration: one rank, want two or more: there is nobody to answer")
	}
	*samples = Samples{}
	m := &measurer{Calibration: c, p: p, samples: samples}
	p.Step(StepWarmup)
	for range c.options.Warmup {
		m.ping("")
	}
	p.Step(StepBursts)
	for i := range c.options.Bursts {
		m.burst(c.options.burst(i))
	}
	m.rest = clock.Time(math.Ceil(samples.gap()))
	p.WaitUntil(p.Now() + m.rest)
	p.Step(StepRounds)
	for range c.options.Rounds {
		m.round()
	}
	p.Step(StepReceives)
	m.pace = paceOf(p)
	m.delays()
	p.Step(StepSizes)
	m.sizes()
	last := answerer
	if c.options.Crowd > 0 && p.Size() > crowdOf {
		p.Step(StepCrowd)
		m.crowd()
		last = p.Size() - 1
	}
	p.Step(StepDone)
	for rank := answerer; rank <= last; rank++ {
		p.Send(rank, mailbox.Message{Kind: done})
	}
}

// ping sends a payload and waits for the answer. It returns how long its send took, and all of it.
func (m *measurer) ping(payload string) (send, trip clock.Time) {
	begin := m.p.Now()
	m.p.Send(answerer, mailbox.Message{Kind: ping, Payload: payload})
	sent := m.p.Now()
	m.p.Recv(pongs)
	return sent - begin, m.p.Now() - begin
}

var pongs = mailbox.From(answerer).OfKind(pong)

// burst sends messages back to back. It may follow another one at once: a port that is still busy
// puts off the first message, and with it all that come after.
func (m *measurer) burst(messages int) {
	message := mailbox.Message{Kind: burst, A: int64(messages)}
	m.p.Send(answerer, message)
	first := m.p.Now()
	for range messages - 1 {
		m.p.Send(answerer, message)
	}
	sent := m.p.Now() - first
	_, span := m.p.Recv(mailbox.From(answerer).OfKind(span))
	m.samples.Bursts = append(m.samples.Bursts, BurstSample{messages, sent, clock.Time(span.A)})
}

// round is one round trip. The next one begins when a machine whose gap is longer than a round trip
// is ready for it; others need not wait, and stay warm.
func (m *measurer) round() {
	m.p.WaitUntil(m.p.Now() + m.options.Pause)
	begin := m.p.Now()
	send, trip := m.ping("")
	m.samples.Sends = append(m.samples.Sends, send)
	m.samples.RoundTrips = append(m.samples.RoundTrips, trip)
	m.p.WaitUntil(begin + m.rest)
}

// sizes measures round trips with payloads. It goes through all sizes again and again, so that
// what changes with time does not look like a matter of size.
func (m *measurer) sizes() {
	sizes := m.options.Sizes
	for _, size := range sizes {
		m.samples.Sizes = append(m.samples.Sizes, SizeSample{Bytes: size})
	}
	payload := strings.Repeat("x", sizes[len(sizes)-1])
	for range m.options.Trips {
		for i, size := range sizes {
			_, trip := m.ping(payload[:size])
			m.samples.Sizes[i].Trips = append(m.samples.Sizes[i].Trips, trip)
			m.p.WaitUntil(m.p.Now() + m.rest) // what its bytes took has passed on the way
		}
	}
}
