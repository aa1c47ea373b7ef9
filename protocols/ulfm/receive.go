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

// Irecv begins a receive from a member, or from AnySource; Wait completes it.
func (c *Comm) Irecv(from int, tag int64) *Request {
	c.begin("Irecv")
	return c.receive(new(Request), "Irecv", data, from, tag)
}

// Post is Irecv.
//
// Deprecated: MPI calls it Irecv.
func (c *Comm) Post(from int, tag int64) *Request { return c.Irecv(from, tag) }

// Recv receives a message from a member, or from AnySource. From AnySource it fails with
// ErrProcFailed while there are failures that are not acknowledged. If it fails nothing is
// pending: a message that comes later is there for the next receive.
func (c *Comm) Recv(from int, tag int64) (Received, error) {
	c.begin("Recv")
	return c.receive(&c.r.blocking, "Recv", data, from, tag).waitBlocking()
}

// RecvPart is a receive that is part of a collective operation: it fails as soon as any member is
// known here to have failed.
func (c *Comm) RecvPart(from int, tag int64) (Received, error) {
	c.begin("RecvPart")
	return c.receive(&c.r.blocking, "RecvPart", part, from, tag).waitBlocking()
}

// receive begins a receive. It is part of a call.
func (c *Comm) receive(r *Request, call string, kind mailbox.Kind, from int, tag int64) *Request {
	c.checkPeer(call, from, true)
	checkTag(call, tag, true)
	*r = Request{}
	r.c, r.call, r.kind, r.from, r.source, r.tag = c, call, kind, from, c.source(from), tag // not all at once, which would take the stack a copy
	if from == None {
		r.matched, r.got = r.failure() == nil, Received{From: None}
	} else if i := c.arrived.find(r); i >= 0 {
		message := c.arrived.take(i)
		r.matched, r.got = true, c.received(message)
		c.answer(message)
	} else {
		c.posted = append(c.posted, r)
	}
	return r
}

// waitBlocking is Wait for calls that are over when they return.
func (r *Request) waitBlocking() (Received, error) {
	for {
		done, err := r.outcome()
		if err == ErrProcFailedPending {
			err = r.c.failedError(int(r.c.acked))
		}
		if done || err != nil {
			return r.finish(err)
		}
		r.c.r.wait(doing{call: r.call, c: r.c, peer: int32(r.from)})
	}
}

// Probe waits until there is a message to receive from a member, or from AnySource, and leaves
// it there.
func (c *Comm) Probe(from int, tag int64) (Received, error) {
	c.begin("Probe")
	for {
		got, there, err := c.probe("Probe", from, tag)
		if there || err != nil {
			return got, c.raise(err)
		}
		c.r.wait(doing{call: "Probe", c: c, peer: int32(from)})
	}
}

// Iprobe is like Probe, but does not wait: there is false if no message is there.
func (c *Comm) Iprobe(from int, tag int64) (got Received, there bool, err error) {
	c.begin("Iprobe")
	got, there, err = c.probe("Iprobe", from, tag)
	if !there && err == nil {
		c.r.pause()
	}
	return got, there, c.raise(err)
}

func (c *Comm) probe(call string, from int, tag int64) (got Received, there bool, err error) {
	c.checkPeer(call, from, true)
	checkTag(call, tag, true)
	r := Request{c: c, kind: data, from: from, source: c.source(from), tag: tag}
	if i := c.arrived.find(&r); i >= 0 {
		return c.received(c.arrived.waiting()[i]), true, nil
	}
	switch err := r.failure(); {
	case err == ErrProcFailedPending:
		return Received{}, false, c.failedError(int(c.acked))
	case err != nil:
		return Received{}, false, err
	}
	return Received{From: None}, from == None, nil
}

// failure says why the receive fails, by the rules of the package; nil if it is to be waited for.
// Whoever could change that is watched then.
func (r *Request) failure() error {
	c := r.c
	switch {
	case c.revoked:
		return ErrRevoked
	case ofAll(r.kind) && c.r.excluded:
		return ErrExcluded
	case ofAll(r.kind):
		if c.knownFailed() > 0 {
			return c.failedError(0)
		}
		c.r.watchAll()
		return nil
	case r.from == None || r.from == c.me:
		return nil
	case r.from == AnySource:
		if c.unacknowledged() {
			return ErrProcFailedPending
		}
		c.r.watchAll()
		return nil
	case !c.alive(r.from):
		return failedError(listed([]int{r.from}))
	}
	c.r.watch(c.group.machineRank(r.from))
	return nil
}

// deliver hands a message to the first receive that it matches, or keeps it. On a revoked
// communicator nothing is received any more.
func (c *Comm) deliver(e envelope) {
	if c.revoked || c.freed {
		return
	}
	for i, r := range c.posted {
		if r.matches(&e) {
			c.posted = slices.Delete(c.posted, i, i+1)
			r.matched, r.got = true, c.received(e)
			c.answer(e)
			return
		}
	}
	c.arrived.put(e)
}

func (r *Request) matches(e *envelope) bool {
	switch {
	case e.m.Kind != r.kind && !(e.m.Kind == synchronous && r.kind == data), r.tag != AnyTag && e.m.A != r.tag, r.from == None:
		return false
	case r.from == AnySource:
		return true
	}
	return e.from == int(r.source)
}

// source is the rank of the machine that a receive is from, or what stands for no one.
func (c *Comm) source(from int) int32 {
	if from < 0 {
		return int32(from)
	}
	return int32(c.group.machineRank(from))
}

// received is a message as the program sees it.
func (c *Comm) received(e envelope) Received {
	from, _ := c.group.member(e.from)
	got := Received{From: from - int(c.remote), Tag: e.m.A, Payload: e.m.Payload}
	switch e.m.Kind {
	case synchronous:
		_, got.Payload = numbered(got.Payload)
	case taken: // a send has received nothing
		return Received{}
	}
	return got
}
