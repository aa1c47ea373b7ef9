package tree

// schedule yields the waves after the root in order of time, for ever. A phase that has
// had a wave has its next one a step later, so phases take turns in a queue. A phase opens
// a delay after the one before it, unless it is that of the root again.
func (g *growth) schedule(yield func(place) bool) {
	var turns queue
	opening, more := g.targets(place{}), true
	for {
		next := opening
		if !more || !turns.empty() && g.time(turns.front()) < g.time(opening) {
			next = turns.pop()
		} else {
			opening, more = g.targets(next), next.phase != 0
		}
		if !yield(next) {
			return
		}
		turns.push(place{next.phase, next.slot + 1})
	}
}

// queue is first in, first out. It reuses its memory.
type queue struct {
	items []place
	head  int
}

func (q *queue) empty() bool  { return len(q.items) == 0 }
func (q *queue) front() place { return q.items[q.head] }
func (q *queue) push(p place) { q.items = append(q.items, p) }

func (q *queue) pop() place {
	p := q.items[q.head]
	q.head++
	if 2*q.head >= len(q.items) {
		q.items = q.items[:copy(q.items, q.items[q.head:])]
		q.head = 0
	}
	return p
}
