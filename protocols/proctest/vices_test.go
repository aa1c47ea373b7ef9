package proctest_test

import (
	"math/rand/v2"
	"unsafe"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// newestFirst takes everything out of the mailbox and returns what came last.
func newestFirst(d *distorted, p protocols.Proc) {
	type entry struct {
		from int
		m    mailbox.Message
	}
	var stack []entry
	d.recv = func(mailbox.Want) (int, mailbox.Message) {
		p.WaitUntil(p.Now() + 3) // time for several to come
		for from, m, ok := p.Poll(mailbox.Any); ok; from, m, ok = p.Poll(mailbox.Any) {
			stack = append(stack, entry{from, m})
		}
		if len(stack) == 0 {
			return p.Recv(mailbox.Any)
		}
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return top.from, top.m
	}
}

// twice returns the last message again once somebody looks for more.
func twice(d *distorted, p protocols.Proc) {
	received := 0
	var from int
	var m mailbox.Message
	d.recv = func(want mailbox.Want) (int, mailbox.Message) {
		received++
		from, m = p.Recv(want)
		return from, m
	}
	d.recvUntil = func(want mailbox.Want, t clock.Time) (int, mailbox.Message, bool) {
		if received > 0 {
			received = 0
			return from, m, true
		}
		return p.RecvUntil(want, t)
	}
}

// lossy loses every tenth message.
func lossy(d *distorted, p protocols.Proc) {
	sent := 0
	d.send = func(to int, m mailbox.Message) {
		if sent++; sent%10 == 0 {
			p.WaitUntil(p.Now() + 1)
			return
		}
		p.Send(to, m)
	}
}

// shortSighted does not see in its first Poll what came while it waited.
func shortSighted(d *distorted, p protocols.Proc) {
	waited := false
	d.waitUntil = func(t clock.Time) {
		p.WaitUntil(t)
		waited = true
	}
	d.poll = func(want mailbox.Want) (int, mailbox.Message, bool) {
		if waited {
			waited = false
			return 0, mailbox.Message{}, false
		}
		return p.Poll(want)
	}
}

// farSighted sees the last message again when there is none.
func farSighted(d *distorted, p protocols.Proc) {
	var from int
	var m mailbox.Message
	d.poll = func(want mailbox.Want) (int, mailbox.Message, bool) {
		if sender, next, ok := p.Poll(want); ok {
			from, m = sender, next
		}
		return from, m, true
	}
}

// impatient throws away what it does not want.
func impatient(d *distorted, p protocols.Proc) {
	d.recv = func(want mailbox.Want) (int, mailbox.Message) {
		for {
			if from, m := p.Recv(mailbox.Any); want.Accepts(from, m.Kind, m.Epoch) {
				return from, m
			}
		}
	}
}

// oneBuffer returns payloads that lie in one and the same buffer.
func oneBuffer(d *distorted, p protocols.Proc) {
	buffer := make([]byte, 1<<21)
	d.recv = func(want mailbox.Want) (int, mailbox.Message) {
		from, m := p.Recv(want)
		if n := copy(buffer, m.Payload); n > 0 {
			m.Payload = unsafe.String(&buffer[0], n)
		}
		return from, m
	}
}

// leaky gives messages without payload the last payload that came.
func leaky(d *distorted, p protocols.Proc) {
	last := ""
	d.recv = func(want mailbox.Want) (int, mailbox.Message) {
		from, m := p.Recv(want)
		if m.Payload == "" {
			m.Payload = last
		}
		last = m.Payload
		return from, m
	}
}

// oneStream has all ranks of a run draw from the same stream.
func oneStream(seed uint64) func(protocols.Proc) protocols.Proc {
	random := rand.New(rand.NewPCG(seed, 0))
	return func(p protocols.Proc) protocols.Proc {
		d := faithful(p)
		d.rand = func() *rand.Rand { return random }
		return d
	}
}

// touchy panics when somebody sends to a rank that has finished.
func touchy(uint64) func(protocols.Proc) protocols.Proc {
	gone := make(map[int]bool)
	return func(p protocols.Proc) protocols.Proc {
		d := faithful(p)
		d.finished = func() { gone[p.Rank()] = true }
		d.send = func(to int, m mailbox.Message) {
			p.Send(to, m)
			if gone[to] {
				panic("the connection is closed")
			}
		}
		return d
	}
}

// forgetful returns a distortion that hands the mail a rank left unread to the next run.
func forgetful() distortion {
	left := make(map[int]mailbox.Message)
	return func(uint64) func(protocols.Proc) protocols.Proc {
		return func(p protocols.Proc) protocols.Proc {
			d := faithful(p)
			d.recvUntil = func(want mailbox.Want, t clock.Time) (int, mailbox.Message, bool) {
				if m, ok := left[p.Rank()]; ok {
					delete(left, p.Rank())
					return 0, m, true
				}
				return p.RecvUntil(want, t)
			}
			d.finished = func() {
				if _, m, ok := p.RecvUntil(mailbox.Any, p.Now()+50); ok {
					left[p.Rank()] = m
				}
			}
			return d
		}
	}
}
