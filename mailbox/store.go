package mailbox

import (
	"sync"

	"github.com/mangrove-emu/mangrove/internal/hugepages"
)

// Store keeps the messages of one machine while they are under way or wait to be read.
//
// Several goroutines may use a Store at once as long as each cell has one owner at a
// time. Cells come from and go back to a [Stock] or a [Shelf].
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
	k, _ := index(Ref(lo))
	if k == len(s.segments) {
		panic("mailbox: more than 2^31 messages under way")
	}
	if s.segments[k].cells == nil {
		s.segments[k].cells = make([]Cell, 1<<(k-1))
		hugepages.Advise(s.segments[k].cells)
		s.segments[k].payloads = make([]pagePointer, 1<<(k-1)>>pageBits)
	}
	s.next = hi
	return lo, hi
}

// Stock is a supply of free cells for one goroutine.
type Stock struct {
	store  *Store
	free   Ref // a list of cells given back
	lo, hi uint32
}

// Open ties the stock to its store.
func (k *Stock) Open(s *Store) { *k = Stock{store: s} }

// Take moves a few free cells to the purse.
func (k *Stock) Take(p *Purse) {
	if k.free != 0 {
		p.put(k.store, k.one())
		return
	}
	if k.lo == k.hi {
		k.lo, k.hi = k.store.fresh()
	}
	p.fresh, p.left = Ref(k.lo), purseful
	k.lo += purseful
}

func (k *Stock) one() Ref {
	ref := k.free
	k.free = k.store.Cell(ref).Next
	return ref
}

// Give puts a list of cells back, from first to last.
func (k *Stock) Give(first, last Ref) {
	k.store.Cell(last).Next = k.free
	k.free = first
}

// Shelf is a Stock that several goroutines share.
type Shelf struct {
	mu    sync.Mutex
	stock Stock
}

// Open ties the shelf to its store.
func (h *Shelf) Open(s *Store) { h.stock.Open(s) }

// Take moves a few free cells to the purse.
func (h *Shelf) Take(p *Purse) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stock.Take(p)
}

// Give puts a list of cells back, from first to last.
func (h *Shelf) Give(first, last Ref) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stock.Give(first, last)
}

// Clear makes every cell free again. No cell may be in use, and every stock and shelf
// must be opened anew.
func (s *Store) Clear() {
	s.next = 1 << firstSegmentBits
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
