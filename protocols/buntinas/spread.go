package buntinas

// spread sends the message to the rank's children. The rank is responsible for itself and for
// those behind it, up to the end. The first live rank of the upper half becomes responsible for
// that half; then the same with the lower half, until nobody is left but the rank itself. If
// the number is odd, the lower half has one more: it is served later, but without a message
// to begin with. So with all ranks alive the tree is binomial, and never deeper than that.
//
// If there are no children, the rank answers at once.
func (m *member) spread(end int) {
	place := m.place(m.p.Rank())
	for end > place+1 {
		middle := place + (end-place+1)/2
		if child := m.firstLive(middle, end); child < end {
			m.detector.Watch(m.rank(child))
			m.pending = append(m.pending, m.rank(child))
			m.p.Send(m.rank(child), pack(m.message, m.attempt, end, m.failed.between(child+1, end)))
		}
		end = middle
	}
	if len(m.pending) == 0 {
		m.reply(Ack)
	}
}

// firstLive returns the first place from low on whose rank is not known to have failed, or
// high.
func (m *member) firstLive(low, high int) int {
	for low < high && (m.failed.has(low) || m.detector.Suspects(m.rank(low))) {
		low++
	}
	return low
}
