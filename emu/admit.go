package emu

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// admit passes a rank's mail through its receive port, as far as it arrives before the
// horizon. Later messages (long ones, or from far away) wait for a later window: one
// that has not been sent yet may still overtake them.
func (w *worker) admit(id int) {
	m := w.m
	r := &m.ranks[id]
	ref := m.in.takeChain(id)
	if ref != 0 {
		if m.ways.ordered {
			w.keepOrder(r.pending, ref)
		}
		ref = m.store.SortArrivals(ref)
	}
	if r.pending != 0 {
		ref = m.store.Merge(r.pending, ref)
		r.pending = 0
	}
	for ref != 0 {
		c := m.store.Cell(ref)
		if c.At >= m.horizon {
			r.pending = ref
			m.later[id>>6].add(id, c.At)
			return
		}
		next := c.Next
		if r.faulty {
			w.receiveFaulty(r, ref, c)
		} else {
			w.receive(r, ref, c)
		}
		ref = next
	}
}

// receive passes one message through the port of a rank without faults.
func (w *worker) receive(r *rank, ref cells.Ref, c *cells.Cell) {
	received := r.occupyRecv(r.recv.Start(c.At), r.costsOfMail(c))
	if c.Kind != protocols.Failed {
		w.quiescence = max(w.quiescence, received)
		if !r.coloured {
			r.colour(received)
		}
	}
	if r.m.tracing {
		r.record(arrivalKind(c), received, int(c.From), c)
	}
	w.put(r, ref, c, received)
}

// occupyRecv passes a message through the receive port, and returns when that ends.
func (r *rank) occupyRecv(start clock.Time, costs *clock.Costs) (received clock.Time) {
	if r.m.cfg.Noise != nil {
		return r.receiveInNoise(start, costs)
	}
	return r.recv.Receive(start, costs)
}

// arrivalKind tells notices of the failure detector from messages that somebody has sent.
func arrivalKind(c *cells.Cell) report.EventKind {
	if c.Kind == protocols.Failed {
		return report.EventNotice
	}
	return report.EventReceive
}

// colour notes the end of the rank's first receive.
func (r *rank) colour(received clock.Time) {
	r.coloured = true
	if res := &r.m.results[r.place()]; res.Coloured == clock.Never {
		res.Coloured = received
	}
}

// put lays a received message ready for the rank, and wakes it when it wants it.
func (w *worker) put(r *rank, ref cells.Ref, c *cells.Cell, received clock.Time) {
	if r.state > alive {
		w.drop(r, ref)
		return
	}
	c.At = received
	r.arrived.Append(w.m.store, ref)
	if r.want.Accepts(int(c.From), c.Kind, c.Epoch) {
		wake := &w.m.wakeAt[r.place()]
		*wake = min(*wake, max(received, r.now))
	}
}

// drop frees a message that nobody will read, and those that its receiver has left unread.
func (w *worker) drop(r *rank, ref cells.Ref) {
	w.discard(cells.List{First: ref, Last: ref})
	if r.state > alive {
		w.discard(r.queue.Take())
	}
}

// discard puts a list of messages aside, to be freed at the end of the window.
func (w *worker) discard(l cells.List) {
	for ref := l.First; ref != 0; ref = w.m.store.Cell(ref).Next {
		w.m.store.Discard(ref)
		if w.unread++; ref == l.Last {
			break
		}
	}
	if l.First != 0 {
		w.m.store.Cell(l.Last).Next = 0
		w.dropped.AppendList(w.m.store, l)
	}
}

// freeDropped frees what was put aside.
func (w *worker) freeDropped() {
	if w.unread > 0 {
		w.pool.GiveBack(w.dropped, w.unread)
		w.dropped, w.unread = cells.List{}, 0
	}
}
