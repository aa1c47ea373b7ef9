package emu

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// streams are the random streams of all ranks. They are made together, when the first rank asks
// for its own: many programs need none, and a rank's small stack is no place to allocate from.
type streams struct {
	all  atomic.Pointer[[]stream]
	mu   sync.Mutex
	size int
	run  uint64 // counts runs, so that streams of an earlier one are recognised
}

// stream is the random stream of one rank.
type stream struct {
	pcg  rand.PCG
	rand rand.Rand
	run  uint64 // for which it was seeded
}

// of returns the stream of a rank, by its place and its number, as it is at the beginning of a run if this is the first use.
func (s *streams) of(place, rank int, seed uint64) *rand.Rand {
	all := s.all.Load()
	if all == nil {
		all = s.make()
	}
	x := &(*all)[place]
	if x.run != s.run {
		x.run = s.run
		x.pcg.Seed(seed, uint64(rank))
	}
	return &x.rand
}

// restart has the stream of a rank begin again.
func (s *streams) restart(place int) {
	if all := s.all.Load(); all != nil {
		(*all)[place].run = 0
	}
}

func (s *streams) make() *[]stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all := s.all.Load(); all != nil {
		return all
	}
	all := make([]stream, s.size)
	for i := range all {
		all[i].rand = *rand.New(&all[i].pcg)
	}
	s.all.Store(&all)
	return &all
}
