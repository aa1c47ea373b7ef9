package traceevent

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// message is all that events say about a message.
type message struct {
	from, to int32
	epoch    uint32
	kind     mailbox.Kind
	a        int64
}

// messageTo is the message of an event at its sender.
func messageTo(e *report.Event) message {
	return message{int32(e.Rank), int32(e.Peer), e.Epoch, e.Msg, e.A}
}

// messageFrom is the message of an event at its receiver.
func messageFrom(e *report.Event) message {
	return message{int32(e.Peer), int32(e.Rank), e.Epoch, e.Msg, e.A}
}

// flights are the messages under way. A message is in it if and only if one at least of its like is.
type flights map[message]queue

// queue is messages that cannot be told apart, in the order in which they were sent. Most are alone, and need
// no list.
type queue struct {
	first Flight
	later []Flight
}

// add puts a message under way.
func (f flights) add(m message, x Flight) {
	q, others := f[m]
	if others {
		q.later = append(q.later, x)
	} else {
		q.first = x
	}
	f[m] = q
}

// first takes out the message that was sent first; the zero Flight if none is under way.
func (f flights) first(m message) Flight {
	q := f[m]
	if len(q.later) == 0 {
		delete(f, m)
	} else {
		f[m] = queue{q.later[0], q.later[1:]}
	}
	return q.first
}

// last takes out the message that was sent last; the zero Flight if none is under way.
func (f flights) last(m message) Flight {
	q := f[m]
	end := len(q.later) - 1
	if end < 0 {
		delete(f, m)
		return q.first
	}
	f[m] = queue{q.first, q.later[:end]}
	return q.later[end]
}
