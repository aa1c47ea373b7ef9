package cells

import (
	"math/bits"
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// Ref names a cell of a Store. The zero Ref names none and ends a list.
type Ref int32

// Cell is a message in a Store: 32 bytes without pointers, two in a cache line.
type Cell struct {
	At     clock.Time // arrival at the receiver; once received, the end of the receive
	A      int64
	From   int32
	Next   Ref
	Epoch  uint32
	Kind   mailbox.Kind
	Again  bool // the same message has been sent on its way before
	loaded bool // there is a payload, in the side table
}

// Segment k holds the cells with k-bit indices, so that the store doubles without ever
// moving a cell, and a Ref finds its segment with one instruction.
type segment struct {
	cells    []Cell
	payloads []pagePointer
}

const (
	firstSegmentBits = 10 // the first segment has 2^10 cells
	pageBits         = 8
)

// page holds the payloads of 2^pageBits neighbouring cells, if any of them has one.
type page [1 << pageBits]string

type pagePointer = atomic.Pointer[page]

// index returns where ref lies: which segment, and where in it.
func index(ref Ref) (k int, i uint32) {
	n := uint32(ref)
	k = bits.Len32(n)
	return k, n - 1<<(k-1)
}

// Cell returns the cell that ref names. It stays in place until it is freed.
func (s *Store) Cell(ref Ref) *Cell {
	k, i := index(ref)
	return &s.segments[k].cells[i]
}

// Put fills the cell with a message that arrives at the given instant. The cell's Next is
// left alone.
func (s *Store) Put(ref Ref, from int32, arrival clock.Time, m *mailbox.Message) *Cell {
	c := s.Cell(ref)
	c.At, c.From, c.Epoch, c.Kind, c.A, c.Again = arrival, from, m.Epoch, m.Kind, m.A, false
	if c.loaded = m.Payload != ""; c.loaded {
		*s.payload(ref) = m.Payload
	}
	return c
}

// payload returns where the payload of a cell lies, making the page if need be.
func (s *Store) payload(ref Ref) *string {
	k, i := index(ref)
	slot := &s.segments[k].payloads[i>>pageBits]
	p := slot.Load()
	if p == nil {
		slot.CompareAndSwap(nil, new(page))
		p = slot.Load()
	}
	return &p[i&(1<<pageBits-1)]
}

// Get returns what was put into the cell and forgets the payload: a cell is read once,
// then freed.
func (s *Store) Get(ref Ref) (from int, m mailbox.Message) {
	c := s.Cell(ref)
	m = mailbox.Message{Kind: c.Kind, Epoch: c.Epoch, A: c.A}
	if c.loaded {
		m.Payload = s.takePayload(ref)
	}
	return int(c.From), m
}

func (s *Store) takePayload(ref Ref) string {
	where := s.payload(ref)
	text := *where
	*where = ""
	return text
}

// Discard forgets the payload of a cell that nobody will read.
func (s *Store) Discard(ref Ref) {
	if s.Cell(ref).loaded {
		s.takePayload(ref)
	}
}
