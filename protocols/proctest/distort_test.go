package proctest_test

import (
	"math/rand/v2"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// distortion is called for each run and returns what comes between machine and program.
type distortion func(seed uint64) func(p protocols.Proc) protocols.Proc

// distorted is a Proc some of whose calls do something else. Plain runs one rank at a
// time, so they may share what they like.
type distorted struct {
	protocols.Proc
	rank      func() int
	size      func() int
	now       func() clock.Time
	send      func(to int, m mailbox.Message)
	recv      func(want mailbox.Want) (int, mailbox.Message)
	recvUntil func(want mailbox.Want, t clock.Time) (int, mailbox.Message, bool)
	poll      func(want mailbox.Want) (int, mailbox.Message, bool)
	waitUntil func(t clock.Time)
	rand      func() *rand.Rand
	step      func(name string)
	linger    func(want mailbox.Want) (int, mailbox.Message)
	finished  func()
}

func (d *distorted) Rank() int                                           { return d.rank() }
func (d *distorted) Size() int                                           { return d.size() }
func (d *distorted) Now() clock.Time                                     { return d.now() }
func (d *distorted) Send(to int, m mailbox.Message)                      { d.send(to, m) }
func (d *distorted) Recv(want mailbox.Want) (int, mailbox.Message)       { return d.recv(want) }
func (d *distorted) Poll(want mailbox.Want) (int, mailbox.Message, bool) { return d.poll(want) }
func (d *distorted) WaitUntil(t clock.Time)                              { d.waitUntil(t) }
func (d *distorted) Rand() *rand.Rand                                    { return d.rand() }
func (d *distorted) Step(name string)                                    { d.step(name) }
func (d *distorted) Linger(want mailbox.Want) (int, mailbox.Message)     { return d.linger(want) }
func (d *distorted) RecvUntil(want mailbox.Want, t clock.Time) (int, mailbox.Message, bool) {
	return d.recvUntil(want, t)
}

// faithful distorts nothing yet.
func faithful(p protocols.Proc) *distorted {
	return &distorted{
		Proc: p, rank: p.Rank, size: p.Size, now: p.Now, send: p.Send, recv: p.Recv,
		recvUntil: p.RecvUntil, poll: p.Poll, waitUntil: p.WaitUntil, rand: p.Rand, step: p.Step,
		linger: p.Linger,
	}
}

// distort is for distortions of one rank that do not depend on the seed.
func distort(change func(d *distorted, p protocols.Proc)) distortion {
	return seeded(func(d *distorted, p protocols.Proc, _ uint64) { change(d, p) })
}

// seeded is for distortions of one rank.
func seeded(change func(d *distorted, p protocols.Proc, seed uint64)) distortion {
	return func(seed uint64) func(protocols.Proc) protocols.Proc {
		return func(p protocols.Proc) protocols.Proc {
			d := faithful(p)
			change(d, p, seed)
			return d
		}
	}
}

// rewant distorts what receives accept.
func rewant(change func(mailbox.Want) mailbox.Want) distortion {
	return distort(func(d *distorted, p protocols.Proc) {
		d.recv = func(want mailbox.Want) (int, mailbox.Message) { return p.Recv(change(want)) }
		d.poll = func(want mailbox.Want) (int, mailbox.Message, bool) { return p.Poll(change(want)) }
		d.recvUntil = func(want mailbox.Want, t clock.Time) (int, mailbox.Message, bool) {
			return p.RecvUntil(change(want), t)
		}
	})
}

// instead returns a change that mixes up two wants.
func instead(of, other mailbox.Want) func(mailbox.Want) mailbox.Want {
	return func(want mailbox.Want) mailbox.Want {
		if want == of {
			return other
		}
		return want
	}
}

// remail distorts messages as they are sent.
func remail(change func(m mailbox.Message) mailbox.Message) distortion {
	return distort(func(d *distorted, p protocols.Proc) {
		d.send = func(to int, m mailbox.Message) { p.Send(to, change(m)) }
	})
}

// until distorts RecvUntil.
func until(change func(p protocols.Proc, want mailbox.Want, t clock.Time) (int, mailbox.Message, bool)) distortion {
	return distort(func(d *distorted, p protocols.Proc) {
		d.recvUntil = func(want mailbox.Want, t clock.Time) (int, mailbox.Message, bool) { return change(p, want, t) }
	})
}

// waiting distorts WaitUntil.
func waiting(change func(p protocols.Proc, t clock.Time)) distortion {
	return distort(func(d *distorted, p protocols.Proc) {
		d.waitUntil = func(t clock.Time) { change(p, t) }
	})
}

// lingering distorts Linger.
func lingering(change func(p protocols.Proc, want mailbox.Want) (int, mailbox.Message)) distortion {
	return distort(func(d *distorted, p protocols.Proc) {
		d.linger = func(want mailbox.Want) (int, mailbox.Message) { return change(p, want) }
	})
}

func waitTooShort(p protocols.Proc, t clock.Time) { p.WaitUntil(t - 1) }

// drawing gives each rank another random stream.
func drawing(stream func(p protocols.Proc, seed uint64) *rand.Rand) distortion {
	return seeded(func(d *distorted, p protocols.Proc, seed uint64) {
		random := stream(p, seed)
		d.rand = func() *rand.Rand { return random }
	})
}
