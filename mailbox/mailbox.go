package mailbox

import (
	"unsafe"

	"github.com/mangrove-emu/mangrove/clock"
)

// Mailbox is where a rank waits and reads. Messages reach it over a channel, a batch at
// a time, and lie in its queue, ordered by the end of their receive, until they are read.
//
// The zero Mailbox is empty; Open makes its channel.
type Mailbox struct {
	channel chan Handover
	queue   List
}

// Handover is what the scheduler tells a rank: what it received meanwhile, and until
// when it may run. A Handover without time left ends the rank.
type Handover struct {
	Received List
	Until    clock.Time
}

// Open makes the channel, unless an earlier run left one, and empties the queue.
func (b *Mailbox) Open() {
	if b.channel == nil {
		b.channel = make(chan Handover)
	}
	b.queue = List{}
}

// Line returns the channel, for a goroutine that waits while the Mailbox is not its own.
func (b *Mailbox) Line() <-chan Handover { return b.channel }

// HandOver wakes the rank that waits in Await.
func (b *Mailbox) HandOver(h Handover) { b.channel <- h }

// Await blocks until the scheduler hands over.
func (b *Mailbox) Await() Handover { return <-b.channel }

// Add queues messages that were handed over.
func (b *Mailbox) Add(s *Store, received List) { b.queue.AppendList(s, received) }

// Find returns the first message that w accepts, the one before it in the queue, and
// when it was or will be received; or 0 and clock.Never.
func (b *Mailbox) Find(s *Store, w Want) (prev, ref Ref, received clock.Time) {
	for ref = b.queue.First; ref != 0; ref = s.Cell(ref).Next {
		if c := s.Cell(ref); w.Accepts(int(c.From), c.Kind, c.Epoch) {
			return prev, ref, c.At
		}
		prev = ref
	}
	return 0, 0, clock.Never
}

// Remove takes a message that Find returned out of the queue.
func (b *Mailbox) Remove(s *Store, prev, ref Ref) { b.queue.Remove(s, prev, ref) }

// Drain empties the queue and returns what was in it.
func (b *Mailbox) Drain() List {
	left := b.queue
	b.queue = List{}
	return left
}

// Address says where the channel lies in memory.
func (b *Mailbox) Address() uintptr { return *(*uintptr)(unsafe.Pointer(&b.channel)) }

// Queue returns the messages not yet read, without removing them.
func (b *Mailbox) Queue() List { return b.queue }
