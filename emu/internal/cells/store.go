package cells

import (
	"sync"

	"github.com/mangrove-emu/mangrove/internal/hugepages"
)

// Store keeps the messages of one machine while they are under way or wait to be read.
//
// Several goroutines may use a Store at once as long as each cell has one owner at a
// time. Cells come from and go back to a [Pool].
type Store struct {
	segments [32]segment

	mu    sync.Mutex
	next  uint32 // the first cell never handed out
	free  List   // cells that pools had in excess
	count int    // how many
}

// NewStore returns an empty store.
func NewStore() *Store { return &Store{next: 1 << firstSegmentBits} }

// restock is how many new cells a pool takes at once. Segments are a multiple of it.
const restock = 256

// fresh hands out a run of cells never used before. The store must be locked.
func (s *Store) fresh() (lo, hi uint32) {
	lo, hi = s.next, s.next+restock
	k, _ := index(Ref(lo))
	if k == len(s.segments) {
		panic("emu: more than 2^31 messages under way")
	}
	if s.segments[k].cells == nil {
		s.segments[k].cells = make([]Cell, 1<<(k-1))
		hugepages.Advise(s.segments[k].cells)
		s.segments[k].payloads = make([]pagePointer, 1<<(k-1)>>pageBits)
	}
	s.next = hi
	return lo, hi
}

// giveBack takes what a pool has in excess.
func (s *Store) giveBack(l List, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free.AppendList(s, l)
	s.count += n
}

// Clear makes every cell free again. No cell may be in use, and every pool must be opened
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
