package kv

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Patience of clients. With all servers together it lasts for more than an election takes if nothing goes wrong.
const (
	patience = electing / 2 // with one server; if nothing happens that is enough for all that clients ask
	tries    = 4            // before it goes on to something else
	pause    = 10           // up to so long between two requests
)

// client asks for one thing after the other.
type client struct {
	protocols.Proc
	plan   *Plan
	server int               // that has answered last
	number int64             // of the request
	known  map[string]string // the values that it has heard of last
}

// use is the program of a client. What it asks and what it is told goes into the history; what it has given up may still be done, or not.
func use(p protocols.Proc, plan *Plan, h *History) {
	c := &client{Proc: p, plan: plan, server: p.Rank() % plan.Servers, known: make(map[string]string)}
	p.WaitUntil(beginning)
	for p.Now() < plan.Until {
		request := c.next()
		call := h.Invoke(p, request)
		if answer, ok := c.ask(request); ok {
			call.Return(p, answer)
			c.learn(request, answer)
		}
		p.WaitUntil(p.Now() + clock.Time(p.Rand().IntN(pause)))
	}
}

// next makes up a request. Values are never used twice, so that a read says which write it has seen.
func (c *client) next() Request {
	c.number++
	key, fresh := string(rune('a'+c.Rand().IntN(keys))), fmt.Sprintf("%d.%d.%d", c.Rank(), c.Life(), c.number)
	switch c.Rand().IntN(10) {
	case 0:
		return Request{Op: Delete, Key: key}
	case 1:
		return Request{Op: Swap, Key: key, Old: c.known[key], Value: fresh}
	case 2, 3, 4, 5:
		return Request{Op: Put, Key: key, Value: fresh}
	}
	return Request{Op: Get, Key: key}
}

// ask asks one server after the other. The number of the request stays the same.
func (c *client) ask(r Request) (Answer, bool) {
	question := mailbox.Message{Kind: ask, Epoch: uint32(c.Life()), A: c.number, Payload: encode(command{fmt.Sprintf("%d.%d", c.Rank(), c.Life()), c.number, r})}
	for range tries {
		c.Send(c.server, question)
		end := min(c.Now()+patience, c.plan.Until)
		for {
			_, m, ok := c.RecvUntil(mailbox.OfKind(answer), end)
			if !ok {
				break
			}
			if m.Epoch == question.Epoch && m.A == question.A { // others are late
				return decode[Answer](m.Payload), true
			}
		}
		c.server = (c.server + 1) % c.plan.Servers
	}
	return Answer{}, false
}

// learn remembers what the value of a key may be.
func (c *client) learn(r Request, a Answer) {
	switch {
	case r.Op == Get:
		c.known[r.Key] = a.Value
	case r.Op == Swap && !a.Done: // it is something else
	default:
		c.known[r.Key] = r.Value
	}
}
