package emu

import "iter"

// pile is a list that is not copied when it grows. What all ranks leave in a window may be much, and then little for the rest of the
// run: a list that doubles would have taken three times the memory.
type pile[T any] struct {
	blocks [][]T // each is full before the next one is begun
	at     int   // the one that is being filled
}

// A block is twice as long as the one before, up to so many times.
const (
	firstBlock = 64
	doublings  = 6
)

// add puts one on the pile.
func (p *pile[T]) add(x T) {
	if p.at < len(p.blocks) && len(p.blocks[p.at]) == cap(p.blocks[p.at]) {
		p.at++
	}
	if p.at == len(p.blocks) {
		p.blocks = append(p.blocks, make([]T, 0, firstBlock<<min(p.at, doublings)))
	}
	p.blocks[p.at] = append(p.blocks[p.at], x)
}

// all are those on the pile, in the order in which they were put there.
func (p *pile[T]) all() iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, block := range p.blocks {
			for _, x := range block {
				if !yield(x) {
					return
				}
			}
		}
	}
}

// clear empties the pile, and keeps its room.
func (p *pile[T]) clear() {
	for i := range p.blocks {
		p.blocks[i] = p.blocks[i][:0]
	}
	p.at = 0
}
