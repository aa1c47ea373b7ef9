package ulfm

import (
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// Received is a message as its receiver sees it.
type Received struct {
	From    int
	Tag     int64
	Payload string
}

// Request is a receive that was posted. Messages match receives in the order in which these were
// posted.
type Request struct {
	c    *Comm
	kind mailbox.Kind
	from int
	tag  int64

	done    bool
	got     Received
	givenUp bool
}

// Post begins a receive from a member, or from AnySource; Wait completes it.
func (c *Comm) Post(from int, tag int64) *Request { return c.postReceive(data, from, tag) }

// Recv receives a message from a member, or from AnySource. If that fails nothing is pending: a
// message that comes later is there for the next receive.
func (c *Comm) Recv(from int, tag int64) (Received, error) {
	return c.Post(from, tag).waitOrCancel()
}

// RecvPart is a receive that is part of a collective operation: it fails as soon as any member is
// known here to have failed.
func (c *Comm) RecvPart(from int, tag int64) (Received, error) {
	return c.postReceive(part, from, tag).waitOrCancel()
}

// Probe waits until there is a message to receive from a member, or from AnySource, and leaves
// it there.
func (c *Comm) Probe(from int, tag int64) (Received, error) {
	r := Request{c: c, kind: data, from: from, tag: tag}
	c.checkPeer("Probe", from, true)
	checkTag("Probe", tag, true)
	for c.r.catchUp(); ; c.r.wait(doing{"Probe", c, from}) {
		if i := slices.IndexFunc(c.arrived, r.matches); i >= 0 {
			return c.received(c.arrived[i]), nil
		}
		if err := r.failure(); err == ErrProcFailedPending {
			return Received{}, failedError(c.failed[c.acked:])
		} else if err != nil {
			return Received{}, err
		}
		if from == None {
			return Received{From: None}, nil
		}
	}
}

func (c *Comm) postReceive(kind mailbox.Kind, from int, tag int64) *Request {
	c.checkPeer("Recv", from, true)
	checkTag("Recv", tag, true)
	r := &Request{c: c, kind: kind, from: from, tag: tag}
	c.r.catchUp()
	if from == None {
		r.done, r.got = r.failure() == nil, Received{From: None}
	} else if i := slices.IndexFunc(c.arrived, r.matches); i >= 0 {
		r.done, r.got = true, c.received(c.arrived[i])
		c.arrived = slices.Delete(c.arrived, i, i+1)
	} else {
		c.posted = append(c.posted, r)
	}
	return r
}

// Wait returns the message once it is there. ErrProcFailedPending leaves the request as it was: it
// can be waited for again, best after FailureAck. After any other error it is over.
func (r *Request) Wait() (Received, error) {
	c := r.c
	if r.givenUp {
		panic("ulfm: Wait for a receive that was given up")
	}
	for c.r.catchUp(); !r.done; c.r.wait(doing{"Recv", c, r.from}) {
		if err := r.failure(); err != nil {
			if err != ErrProcFailedPending {
				r.Cancel()
			}
			return Received{}, err
		}
	}
	return r.got, nil
}

func (r *Request) waitOrCancel() (Received, error) {
	got, err := r.Wait()
	if err != nil {
		r.Cancel()
	}
	return got, err
}

// Cancel gives the receive up. A message that has matched already is lost.
func (r *Request) Cancel() {
	r.givenUp = true
	r.c.posted = slices.DeleteFunc(r.c.posted, func(other *Request) bool { return other == r })
}

// failure says why the receive fails, by the rules of the package; nil if it is to be waited for.
// Whoever could change that is watched then.
func (r *Request) failure() error {
	c := r.c
	switch {
	case c.revoked:
		return ErrRevoked
	case r.kind == part && len(c.knownFailed()) > 0:
		return failedError(c.failed)
	case r.from == None || r.from == c.me:
		return nil
	case r.from == AnySource:
		c.r.ask()
		if c.unacknowledged() {
			return ErrProcFailedPending
		}
		c.r.watchAll()
		return nil
	case !c.alive(r.from):
		return failedError([]int{r.from})
	}
	c.r.watch(c.group.machineRank(r.from))
	return nil
}

// deliver hands a message to the first receive that it matches, or keeps it. On a revoked
// communicator nothing is received any more.
func (c *Comm) deliver(e envelope) {
	if c.revoked {
		return
	}
	i := slices.IndexFunc(c.posted, func(r *Request) bool { return r.matches(e) })
	if i < 0 {
		c.arrived = append(c.arrived, e)
		return
	}
	r := c.posted[i]
	c.posted = slices.Delete(c.posted, i, i+1)
	r.done, r.got = true, c.received(e)
}

func (r *Request) matches(e envelope) bool {
	switch {
	case e.m.Kind != r.kind, r.tag != AnyTag && e.m.A != r.tag, r.from == None:
		return false
	case r.from == AnySource:
		return true
	}
	return e.from == r.c.group.machineRank(r.from)
}

// received is a message as the program sees it.
func (c *Comm) received(e envelope) Received {
	from, _ := c.group.member(e.from)
	return Received{From: from, Tag: e.m.A, Payload: e.m.Payload}
}
