package cells

// Used is how many cells have ever been used since the store was cleared.
func (s *Store) Used() int { return int(s.next) - 1<<firstSegmentBits }
