package proctest

import (
	"maps"
	"sync"
)

// notebook has what the ranks of this process have observed in a run. It can be read when that is over, however it ended.
type notebook[T any] struct {
	mu    sync.Mutex
	pages map[int]page[T] // by rank
}

// page is what one rank has observed, in all its lives.
type page[T any] struct {
	Returned int // how often its program has
	Noted    T
}

// open notes that a rank runs in this process.
func (b *notebook[T]) open(rank int) { b.write(rank, func(*page[T]) {}) }

// close notes that the program of a rank has returned.
func (b *notebook[T]) close(rank int) { b.write(rank, func(p *page[T]) { p.Returned++ }) }

// note changes what a rank has noted down.
func (b *notebook[T]) note(rank int, change func(own *T)) {
	b.write(rank, func(p *page[T]) { change(&p.Noted) })
}

func (b *notebook[T]) write(rank int, change func(*page[T])) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.pages[rank]
	change(&p)
	b.pages[rank] = p
}

// read returns all pages as they are now: programs of a broken machine may still be running.
func (b *notebook[T]) read() map[int]page[T] {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.pages)
}
