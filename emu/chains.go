package emu

import (
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/emu/internal/cells"
)

// chains are the messages sent in one window. Each receiver has a chain; a bit marks
// the receivers whose chain is not empty, a flag the units that have such a receiver.
// Senders only ever push, so a swap is all the coordination they need.
type chains struct {
	heads []atomic.Int32 // a cells.Ref each
	marks []atomic.Uint64
	units []atomic.Bool
	shift int
}

func newChains(ranks, words, units, shift int) chains {
	return chains{
		heads: make([]atomic.Int32, ranks),
		marks: make([]atomic.Uint64, words),
		units: make([]atomic.Bool, units),
		shift: shift,
	}
}

// push adds a message to the receiver's chain.
func (c *chains) push(to int, ref cells.Ref, cell *cells.Cell) {
	next := c.heads[to].Swap(int32(ref))
	cell.Next = cells.Ref(next) // nobody follows it before the window has ended
	if next == 0 {
		c.mark(to)
	}
}

// mark has the receiver looked at in the next window.
func (c *chains) mark(to int) {
	word := to >> 6
	if c.marks[word].Or(1<<(to&63)) == 0 {
		c.units[word>>c.shift].Store(true)
	}
}

// takeMarks returns the marked receivers of a word and unmarks them.
func (c *chains) takeMarks(word int) uint64 {
	marks := c.marks[word].Load()
	if marks != 0 {
		c.marks[word].Store(0)
	}
	return marks
}

// takeChain returns a receiver's messages and leaves none.
func (c *chains) takeChain(to int) cells.Ref {
	ref := c.heads[to].Load()
	c.heads[to].Store(0)
	return cells.Ref(ref)
}

// clear drops what an aborted run left behind. Nobody pushes meanwhile.
func (c *chains) clear() {
	clear(c.heads)
	clear(c.marks)
	clear(c.units)
}
