package mailbox

import (
	"math/bits"
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/clock"
)

// Ref names a cell of a Store. The zero Ref names none and ends a list.
type Ref int32

// Cell is a message in a Store: 32 bytes without pointers, two in a cache line.
type Cell struct {
	At   clock.Time // arrival at the receiver; once received, the end of the receive
	ints uint64     // A and B, 32 bits each, unless wide
	From int32
	Next Ref
	// The rest of the header.
	Epoch uint32
	Kind  Kind
	wide  bool // A, B and payload are in the side table
}

// wideFields is what does not fit into a cell.
type wideFields struct {
	a, b    int64
	payload []byte
}

// Segment k holds the cells with k-bit indices, so that the store doubles without ever
// moving a cell, and a Ref finds its segment with one instruction.
type segment struct {
	cells []Cell
	wide  []pagePointer
}

const (
	firstSegmentBits = 10 // the first segment has 2^10 cells
	widePageBits     = 8
)

type pagePointer = atomic.Pointer[widePage]

type widePage [1 << widePageBits]wideFields

// Index returns where ref lies: which segment, and where in it.
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

// Put fills the cell with a message that arrives at the given instant, copying the
// payload. The cell's Next is left alone.
func (s *Store) Put(ref Ref, from int32, arrival clock.Time, m *Message) *Cell {
	c := s.Cell(ref)
	c.At, c.From, c.Epoch, c.Kind = arrival, from, m.Epoch, m.Kind
	c.wide = m.Payload != nil || int64(int32(m.A)) != m.A || int64(int32(m.B)) != m.B
	if c.wide {
		s.putWide(ref, m)
	} else {
		c.ints = uint64(uint32(m.A)) | uint64(uint32(m.B))<<32
	}
	return c
}

func (s *Store) putWide(ref Ref, m *Message) {
	w := s.wide(ref)
	w.a, w.b = m.A, m.B
	if m.Payload != nil {
		w.payload = append(make([]byte, 0, len(m.Payload)), m.Payload...)
	}
}

// wide returns the side entry of a cell, making the page it lies on if need be.
func (s *Store) wide(ref Ref) *wideFields {
	k, i := index(ref)
	slot := &s.segments[k].wide[i>>widePageBits]
	page := slot.Load()
	if page == nil {
		slot.CompareAndSwap(nil, new(widePage))
		page = slot.Load()
	}
	return &page[i&(1<<widePageBits-1)]
}

// Message returns what was put into the cell. The payload is handed out, not copied:
// a cell is read once, then freed.
func (s *Store) Message(ref Ref) Message {
	c := s.Cell(ref)
	m := Message{From: int(c.From), Kind: c.Kind, Epoch: c.Epoch}
	if c.wide {
		s.takeWide(ref, &m)
	} else {
		m.A, m.B = c.Ints()
	}
	return m
}

func (s *Store) takeWide(ref Ref, m *Message) {
	w := s.wide(ref)
	m.A, m.B, m.Payload = w.a, w.b, w.payload
	w.payload = nil
}

// Discard forgets the payload of a cell that nobody will read.
func (s *Store) Discard(ref Ref) {
	if s.Cell(ref).wide {
		s.wide(ref).payload = nil
	}
}

// Ints returns A and B of a message that is still in its cell, as far as they lie there:
// zero if they are in the side table.
func (c *Cell) Ints() (a, b int64) {
	if c.wide {
		return 0, 0
	}
	return int64(int32(c.ints)), int64(int32(c.ints >> 32))
}
