package history

import "math/bits"

// set is a set of operations, by number.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

// flip puts a member in, or takes it out.
func (s set) flip(i int) { s[i/64] ^= 1 << (i % 64) }

// all goes through the members in order. They may change meanwhile, if they are as before when it goes on.
func (s set) all(yield func(int) bool) {
	for w := range s {
		for rest := s[w]; rest != 0; rest &= rest - 1 {
			if !yield(w*64 + bits.TrailingZeros64(rest)) {
				return
			}
		}
	}
}

// last is the highest member; -1 if there is none.
func (s set) last() int {
	for w := len(s) - 1; w >= 0; w-- {
		if s[w] != 0 {
			return w*64 + bits.Len64(s[w]) - 1
		}
	}
	return -1
}
