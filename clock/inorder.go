package clock

// InOrder keeps messages of one sender in the order in which they were sent, on each of its links: one that follows a
// late message on its link arrives no earlier than that. It remembers only what may still be overtaken.
type InOrder struct{ late []arrival }

type arrival struct {
	to int
	at Time
}

// Arrive returns when a message arrives at a rank that would do so at some instant, if those before it have not been
// late. No message that the sender still has to send arrives before earliest.
func (o *InOrder) Arrive(to int, at, earliest Time) Time {
	kept := o.late[:0]
	for _, a := range o.late {
		switch {
		case a.to == to:
			at = max(at, a.at)
		case a.at > earliest:
			kept = append(kept, a)
		}
	}
	if at > earliest {
		kept = append(kept, arrival{to, at})
	}
	o.late = kept
	return at
}
