package cells

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// List is a chain of cells, linked by Next. The zero List is empty.
type List struct{ First, Last Ref }

// Append puts a cell at the end.
func (l *List) Append(s *Store, ref Ref) {
	s.Cell(ref).Next = 0
	if l.First == 0 {
		l.First = ref
	} else {
		s.Cell(l.Last).Next = ref
	}
	l.Last = ref
}

// AppendList puts all cells of m at the end.
func (l *List) AppendList(s *Store, m List) {
	switch {
	case m.First == 0:
	case l.First == 0:
		*l = m
	default:
		s.Cell(l.Last).Next = m.First
		l.Last = m.Last
	}
}

// Remove takes the cell after prev (0: the first one) out of the list.
func (l *List) Remove(s *Store, prev, ref Ref) {
	next := s.Cell(ref).Next
	if prev == 0 {
		l.First = next
	} else {
		s.Cell(prev).Next = next
	}
	if l.Last == ref {
		l.Last = prev
	}
}

// Find returns the first message that w accepts, the one before it in the list, and its
// At; or 0 and clock.Never.
func (l *List) Find(s *Store, w mailbox.Want) (prev, ref Ref, at clock.Time) {
	for ref = l.First; ref != 0; ref = s.Cell(ref).Next {
		if c := s.Cell(ref); w.Accepts(int(c.From), c.Kind, c.Epoch) {
			return prev, ref, c.At
		}
		prev = ref
	}
	return 0, 0, clock.Never
}

// Take empties the list and returns what was in it.
func (l *List) Take() List {
	all := *l
	*l = List{}
	return all
}

// before is the order in which messages that reach one rank are received: by arrival,
// then by sender. Messages of one sender stay in the order in which they were sent.
func before(a, b *Cell) bool {
	return a.At < b.At || a.At == b.At && a.From < b.From
}

// SortArrivals orders a chain that was built by pushing each new cell in front, and
// returns its first cell. Few cells are the rule; many (a rank that all others answer)
// must not take quadratic time.
func (s *Store) SortArrivals(chain Ref) Ref {
	if s.Cell(chain).Next == 0 {
		return chain
	}
	var few [8]Ref
	n := len(few)
	for ref := chain; ref != 0; ref = s.Cell(ref).Next {
		if n == 0 {
			return s.mergeSort(s.reverse(chain))
		}
		n--
		few[n] = ref
	}
	return s.insertionSort(few[n:])
}

// Distinct reports whether a look at two lists is enough to tell that no two of their messages have the same sender: they are few.
func (s *Store) Distinct(a, b Ref) bool {
	var senders [8]int32
	n := 0
	for _, ref := range [...]Ref{a, b} {
		for ; ref != 0; n++ {
			c := s.Cell(ref)
			if n == len(senders) || slices.Contains(senders[:n], c.From) {
				return false
			}
			senders[n], ref = c.From, c.Next
		}
	}
	return true
}

func (s *Store) insertionSort(refs []Ref) Ref {
	for i := 1; i < len(refs); i++ {
		moving := refs[i]
		c := s.Cell(moving)
		j := i
		for ; j > 0 && before(c, s.Cell(refs[j-1])); j-- {
			refs[j] = refs[j-1]
		}
		refs[j] = moving
	}
	for i, ref := range refs[:len(refs)-1] {
		s.Cell(ref).Next = refs[i+1]
	}
	s.Cell(refs[len(refs)-1]).Next = 0
	return refs[0]
}

func (s *Store) reverse(chain Ref) Ref {
	var done Ref
	for chain != 0 {
		c := s.Cell(chain)
		chain, c.Next, done = c.Next, done, chain
	}
	return done
}

// mergeSort sorts a list bottom up: level i holds a sorted run of 2^i cells or none.
func (s *Store) mergeSort(list Ref) Ref {
	var runs [32]Ref
	for list != 0 {
		run := list
		list = s.Cell(run).Next
		s.Cell(run).Next = 0
		level := 0
		for ; runs[level] != 0; level++ {
			run = s.Merge(runs[level], run)
			runs[level] = 0
		}
		runs[level] = run
	}
	var sorted Ref
	for _, run := range runs {
		sorted = s.Merge(run, sorted)
	}
	return sorted
}

// Merge joins two lists sorted by arrival and sender; on equality a's cells come first.
func (s *Store) Merge(a, b Ref) Ref {
	var joined List
	for a != 0 && b != 0 {
		take := &a
		if before(s.Cell(b), s.Cell(a)) {
			take = &b
		}
		ref := *take
		*take = s.Cell(ref).Next
		joined.Append(s, ref)
	}
	rest := a + b // one of them is 0
	if joined.First == 0 {
		return rest
	}
	s.Cell(joined.Last).Next = rest
	return joined.First
}
