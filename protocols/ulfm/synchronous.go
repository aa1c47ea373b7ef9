package ulfm

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// Ssend sends a message to a member and waits until a receive has matched it. It fails if the member fails before
// that is known here.
func (c *Comm) Ssend(to int, tag int64, payload string) error {
	c.begin("Ssend")
	_, err := c.sendSynchronously(&c.r.blocking, "Ssend", to, tag, payload).waitBlocking()
	return err
}

// Issend begins an [Comm.Ssend]. It is complete when a receive has matched the message.
func (c *Comm) Issend(to int, tag int64, payload string) *Request {
	c.begin("Issend")
	return c.sendSynchronously(new(Request), "Issend", to, tag, payload)
}

// sendSynchronously sends a message and begins to wait for the answer, which is a message, too: it takes time, and the receiver
// gives it when it is in a call.
func (c *Comm) sendSynchronously(r *Request, call string, to int, tag int64, payload string) *Request {
	own := c.r.more()
	own.synchronous++
	number := int64(own.synchronous)
	if to == None {
		err := c.send(call, data, to, tag, payload)
		*r = Request{c: c, call: call, from: to, tag: tag, matched: err == nil, err: err}
		return r
	}
	c.checkPeer(call, to, false)
	// The answer to a message to oneself may be there before the send has returned, so it is expected before.
	c.receive(r, call, taken, to, number)
	if err := c.send(call, synchronous, to, tag, string(varint.Append(nil, int(number)))+payload); err != nil {
		r.Cancel()
		*r = Request{c: c, call: call, from: to, tag: tag, err: err}
	}
	return r
}

// numbered takes the number off the payload of a synchronous message.
func numbered(payload string) (number int64, rest string) {
	r := varint.Reader{Rest: payload}
	return int64(r.Number()), r.Rest
}

// answer tells who has sent a message that it was matched, if it waits for that.
func (c *Comm) answer(e envelope) {
	if e.m.Kind != synchronous {
		return
	}
	number, _ := numbered(e.m.Payload)
	m := mailbox.Message{Kind: taken, Epoch: uint32(c.id), A: number}
	if e.from == c.r.Rank() {
		c.deliver(envelope{e.from, m})
		return
	}
	c.r.Send(e.from, m)
}
