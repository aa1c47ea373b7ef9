package mailbox

import "sync"

// Store keeps the messages of one machine while they are under way or wait to be read.
//
// Several goroutines may use a Store at once as long as each cell has one owner at a
// time. Cells come from and go back to a [Shelf].
type Store struct {
	segments [32]segment

	mu   sync.Mutex
	next uint32 // the first cell never handed out
}

// NewStore returns an empty store.
func NewStore() *Store { return &Store{next: 1 << firstSegmentBits} }

// restock is how many new cells a shelf takes at once. Segments are a multiple of it.
const restock = 256

// fresh hands out a run of cells never used before.
func (s *Store) fresh() (lo, hi uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lo, hi = s.next, s.next+restock
	if k, _ := index(Ref(lo)); s.segments[k].cells == nil {
		if k > 31 {
			panic("mailbox: more than 2^31 messages under way")
		}
		s.segments[k].cells = make([]Cell, 1<<(k-1))
		s.segments[k].payloads = make([]pagePointer, 1<<(k-1)>>pageBits)
	}
	s.next = hi
	return lo, hi
}

// Shelf is a stock of free cells. Each worker of a machine has one, so that ranks rarely
// wait for each other when they send.
type Shelf struct {
	store *Store

	mu     sync.Mutex
	free   Ref // a list of cells given back
	lo, hi uint32
	_      [32]byte // one shelf to a cache line
}

// Open ties the shelf to its store.
func (h *Shelf) Open(s *Store) { h.store = s }

// Take returns a list of n free cells.
func (h *Shelf) Take(n int) Ref {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := h.one()
	last := h.store.Cell(first)
	for range n - 1 {
		last.Next = h.one()
		last = h.store.Cell(last.Next)
	}
	last.Next = 0
	return first
}

func (h *Shelf) one() Ref {
	if ref := h.free; ref != 0 {
		h.free = h.store.Cell(ref).Next
		return ref
	}
	if h.lo == h.hi {
		h.lo, h.hi = h.store.fresh()
	}
	h.lo++
	return Ref(h.lo - 1)
}

// Give puts a list of cells back, from first to last.
func (h *Shelf) Give(first, last Ref) {
	h.mu.Lock()
	h.store.Cell(last).Next = h.free
	h.free = first
	h.mu.Unlock()
}

// Clear makes every cell of the store free again. No cell may be in use, and every
// shelf opened on the store must be reset with it.
func (s *Store) Clear(shelves []*Shelf) {
	s.next = 1 << firstSegmentBits
	for _, h := range shelves {
		h.free, h.lo, h.hi = 0, 0, 0
	}
	s.forgetPayloads()
}

func (s *Store) forgetPayloads() {
	for k := range s.segments {
		for i := range s.segments[k].payloads {
			if p := s.segments[k].payloads[i].Load(); p != nil {
				clear(p[:])
			}
		}
	}
}
