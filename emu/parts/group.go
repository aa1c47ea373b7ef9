package parts

import "github.com/mangrove-emu/mangrove/clock"

// Group is what the parts of a machine have in common. All of them make the same calls in the same order; a call returns when all have made it.
// An error says that somebody is gone: then nothing can be agreed on any more.
type Group interface {
	// Index is the number of this part, from 0.
	Index() int
	// Count is how many parts there are.
	Count() int
	// Min returns the smallest of what all parts give.
	Min(t clock.Time) (clock.Time, error)
	// Exchange gives out[i] to part i, and returns what part i has given to this one as in[i]. It does not keep out, and what
	// it returns may be overwritten by the next call.
	Exchange(out [][]byte) (in [][]byte, err error)
}

// Block is a part's share of the ranks: from First on, Len of them, none if there are more parts than ranks.
type Block struct{ First, Len int }

// BlockOf is the block of the i-th of so many parts.
func BlockOf(i, count, ranks int) Block {
	size := blockSize(count, ranks)
	first := min(i*size, ranks)
	return Block{First: first, Len: min(size, ranks-first)}
}

// Owner is the part that a rank belongs to.
func Owner(rank, count, ranks int) int { return rank / blockSize(count, ranks) }

// blockSize is how many ranks all parts have but the last ones.
func blockSize(count, ranks int) int { return (ranks + count - 1) / count }
