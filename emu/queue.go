package emu

import "github.com/mangrove-emu/mangrove/clock"

// queue holds what is to come, the earliest first: a binary heap, in which no element comes
// before its parent, the one at half its place.
type queue[T timed[T]] []T

// timed is what a queue holds. Its order must be total, so that no order of chance shows.
type timed[T any] interface {
	when() clock.Time
	compare(T) int
}

// next is when the first element is due, or clock.Never.
func (q queue[T]) next() clock.Time {
	if len(q) == 0 {
		return clock.Never
	}
	return q[0].when()
}

func (q *queue[T]) push(x T) {
	h := append(*q, x)
	*q = h
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if h[parent].compare(h[i]) <= 0 {
			return
		}
		h[parent], h[i] = h[i], h[parent]
		i = parent
	}
}

// pop removes the first element.
func (q *queue[T]) pop() T {
	h := *q
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	*q = h
	for i := 0; 2*i+1 < last; {
		child := 2*i + 1
		if child+1 < last && h[child+1].compare(h[child]) < 0 {
			child++
		}
		if h[i].compare(h[child]) <= 0 {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	return first
}
