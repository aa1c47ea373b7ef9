package cells

// Reserve is the free cells of one rank. What it receives pays for what it sends; when it
// runs out it is refilled from a Pool, and what it has in excess goes back there.
type Reserve struct {
	free  Ref   // a list of cells that were used
	fresh Ref   // the first of a run of cells that were not; not touched before use
	left  uint8 // the length of that run
	used  uint8 // the length of the list
}

const (
	refill = 4 // how many cells a reserve gets at once; restock is a multiple of it

	// MaxReserve is how many used cells a reserve keeps for what the rank sends.
	MaxReserve = 8
)

// Empty reports whether there is no cell left.
func (r *Reserve) Empty() bool { return r.left == 0 && r.free == 0 }

// Used reports whether there are used cells in it.
func (r *Reserve) Used() bool { return r.free != 0 }

// Take takes a cell out. The reserve must not be empty.
func (r *Reserve) Take(s *Store) Ref {
	if ref := r.free; ref != 0 {
		r.free = s.Cell(ref).Next
		r.used--
		return ref
	}
	ref := r.fresh
	r.fresh++
	r.left--
	return ref
}

// Put puts a cell in, and reports whether there are more than so many now.
func (r *Reserve) Put(s *Store, ref Ref, most uint8) (excess bool) {
	r.put(s, ref)
	return r.used > most
}

func (r *Reserve) put(s *Store, ref Ref) {
	s.Cell(ref).Next = r.free
	r.free = ref
	r.used++
}

// Drain takes out all used cells, and says how many they are. There must be some.
func (r *Reserve) Drain(s *Store) (l List, n int) {
	l = List{First: r.free, Last: r.free}
	for next := s.Cell(l.Last).Next; next != 0; next = s.Cell(l.Last).Next {
		l.Last = next
	}
	n = int(r.used)
	r.free, r.used = 0, 0
	return l, n
}
