package mailbox

import (
	"sync"

	"github.com/mangrove-emu/mangrove/internal/hugepages"
)

// Store keeps the messages of one machine while they are under way or wait to be read.
//
// Several goroutines may use a Store at once as long as each cell has one owner at a
// time. Cells come from and go back to a [Shelf].
type Store struct {
	segments [32]segment

	mu    sync.Mutex
	next  uint32 // the first cell never handed out
	free  List   // cells that shelves had in excess
	count int    // how many
}

// NewStore returns an empty store.
func NewStore() *Store { return &Store{next: 1 << firstSegmentBits} }

// restock is how many new cells a shelf takes at once. Segments are a multiple of it.
const restock = 256

// fresh hands out a run of cells never used before. The store must be locked.
func (s *Store) fresh() (lo, hi uint32) {
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

// Shelf is a supply of free cells. Each worker of a machine has one, so that ranks rarely
// wait for each other when they send.
type Shelf struct {
	store *Store

	mu     sync.Mutex
	free   List // cells given back
	count  int  // how many
	lo, hi uint32
	_      [24]byte // one shelf to a cache line
}

// surplus is how many free cells a shelf keeps. What it has beyond goes to the store, for
// others: messages may flow from the ranks of one worker to those of another for ever.
const surplus = 4 * restock

// Open ties the shelf to its store and empties it.
func (h *Shelf) Open(s *Store) {
	h.store, h.free, h.count, h.lo, h.hi = s, List{}, 0, 0, 0
}

// Take moves a few free cells to the purse.
func (h *Shelf) Take(p *Purse) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.take(p)
}

// Supply is Take for those of n purses that are empty.
func (h *Shelf) Supply(n int, purse func(i int) *Purse) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range n {
		if p := purse(i); p.Empty() {
			h.take(p)
		}
	}
}

func (h *Shelf) take(p *Purse) {
	if h.count == 0 && h.lo == h.hi {
		h.restock()
	}
	if h.count == 0 {
		p.fresh, p.left = Ref(h.lo), purseful
		h.lo += purseful
		return
	}
	for range min(purseful, h.count) {
		ref := h.free.First
		h.free.Remove(h.store, 0, ref)
		h.count--
		p.put(h.store, ref)
	}
}

// restock fetches cells from the store: used ones if it has any.
func (h *Shelf) restock() {
	s := h.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == 0 {
		h.lo, h.hi = s.fresh()
		return
	}
	h.free, h.count = s.free, s.count
	s.free, s.count = List{}, 0
}

// Give puts a list of that many cells back.
func (h *Shelf) Give(l List, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.store.Cell(l.Last).Next = 0
	h.free.AppendList(h.store, l)
	h.count += n
	if h.count > surplus {
		h.store.give(h.free, h.count)
		h.free, h.count = List{}, 0
	}
}

// give takes what a shelf has in excess.
func (s *Store) give(l List, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free.AppendList(s, l)
	s.count += n
}

// Used is how many cells have ever been used since the store was cleared.
func (s *Store) Used() int { return int(s.next) - 1<<firstSegmentBits }

// Clear makes every cell free again. No cell may be in use, and every shelf must be opened
// anew.
func (s *Store) Clear() {
	s.next = 1 << firstSegmentBits
	s.free, s.count = List{}, 0
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
