package calibration

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// crowd lets all pairs make round trips at the same time, and gathers what they took.
func (m *measurer) crowd(pairs int) {
	m.samples.Pairs = pairs
	for rank := answerer + 1; rank < 2*pairs; rank++ {
		m.p.Send(rank, mailbox.Message{Kind: Crowd})
	}
	m.samples.Crowd = append(m.samples.Crowd, m.usualTrip(m.p, answerer))
	for range pairs - 1 {
		_, span := m.p.Recv(mailbox.OfKind(Span))
		m.samples.Crowd = append(m.samples.Crowd, clock.Time(span.A))
	}
}

// crowd is the part of all ranks but 0 and 1. One that has no partner has none.
func (c *Calibration) crowd(p protocols.Proc) {
	partner := p.Rank() ^ 1
	if c.options.Crowd == 0 || partner >= p.Size() {
		return
	}
	p.Recv(mailbox.From(asker).OfKind(Crowd))
	if p.Rank() < partner {
		p.Send(asker, mailbox.Message{Kind: Span, A: int64(c.usualTrip(p, partner))})
		return
	}
	for range c.options.Crowd {
		p.Recv(mailbox.From(partner).OfKind(Ping))
		p.Send(partner, mailbox.Message{Kind: Pong})
	}
}

// usualTrip makes round trips with a partner and returns their median. At first and at last not all
// others do the same; in the middle they do.
func (c *Calibration) usualTrip(p protocols.Proc, partner int) clock.Time {
	var trips []clock.Time
	for range c.options.Crowd {
		begin := p.Now()
		p.Send(partner, mailbox.Message{Kind: Ping})
		p.Recv(mailbox.From(partner).OfKind(Pong))
		trips = append(trips, p.Now()-begin)
	}
	return clock.Time(median(ticks(trips)))
}
