package calibration

import "github.com/mangrove-emu/mangrove/mailbox"

// crowdOf is how many ranks are no crowd yet.
const crowdOf = 3

// crowd asks all others at once, again and again, and notes how long it takes until all have
// answered. Before each time there is a pause, as before a round trip.
func (m *measurer) crowd() {
	m.samples.Others = m.p.Size() - 1
	for range m.options.Crowd {
		m.p.WaitUntil(m.p.Now() + max(m.rest, m.options.Pause))
		begin := m.p.Now()
		for rank := answerer; rank < m.p.Size(); rank++ {
			m.p.Send(rank, mailbox.Message{Kind: ping})
		}
		for range m.samples.Others {
			m.p.Recv(mailbox.OfKind(pong))
		}
		m.samples.Crowd = append(m.samples.Crowd, m.p.Now()-begin)
	}
}
