package emu

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// bottleneck is that of a contended network: it serves one message at a time, in the order
// in which they reach it.
//
// When a message arrives depends on all that have reached the bottleneck before it, so it is
// not known when it is sent. Ranks send while a window is open, in an order of chance; what
// they send is gathered, and passes the bottleneck at barriers. Why this is exact:
//
//  1. At a barrier everything that will happen before some instant, start, is known: until
//     then no rank acts. It is the earliest of what ranks wait for, of messages that have
//     passed, and of the first message in the queue, if nothing overtakes that.
//  2. So whatever is yet to be sent leaves its sender at start + o or later, and reaches the
//     bottleneck at start + o + before or later. All that reaches it before that is there, in
//     its final order. What reaches it later, a long message under LogGP, may be overtaken.
//  3. The window that opens at start ends 2o + before + service + after later, its lookahead.
//     Only messages that arrive before its horizon, o before that end, concern it. They reach
//     the bottleneck service + after earlier still, so they are among those whose order is
//     final, and pass now. All others stay in the queue for a later barrier.
//
// The first message in the queue passes at the next barrier if nothing else happens before it
// arrives, so no message stays for ever.
type bottleneck struct {
	before, service, after clock.Time

	free  clock.Time // when it is done with all that have passed
	queue []packet   // in the order in which they pass, as far as is known
	final int        // so many at the front of the queue cannot be overtaken

	ordered bool       // messages stay in order on their links
	orders  linkOrders // of these links

	mu   sync.Mutex // guards what follows
	sent []packet   // in this window; those of one sender in the order of sending
}

// packet is a message that has not passed the bottleneck.
type packet struct {
	reach    clock.Time // when it gets there
	from, to int32
	ref      cells.Ref
	again    bool // it has been sent before
}

// newBottleneck returns the bottleneck of a network, nil if it has none.
func newBottleneck(n clock.Network) *bottleneck {
	contended, ok := n.(clock.Contended)
	if !ok {
		return nil
	}
	b := new(bottleneck)
	b.before, b.service, b.after = contended.Bottleneck()
	return b
}

// reset forgets the last run.
func (b *bottleneck) reset() {
	if b != nil {
		b.free, b.queue, b.final, b.sent = 0, b.queue[:0], 0, b.sent[:0]
	}
}

// gather takes a message that would arrive at c.At if nothing held it up. It stays out of the
// frames of senders, which are to be small.
//
//go:noinline
func (b *bottleneck) gather(to int, ref cells.Ref, c *cells.Cell) {
	p := packet{reach: c.At - b.service - b.after, from: c.From, to: int32(to), ref: ref, again: c.Again}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent = append(b.sent, p)
}

// lineUp puts what was sent in the last window into the queue.
func (b *bottleneck) lineUp() {
	if len(b.sent) == 0 {
		return
	}
	if b.ordered {
		b.keepOrder()
	}
	b.queue = append(b.queue, b.sent...)
	b.sent = b.sent[:0]
	slices.SortStableFunc(b.queue[b.final:], func(a, b packet) int {
		return cmp.Or(cmp.Compare(a.reach, b.reach), cmp.Compare(a.from, b.from))
	})
}

// endOfQueues is after the last window of every run. Queues that are longer end there, and do
// not overflow.
const endOfQueues = 2 * maxTimeLimit

// served is when the bottleneck is done with a message if that is the next one.
func (b *bottleneck) served(p *packet) clock.Time {
	return min(max(p.reach, b.free)+b.service, endOfQueues)
}

// nextPassage is when the first message in the queue is received if nothing overtakes it, or
// clock.Never.
func (m *Machine) nextPassage() clock.Time {
	b := m.bottleneck
	if b == nil {
		return clock.Never
	}
	b.lineUp()
	if len(b.queue) == 0 {
		return clock.Never
	}
	return b.served(&b.queue[0]) + b.after + m.costs.Overhead
}

// passBottleneck lets those messages pass that arrive before the horizon of a window which opens
// at start.
func (m *Machine) passBottleneck(start clock.Time) {
	b := m.bottleneck
	if b == nil {
		return
	}
	known := start + m.costs.Overhead + b.before
	for b.final < len(b.queue) && b.queue[b.final].reach < known {
		b.final++
	}
	for len(b.queue) > 0 && b.served(&b.queue[0]) < known+b.service {
		m.passFirst()
	}
}

// passFirst serves the first message of the queue and sends it on to its receiver.
func (m *Machine) passFirst() {
	b := m.bottleneck
	p := &b.queue[0]
	b.free = b.served(p)
	if r := m.own(int(p.to)); r != nil {
		c := m.store.Cell(p.ref)
		c.At = b.free + b.after
		m.out.push(r.place(), p.ref, c)
	}
	b.queue = b.queue[1:]
	b.final--
}

// own are the messages that ranks of this part have sent in the last window. All parts get to know of them, as they all have the same queue.
func (b *bottleneck) own() []packet {
	if b == nil {
		return nil
	}
	return b.sent
}

// appendPackets tells a part what reaches the bottleneck: of messages to its own ranks all, of others no more than the queue needs.
func (m *Machine) appendPackets(batch []byte, part int, packets []packet) []byte {
	if m.bottleneck == nil {
		return batch
	}
	batch = binary.AppendUvarint(batch, uint64(len(packets)))
	for _, p := range packets {
		var msg mailbox.Message
		if parts.Owner(int(p.to), m.abroad.group.Count(), m.cfg.Ranks) == part && m.own(int(p.to)) == nil {
			_, msg = m.store.Get(p.ref)
		}
		batch = appendLetter(batch, int(p.to), p.from, p.reach, &msg, p.again)
	}
	return batch
}

// freeAbroad frees the messages to ranks of other parts, which those have now.
func (m *Machine) freeAbroad(packets []packet) {
	for i := range packets {
		if p := &packets[i]; m.own(int(p.to)) == nil {
			m.workers[0].discard(cells.List{First: p.ref, Last: p.ref})
			p.ref = 0
		}
	}
}

// packets takes in what ranks of another part have sent.
func (r *reader) packets(m *Machine) {
	b := m.bottleneck
	for range r.count() {
		l := r.letter()
		p := packet{reach: l.at, from: int32(l.from), to: int32(l.to), again: l.again}
		if m.own(l.to) != nil {
			p.ref, _ = m.deliver(&l)
		}
		b.sent = append(b.sent, p)
	}
}
