package ulfm

import "slices"

// inbox are messages that no receive has matched, in the order of arrival. Mostly one of the first is the next to be taken; its place is
// used again when there is no other left, so that a rank with many messages does not take new memory for each.
type inbox struct {
	all   []envelope
	taken int // of the first ones
}

// waiting are those that are there. They are good until the next change.
func (b *inbox) waiting() []envelope { return b.all[b.taken:] }

// find is where the first of them is that a receive matches, -1 if there is none.
func (b *inbox) find(r *Request) int {
	there := b.waiting()
	for i := range there { // not IndexFunc, which would copy each
		if r.matches(&there[i]) {
			return i
		}
	}
	return -1
}

// put takes a message in.
func (b *inbox) put(e envelope) {
	if len(b.all) == cap(b.all) && 2*b.taken >= len(b.all) {
		b.all = slices.Delete(b.all, 0, b.taken)
		b.taken = 0
	}
	b.all = append(b.all, e)
}

// take takes the i-th out that is there.
func (b *inbox) take(i int) (e envelope) {
	there := b.waiting()
	e = there[i]
	if i < len(there)/2+1 {
		copy(there[1:], there[:i])
		there[0] = envelope{}
		b.taken++
	} else {
		b.all = slices.Delete(b.all, b.taken+i, b.taken+i+1)
	}
	if b.taken == len(b.all) {
		b.all, b.taken = b.all[:0], 0
	}
	return e
}
