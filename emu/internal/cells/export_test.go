package cells

// Used is how many cells have ever been used since the store was cleared.
func (s *Store) Used() int { return int(s.next) - 1<<firstSegmentBits }

// Reserved is how many cells the store has memory for, and how many of them can have payloads.
func (s *Store) Reserved() (cells, payloads int) {
	for k := range s.segments {
		cells += len(s.segments[k].cells)
		payloads += len(s.segments[k].payloads) << pageBits
	}
	return cells, payloads
}

// Payload is what the side table has for a cell.
func (s *Store) Payload(ref Ref) string { return *s.payload(ref) }
