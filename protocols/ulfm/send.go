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
	return c.send(data, to, tag, payload)
}

// SendPart is a send that is part of a collective operation: it fails if any member is known to
// have failed. It is received by RecvPart only.
func (c *Comm) SendPart(to int, tag int64, payload string) error {
	return c.send(part, to, tag, payload)
}

func (c *Comm) send(kind mailbox.Kind, to int, tag int64, payload string) error {
	c.checkPeer("Send", to, false)
	checkTag("Send", tag, false)
	c.r.catchUp()
	switch {
	case c.revoked:
		return ErrRevoked
	case kind == part && len(c.knownFailed()) > 0:
		return failedError(c.failed)
	case to == None:
		return nil
	}
	message := mailbox.Message{Kind: kind, Epoch: c.number, A: tag, Payload: payload}
	switch {
	case to == c.me:
		c.deliver(envelope{c.r.Rank(), message}) // its own memory, at no cost
	case !c.alive(to):
		return failedError([]int{to})
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
