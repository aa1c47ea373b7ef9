package emu

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Where links are in order, a message that follows a late one on its link arrives no earlier than that. Senders need not
// remember what they have sent for it. What a rank has received arrived before the horizon of its window, and whatever was
// sent in that window arrives at the horizon or later. So new mail can only overtake other new mail, and what is
// still pending: both lie before the worker that lets the rank receive its mail. It is the same at the bottleneck of
// a contended network, with what can still be overtaken in its queue.

// mayOvertake reports whether there are links on which messages would overtake others if nobody kept them from it. A rank that comes
// back has a port that is free, while what it sent before it failed may still be on its way out.
func (c *Config) mayOvertake(schedule faults.Schedule) bool {
	return !c.Unordered && (c.Jitter != nil || schedule.Has(faults.Late) || schedule.Has(faults.Rejoin))
}

// linkOrder is how far the messages of a link have come, in the order in which they were sent.
type linkOrder struct {
	link uint64
	last clock.Time // when the last one arrives
	held clock.Time // for how long those before it hold it up
}

// follow is when the next message of the link arrives that would arrive then if nothing held it up. One that is there once more keeps
// its distance from the first, and holds nobody up.
func (o *linkOrder) follow(at clock.Time, again bool) clock.Time {
	if again {
		return at + o.held
	}
	o.held = max(0, o.last-at)
	o.last = at + o.held
	return o.last
}

// linkOrders are those of several links. Most often they are few, which are found faster without an index.
type linkOrders struct {
	all   []linkOrder
	index map[uint64]int // of all, if they are many
}

const (
	fewLinks  = 16
	mostLinks = 1 << 12 // an index of more is not kept
)

// reset forgets all links.
func (o *linkOrders) reset() {
	if len(o.all) > mostLinks {
		*o = linkOrders{}
		return
	}
	o.all = o.all[:0]
	clear(o.index)
}

// of returns the order of a link, until it is asked for another one.
func (o *linkOrders) of(link uint64) *linkOrder {
	if len(o.all) > fewLinks {
		i, known := o.index[link]
		if !known {
			return o.add(link)
		}
		return &o.all[i]
	}
	for i := range o.all {
		if o.all[i].link == link {
			return &o.all[i]
		}
	}
	return o.add(link)
}

func (o *linkOrders) add(link uint64) *linkOrder {
	o.all = append(o.all, linkOrder{link: link})
	switch n := len(o.all); {
	case n == fewLinks+1:
		if o.index == nil {
			o.index = make(map[uint64]int)
		}
		for i := range o.all {
			o.index[o.all[i].link] = i
		}
	case n > fewLinks:
		o.index[link] = n - 1
	}
	return &o.all[len(o.all)-1]
}

// keepOrder lets the new mail of a rank, a chain with the last message in front, arrive in the order in which each sender has sent it, and
// behind what is pending.
func (w *worker) keepOrder(pending, chain cells.Ref) {
	s := w.m.store
	if s.Distinct(pending, chain) {
		return
	}
	w.orders.reset()
	for ref := pending; ref != 0; ref = s.Cell(ref).Next {
		if c := s.Cell(ref); !c.Again && c.Kind != protocols.Failed {
			w.orders.of(uint64(c.From)).follow(c.At, false) // they are in order
		}
	}
	w.sent = w.sent[:0]
	for ref := chain; ref != 0; ref = s.Cell(ref).Next {
		w.sent = append(w.sent, ref)
	}
	for i := len(w.sent) - 1; i >= 0; i-- {
		if c := s.Cell(w.sent[i]); c.Kind != protocols.Failed {
			c.At = w.orders.of(uint64(c.From)).follow(c.At, c.Again)
		}
	}
}

// keepOrder lets what was sent in the last window reach the bottleneck in the order of sending, link by link, and behind what
// is in the queue.
func (b *bottleneck) keepOrder() {
	b.orders.reset()
	for _, p := range b.queue[b.final:] {
		if !p.again {
			b.orders.of(p.link()).follow(p.reach, false)
		}
	}
	for i := range b.sent {
		p := &b.sent[i]
		p.reach = b.orders.of(p.link()).follow(p.reach, p.again)
	}
}

// link names the link that a packet takes.
func (p *packet) link() uint64 { return uint64(p.from)<<32 | uint64(p.to) }
