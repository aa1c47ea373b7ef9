package gossip

import (
	"github.com/mangrove-emu/mangrove/internal/splitmix"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Partners returns whom a rank sends its n-th gossip message to, counted from 0: any rank but
// itself, or Nobody. There are at least two ranks. With rounds, n is the round.
type Partners func(p protocols.Proc, n int) int

// Nobody is no partner: the rank lets the time of a message pass, or a round.
const Nobody = -1

// Random draws a partner for each message.
func Random(p protocols.Proc, _ int) int { return other(p, p.Rand().IntN(p.Size()-1)) }

// Fixed gives every rank partners that look random and are the same in each run, as on machines
// where connections are made once.
func Fixed(p protocols.Proc, n int) int {
	drawn := splitmix.At(uint64(p.Rank())<<32|uint64(uint32(n)), 1)
	return other(p, int(drawn%uint64(p.Size()-1)))
}

// Table gives each rank the partners that are listed for it, one after the other, and then
// nobody. It is for examples and tests.
func Table(lists map[int][]int) Partners {
	return func(p protocols.Proc, n int) int {
		if list := lists[p.Rank()]; n < len(list) {
			return list[n]
		}
		return Nobody
	}
}

// other numbers the ranks but this one.
func other(p protocols.Proc, i int) int {
	if i >= p.Rank() {
		i++
	}
	return i
}
