package mailbox

// Purse is the free cells of one rank. What it receives pays for what it sends; when it
// runs out it takes from a Shelf, and what it has in excess it gives back.
type Purse struct {
	free  Ref   // a list of cells that were used
	fresh Ref   // the first of a run of cells that were not; not touched before use
	left  uint8 // the length of that run
	used  uint8 // the length of the list
}

const (
	purseful = 4 // how many fresh cells a purse gets at once; restock is a multiple of it
	maxPurse = 8 // how many used cells it keeps
)

// Empty reports whether there is no cell left.
func (p *Purse) Empty() bool { return p.left == 0 && p.free == 0 }

// Pay takes a cell out. The purse must not be empty.
func (p *Purse) Pay(s *Store) Ref {
	if ref := p.free; ref != 0 {
		p.free = s.Cell(ref).Next
		p.used--
		return ref
	}
	ref := p.fresh
	p.fresh++
	p.left--
	return ref
}

// Earn puts a cell in, and reports whether there are too many now.
func (p *Purse) Earn(s *Store, ref Ref) (excess bool) {
	p.put(s, ref)
	return p.used > maxPurse
}

func (p *Purse) put(s *Store, ref Ref) {
	s.Cell(ref).Next = p.free
	p.free = ref
	p.used++
}

// Excess empties the purse of its used cells and returns them, and how many they are.
func (p *Purse) Excess(s *Store) (l List, n int) {
	l = List{First: p.free, Last: p.free}
	for next := s.Cell(l.Last).Next; next != 0; next = s.Cell(l.Last).Next {
		l.Last = next
	}
	n = int(p.used)
	p.free, p.used = 0, 0
	return l, n
}
