package clock

// Costs is what one rank's ports charge for a message, in ticks. Ranks of one machine
// share the same Costs until a slow-down fault multiplies them.
type Costs struct {
	Overhead  Time // the program is busy this long in a send, a message this long in a receive
	Spacing   Time // the send port is busy this long with a one-byte message, max(o,g)
	PerByte   Time // and this much longer for each further byte
	Receiving Time // the receive port is busy this long, as long as the send port or not at all
}

// Times returns the costs of a rank slowed down by the factor.
func (c Costs) Times(factor int) Costs {
	f := Time(factor)
	return Costs{Overhead: c.Overhead * f, Spacing: c.Spacing * f, PerByte: c.PerByte * f, Receiving: c.Receiving * f}
}

// Longer returns the costs of an operation that takes so much longer because the rank has not got its processor.
func (c Costs) Longer(by Time) Costs {
	c.Overhead += by
	c.Spacing = max(c.Spacing, c.Overhead)
	if c.Receiving > 0 {
		c.Receiving = max(c.Receiving, c.Overhead)
	}
	return c
}

// Stretch is the time that the bytes after the first add to a message, [Forever] at most.
func (c Costs) Stretch(bytes int) Time {
	if bytes <= 1 {
		return 0
	}
	return c.PerByte.Times(bytes - 1)
}

// SendPort serves one send at a time. The zero SendPort is free.
type SendPort struct{ free Time }

// Start is the earliest instant at or after now at which a send can start.
func (p *SendPort) Start(now Time) Time { return max(now, p.free) }

// Send occupies the port for a message of that many bytes whose send starts at start,
// and returns when the program goes on and when the message leaves the port for the
// network. Start must not be before p.Start.
func (p *SendPort) Send(start Time, bytes int, c *Costs) (resumed, left Time) {
	stretch := c.Stretch(bytes)
	p.free = start + c.Spacing + stretch
	return start + c.Overhead, start + c.Overhead + stretch
}

// RecvPort serves one receive at a time, in the order of calls, unless receiving keeps it free.
// The zero RecvPort is free.
type RecvPort struct{ free Time }

// Start is the instant at which the receive of a message that arrives then would start.
func (p *RecvPort) Start(arrival Time) Time { return max(arrival, p.free) }

// Receive occupies the port for a message whose receive starts at start and returns
// the instant at which the message is in the mailbox. Start must not be before p.Start.
func (p *RecvPort) Receive(start Time, c *Costs) Time {
	p.free = start + c.Receiving
	return start + c.Overhead
}

// ReleaseAt makes the port free at the given instant, forgetting receives that a
// changed cost has to be charged for again.
func (p *RecvPort) ReleaseAt(t Time) { p.free = t }
