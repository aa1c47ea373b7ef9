package tcp

import (
	"cmp"
	"slices"
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// letter is a message in an inbox.
type letter struct {
	from int
	at   clock.Time // when it arrives, by the model; when it was received once it is
	msg  mailbox.Message
}

// waiting is what a rank waits in, for what and since when.
type waiting struct {
	call  string
	want  mailbox.Want
	since clock.Time
}

// inbox is where the messages of one rank wait. Any goroutine may put something in, only the
// rank's takes something out.
type inbox struct {
	// signal has an element if something was put in since the rank looked last.
	signal chan struct{}

	mu     sync.Mutex
	queue  []letter // received
	coming []letter // still under way by the model, ordered by arrival, then sender
	port   clock.RecvPort
	first  clock.Time // when the first one was received
	last   clock.Time // when the last one was
	closed bool       // nothing is received any more
	unread bool       // nobody will take anything out any more

	onReceipt func(*letter) // called for all that is; nil if nobody wants to know

	waiting  waiting
	parked   bool   // the rank waits, and nothing but a message will wake it
	activate func() // called when one does, before it is in
}

func newInbox(activate func()) *inbox {
	return &inbox{signal: make(chan struct{}, 1), first: clock.Never, activate: activate}
}

// receive takes in a message at once. What was to be there when it left comes first, by whatever clock.
func (b *inbox) receive(l letter, left clock.Time) {
	b.put(func() {
		b.settle(max(l.at, left), &clock.Costs{})
		b.keep(l)
	})
}

// expect takes in a message that is under way by the model until l.at, whatever the network says.
func (b *inbox) expect(l letter) {
	b.put(func() {
		i, _ := slices.BinarySearchFunc(b.coming, l, func(a, b letter) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from), -1) // behind its equals
		})
		b.coming = slices.Insert(b.coming, i, l)
	})
}

// receiveNotice takes in a notice, which is no message: it colours nobody.
func (b *inbox) receiveNotice(l letter) {
	b.put(func() {
		b.tell(&l)
		b.queue = append(b.queue, l)
	})
}

func (b *inbox) put(in func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	if b.parked {
		b.parked = false
		b.activate()
	}
	in()
	select {
	case b.signal <- struct{}{}:
	default:
	}
}

// tell tells whoever wants to know that something has been received.
func (b *inbox) tell(l *letter) {
	if b.onReceipt != nil {
		b.onReceipt(l)
	}
}

// keep notes that a message has been received.
func (b *inbox) keep(l letter) {
	b.tell(&l)
	b.first, b.last = min(b.first, l.at), max(b.last, l.at)
	if !b.unread {
		b.queue = append(b.queue, l)
	}
}

// settle receives what has come by now, as the receive port lets it, and returns when the next
// message will have been received.
func (b *inbox) settle(now clock.Time, costs *clock.Costs) clock.Time {
	for len(b.coming) > 0 {
		l := b.coming[0]
		start := b.port.Start(l.at)
		if received := start + costs.Overhead; received > now {
			return received
		}
		l.at = b.port.Receive(start, costs)
		b.keep(l)
		b.coming = b.coming[1:]
	}
	return clock.Never
}

// take takes out the first message that is wanted.
func (b *inbox) take(want mailbox.Want) (l letter, ok bool) {
	for i := range b.queue {
		l = b.queue[i]
		if !want.Accepts(l.from, l.msg.Kind, l.msg.Epoch) {
			continue
		}
		if i == 0 { // the usual case must not depend on how many there are
			b.queue[0] = letter{}
			b.queue = b.queue[1:]
		} else {
			b.queue = slices.Delete(b.queue, i, i+1)
		}
		return l, true
	}
	return letter{}, false
}

// close lets nothing more be received.
func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed, b.queue, b.coming = true, nil, nil
}

// abandon is for a rank that has finished: what it receives is thrown away.
func (b *inbox) abandon() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unread, b.queue = true, nil
}

// span says when the first and the last message were received up to now.
func (b *inbox) span() (first, last clock.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.first, b.last
}

// receiveAll receives what is still under way by the model, whenever that will have been, and returns what
// the rank waited in last.
func (b *inbox) receiveAll(costs *clock.Costs) waiting {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settle(clock.Never-1, costs)
	return b.waiting
}
