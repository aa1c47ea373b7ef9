package tcp

import (
	"cmp"
	"slices"
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// held are messages of this process that the schedule or jitter makes late, or that come again. They leave it as if they had been sent
// so much later, whatever has become of their senders by then: so it is then that they reach who is there, in whatever life.
//
// What follows a late message on its link waits here, too, until that has left.
type held struct {
	node   *Node
	sooner chan struct{} // has an element if something leaves earlier than all before

	mu    sync.Mutex
	queue []heldFrame // ordered by when they leave, then by when they came here
}

// heldFrame is a message that leaves at the instant that it says.
type heldFrame struct {
	wire.Frame
	again bool // its link does not wait for it
}

// newHeld returns nil if there is nothing to hold up.
func newHeld(n *Node) *held {
	if s := n.cfg.Faults; !s.Has(faults.Late) && !s.Has(faults.Twice) && n.cfg.Jitter == nil {
		return nil
	}
	return &held{node: n, sooner: make(chan struct{}, 1)}
}

// send sends a message, unless it is late or waits behind one that is.
func (h *held) send(f wire.Frame, late bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if late || !h.node.cfg.Unordered && h.waits(f.From, f.To) {
		h.keep(heldFrame{Frame: f})
	} else {
		h.node.post(f)
	}
}

// sendAgain sends a message that has been sent before.
func (h *held) sendAgain(f wire.Frame) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.keep(heldFrame{f, true})
}

// waits reports whether a message of a link is here.
func (h *held) waits(from, to int) bool {
	return slices.ContainsFunc(h.queue, func(f heldFrame) bool { return f.From == from && f.To == to && !f.again })
}

// keep puts a message into the queue, behind its equals. The process is not idle before it has left.
func (h *held) keep(f heldFrame) {
	h.node.activate()
	i, _ := slices.BinarySearchFunc(h.queue, f, func(a, b heldFrame) int { return cmp.Or(cmp.Compare(a.Left, b.Left), -1) })
	h.queue = slices.Insert(h.queue, i, f)
	if i > 0 {
		return
	}
	select {
	case h.sooner <- struct{}{}:
	default:
	}
}

// run lets messages leave, until the run is over.
func (h *held) run() {
	for {
		select {
		case <-h.node.alarm(h.next()):
			h.release(h.node.now())
		case <-h.sooner:
		case <-h.node.over:
			return
		}
	}
}

// next is when the next message leaves.
func (h *held) next() clock.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) == 0 {
		return clock.Never
	}
	return h.queue[0].Left
}

// release lets those messages leave whose time has come. They are not out of the queue before that, so that nothing overtakes them.
func (h *held) release(now clock.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.queue) > 0 && h.queue[0].Left <= now {
		h.node.post(h.queue[0].Frame)
		h.queue = h.queue[1:]
		h.node.deactivate()
	}
}

// handOver leaves it to the receivers to hold up what is late, before this process fails.
func (h *held) handOver() {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.queue {
		f.Type = wire.Late
		h.node.post(f.Frame)
		h.node.deactivate()
	}
	h.queue = nil
}

// linkOrder is when the last message has left for each rank, or will, if it lies or lay ahead of its send. It goes on through
// all lives of a sender.
type linkOrder map[int]clock.Time

// leave is when a message leaves that was to do so at an instant and is late.
func (o *linkOrder) leave(to int, left, late clock.Time) clock.Time {
	leaves := max(left+late, (*o)[to])
	if leaves == left {
		delete(*o, to)
		return leaves
	}
	if *o == nil {
		*o = make(linkOrder)
	}
	(*o)[to] = leaves
	return leaves
}
