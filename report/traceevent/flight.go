package traceevent

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
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

// leaves is when a message would have left its sender if the network took as long for it as for others.
func (x Flight) leaves() clock.Time { return x.Resumed + x.Late }

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

// next takes out the message that arrives first; the zero Flight if none is under way. Those that look the same arrive in the order
// in which they were sent, but for those that are there once more, which may be overtaken.
func (f flights) next(m message) Flight {
	q := f[m]
	if len(q.later) == 0 {
		delete(f, m)
		return q.first
	}
	if i := q.beforeFirst(); i >= 0 {
		x := q.later[i]
		f[m] = queue{q.first, slices.Delete(q.later, i, i+1)}
		return x
	}
	f[m] = queue{q.later[0], q.later[1:]}
	return q.first
}

// beforeFirst is which of the later messages arrives before the first one; -1 if none does.
func (q *queue) beforeFirst() (found int) {
	found = -1
	soonest, overtaken := q.first.leaves(), q.first.Of != 0
	for i, x := range q.later {
		if at := x.leaves(); at < soonest && (x.Of != 0 || overtaken) {
			found, soonest = i, at
		}
		if x.Of == 0 {
			overtaken = false // all others that were sent follow this one
		}
	}
	return found
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

// sent is the message that was sent last, and not what is there once more.
func (f flights) sent(m message) Flight {
	q := f[m]
	for _, x := range slices.Backward(q.later) {
		if x.Of == 0 {
			return x
		}
	}
	return q.first
}
