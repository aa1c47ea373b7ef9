package calibration

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// looks is after how many looks at its clock a rank should see that it moves.
const looks = 64

// paceOf is how many looks at its clock a rank takes in a tick; 0 if they take no time, as on the
// emulator.
func paceOf(p protocols.Proc) float64 {
	begin := p.Now()
	for range looks - 1 { // and one more below
		p.Now()
	}
	took := p.Now() - begin
	if took == 0 {
		return 0
	}
	return looks / float64(took)
}

// compute keeps the rank busy for a given amount of work, which takes about so long if nothing
// comes between. A rank that waited until an instant would not notice what is taken from it, and one
// that slept would have nothing to lose. Where the clock stands still while a rank computes,
// computing is waiting.
func (m *measurer) compute(about clock.Time) {
	if m.pace == 0 {
		m.p.WaitUntil(m.p.Now() + about)
		return
	}
	for range int64(float64(about) * m.pace) {
		m.p.Now()
	}
}

// growth is how many delays there are, each twice as long as the one before.
const growth = 3

// delays measures what a message takes from a rank that computes while it comes. The shortest delay
// is longer than a round trip; if a message is late nevertheless, the next ones have longer.
func (m *measurer) delays() {
	shortest := slices.Min(m.samples.RoundTrips) + 1
	patience := shortest
	for i := range m.options.Rounds {
		if m.delay(patience<<(i%growth), i/growth%2 == 0) {
			patience = max(patience/2, shortest)
		} else {
			patience *= 2
		}
	}
}

// delay measures one, and the same computation without a message, before or after. It returns
// whether the message was there in time.
func (m *measurer) delay(about clock.Time, idleFirst bool) (there bool) {
	var sample DelaySample
	idle := func() {
		begin := m.p.Now()
		m.compute(about)
		sample.Idle = m.p.Now() - begin
	}
	if idleFirst {
		idle()
	}
	begin := m.p.Now()
	m.p.Send(answerer, mailbox.Message{Kind: ping})
	sent := m.p.Now()
	m.compute(about)
	if _, _, there = m.p.Poll(pongs); there {
		sample.Send, sample.Busy = sent-begin, m.p.Now()-sent
	} else {
		m.p.Recv(pongs)
		m.samples.Late++
	}
	m.p.WaitUntil(begin + m.rest)
	if !idleFirst {
		idle()
	}
	if there {
		m.samples.Delays = append(m.samples.Delays, sample)
	}
	return there
}
