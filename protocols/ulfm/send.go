package ulfm

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// Peers that are not members.
const (
	AnySource = -1 // for receives: whoever sends
	None      = -2 // nobody: a send is dropped and a receive is complete at once, with nothing
)

// AnyTag accepts messages of every tag.
const AnyTag int64 = -1

// Send sends a message to a member. It does not wait for the receiver, and says nothing about
// it: that the member has failed may become known later. Tags are 0 or more.
func (c *Comm) Send(to int, tag int64, payload string) error {
	c.begin("Send")
	return c.raise(c.send("Send", data, to, tag, payload))
}

// SendPart is a send that is part of a collective operation: it fails if any member is known to
// have failed. It is received by RecvPart only.
func (c *Comm) SendPart(to int, tag int64, payload string) error {
	c.begin("SendPart")
	return c.raise(c.send("SendPart", part, to, tag, payload))
}

// Isend begins a send. Nothing waits for a receiver here, so it is complete at once; should it
// fail, that is what Wait says.
func (c *Comm) Isend(to int, tag int64, payload string) *Request {
	c.begin("Isend")
	err := c.send("Isend", data, to, tag, payload)
	return &Request{c: c, call: "Isend", from: to, tag: tag, matched: err == nil, err: err}
}

// Sendrecv sends a message to a member and receives one, from the same or another. Neither waits
// for the other.
func (c *Comm) Sendrecv(to int, tag int64, payload string, from int, fromTag int64) (Received, error) {
	c.begin("Sendrecv")
	receive := c.receive(new(Request), "Sendrecv", data, from, fromTag)
	if err := c.send("Sendrecv", data, to, tag, payload); err != nil {
		receive.Cancel()
		return Received{}, c.raise(err)
	}
	return receive.waitBlocking()
}

// send sends, if nothing speaks against it that is known by now. It is part of a call.
func (c *Comm) send(call string, kind mailbox.Kind, to int, tag int64, payload string) error {
	c.checkPeer(call, to, false)
	checkTag(call, tag, false)
	switch {
	case c.revoked:
		return ErrRevoked
	case ofAll(kind) && c.knownFailed() > 0:
		return c.failedError(0)
	case to == None:
		return nil
	}
	message := mailbox.Message{Kind: kind, Epoch: uint32(c.id), A: tag, Payload: payload}
	switch {
	case to == c.me:
		c.deliver(envelope{c.r.Rank(), message}) // its own memory, at no cost
	case !c.alive(to):
		return failedError(listed([]int{to}))
	default:
		c.post(to, message)
	}
	return nil
}

// checkPeer panics on peers that do not exist: a mistake in the program.
func (c *Comm) checkPeer(call string, peer int, any bool) {
	if peer == None || peer == AnySource && any {
		return
	}
	c.check(call, peer)
}

// checkTag panics on tags that no message has: a mistake in the program.
func checkTag(call string, tag int64, any bool) {
	if tag < 0 && !(any && tag == AnyTag) {
		panic(fmt.Sprintf("ulfm: %s of tag %d, want 0 or more", call, tag))
	}
}
