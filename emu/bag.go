package emu

import (
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// bag collects the messages sent in one window. Each receiver has a chain; a bit marks
// the receivers whose chain is not empty, a flag the units that have such a receiver.
// Senders only ever push, so a swap is all the coordination they need.
type bag struct {
	heads []atomic.Int32 // a mailbox.Ref each
	marks []atomic.Uint64
	units []atomic.Bool
	shift int
}

func newBag(ranks, words, units, shift int) bag {
	return bag{
		heads: make([]atomic.Int32, ranks),
		marks: make([]atomic.Uint64, words),
		units: make([]atomic.Bool, units),
		shift: shift,
	}
}

// push adds a message to the receiver's chain.
func (b *bag) push(to int, ref mailbox.Ref, c *mailbox.Cell) {
	next := b.heads[to].Swap(int32(ref))
	c.Next = mailbox.Ref(next) // nobody follows it before the window has ended
	if next == 0 {
		b.mark(to)
	}
}

// mark has the receiver looked at in the next window.
func (b *bag) mark(to int) {
	word := to >> 6
	if b.marks[word].Or(1<<(to&63)) == 0 {
		b.units[word>>b.shift].Store(true)
	}
}

// takeMarks returns the marked receivers of a word and unmarks them.
func (b *bag) takeMarks(word int) uint64 {
	marks := b.marks[word].Load()
	if marks != 0 {
		b.marks[word].Store(0)
	}
	return marks
}

// takeChain returns a receiver's messages and leaves none.
func (b *bag) takeChain(to int) mailbox.Ref {
	ref := b.heads[to].Load()
	b.heads[to].Store(0)
	return mailbox.Ref(ref)
}

// clear empties a bag that an aborted run left behind.
func (b *bag) clear() {
	for word := range b.marks {
		if b.takeMarks(word) == 0 {
			continue
		}
		for to := word * 64; to < min(word*64+64, len(b.heads)); to++ {
			b.heads[to].Store(0)
		}
	}
	for i := range b.units {
		b.units[i].Store(false)
	}
}
