package tpch

import "slices"

// Set is a set of customer keys. It never changes, and is safe for concurrent use. The zero
// Set is empty.
type Set struct {
	// words has a bit for every key up to the largest: 19 KB for each unit of scale.
	words []uint64
}

// NewSet returns the set of all keys in the lists. Keys may repeat and be in any order; none
// is negative.
func NewSet(lists ...[]int32) Set {
	size := 0
	for _, keys := range lists {
		if len(keys) > 0 {
			last, _ := place(slices.Max(keys))
			size = max(size, last+1)
		}
	}
	words := make([]uint64, size)
	for _, keys := range lists {
		for _, key := range keys {
			word, bit := place(key)
			words[word] |= bit
		}
	}
	return Set{words}
}

// Equal reports whether both have the same keys.
func (s Set) Equal(other Set) bool { return slices.Equal(s.words, other.words) }

// has reports whether a key is in the set.
func (s Set) has(key int32) bool {
	word, bit := place(key)
	return word < len(s.words) && s.words[word]&bit != 0
}

// place is where the bit of a key is. Negative keys have theirs beyond all others.
func place(key int32) (word int, bit uint64) {
	return int(uint32(key) / 64), 1 << (uint32(key) % 64)
}
