package mailbox

import (
	"unsafe"

	"github.com/mangrove-emu/mangrove/clock"
)

// Mailbox is where the goroutine of a rank waits for its machine: a Go channel. Over it the machine
// hands the rank what it has received since the last time, and says until when it may run.
//
// Machine and rank take turns. A rank, its clock and its unread messages belong to its goroutine from
// the moment when Await returns until the goroutine lets the machine know that it waits again, and to
// the machine for the rest of the time. So neither needs a lock.
//
// What messages lie in, a Batch, is up to the machine. The zero Mailbox has no channel yet. All copies of
// an open one are the same mailbox.
type Mailbox[Batch any] struct {
	channel chan handover[Batch]
}

// handover is what a machine tells a rank. One without time ends the rank.
type handover[Batch any] struct {
	received Batch
	until    clock.Time
}

// Open makes the channel, unless there is one.
func (b *Mailbox[Batch]) Open() {
	if b.channel == nil {
		b.channel = make(chan handover[Batch])
	}
}

// HandOver wakes the rank that waits in Await, or will, and lets it run until an instant after 0.
func (b Mailbox[Batch]) HandOver(received Batch, until clock.Time) {
	b.channel <- handover[Batch]{received, until}
}

// End has the rank that waits in Await end its goroutine.
func (b Mailbox[Batch]) End() { b.channel <- handover[Batch]{} }

// Await blocks until the machine hands over. It is not ok if the rank is to end.
func (b Mailbox[Batch]) Await() (received Batch, until clock.Time, ok bool) {
	h := <-b.channel
	return h.received, h.until, h.until > 0
}

// Address says where the channel lies in memory, for machines that prefetch it.
func (b Mailbox[Batch]) Address() uintptr { return *(*uintptr)(unsafe.Pointer(&b.channel)) }
