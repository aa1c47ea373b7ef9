package cells

import "sync"

// Pool is a supply of free cells. Each worker of a machine has one, so that ranks rarely
// wait for each other when they send.
type Pool struct {
	store *Store

	mu     sync.Mutex
	free   List // cells given back
	count  int  // how many
	lo, hi uint32
	_      [24]byte // one pool to a cache line
}

// surplus is how many free cells a pool keeps. What it has beyond goes to the store, for
// others: messages may flow from the ranks of one worker to those of another for ever.
const surplus = 4 * restock

// Open ties the pool to its store and empties it.
func (p *Pool) Open(s *Store) {
	p.store, p.free, p.count, p.lo, p.hi = s, List{}, 0, 0, 0
}

// Refill moves a few free cells to the reserve. As ranks call it deep in their small stacks, nothing is deferred, which would take room there.
func (p *Pool) Refill(r *Reserve) {
	p.mu.Lock()
	p.refill(r)
	p.mu.Unlock()
}

// RefillEmpty is Refill for those of n reserves that are empty.
func (p *Pool) RefillEmpty(n int, reserve func(i int) *Reserve) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range n {
		if r := reserve(i); r.Empty() {
			p.refill(r)
		}
	}
}

func (p *Pool) refill(r *Reserve) {
	if p.count == 0 && p.lo == p.hi {
		p.restock()
	}
	if p.count == 0 {
		r.fresh, r.left = Ref(p.lo), refill
		p.lo += refill
		return
	}
	for range min(refill, p.count) {
		ref := p.free.First
		p.free.Remove(p.store, 0, ref)
		p.count--
		r.put(p.store, ref)
	}
}

// restock fetches cells from the store: used ones if it has any.
func (p *Pool) restock() {
	s := p.store
	s.mu.Lock()
	if s.count == 0 {
		p.lo, p.hi = s.fresh()
	} else {
		p.free, p.count = s.free, s.count
		s.free, s.count = List{}, 0
	}
	s.mu.Unlock()
}

// GiveBack puts a list of that many cells back.
func (p *Pool) GiveBack(l List, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.store.Cell(l.Last).Next = 0
	p.free.AppendList(p.store, l)
	p.count += n
	if p.count > surplus {
		p.store.giveBack(p.free, p.count)
		p.free, p.count = List{}, 0
	}
}
