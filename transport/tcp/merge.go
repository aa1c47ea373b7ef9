package tcp

import (
	"cmp"
	"container/heap"
	"slices"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// merger makes one list of what ranks have recorded, ordered by time. Where clocks leave open which of two events came first, causes come
// before their effects: a receive moves behind its send, and whatever its rank did afterwards behind the receive. What is received before it can have been
// sent, by clocks that differ as much as they may, stays there: that is no matter of clocks.
//
// Which send a receive belongs to is not recorded. Those that look the same are counted, as guarantees do.
type merger struct {
	byRank [][]recorded // in their own order
	next   []int        // how far that has come
	last   []time.Duration
	wrong  time.Duration // by how much two clocks may differ
	ready  rankHeap
	sent   map[content]*sends
	lost   map[*recorded]bool // sends of messages that got lost on the way: nobody waits for these
	all    []recorded
}

// content is all that events say about a message.
type content struct {
	from, to int
	kind     mailbox.Kind
	epoch    uint32
	a        int64
}

func (e *recorded) sent() content     { return content{e.Rank, e.Peer, e.Msg, e.Epoch, e.A} }
func (e *recorded) received() content { return content{e.Peer, e.Rank, e.Msg, e.Epoch, e.A} }

// sends are those of messages that look the same.
type sends struct {
	ahead   []time.Duration // when those were sent that are not in the list yet
	arrives []time.Duration // when those were sent that are, and have not been received
	waiting []int           // ranks that wait for the next one
}

func newMerger(byRank [][]recorded, wrong time.Duration) *merger {
	m := &merger{byRank: byRank, next: make([]int, len(byRank)), last: make([]time.Duration, len(byRank)), wrong: wrong, sent: make(map[content]*sends), lost: make(map[*recorded]bool)}
	for _, events := range byRank {
		slices.SortStableFunc(events, func(a, b recorded) int { return cmp.Compare(a.At, b.At) })
		m.loseSends(events)
		var last content
		for i := range events {
			switch e := &events[i]; e.Kind {
			case report.EventSend:
				last = e.sent()
				if !m.lost[e] {
					m.of(last).ahead = append(m.of(last).ahead, e.At)
				}
			case report.EventTwice:
				m.of(last).ahead = append(m.of(last).ahead, e.At)
			}
		}
	}
	return m
}

// loseSends finds the sends of a rank whose messages got lost: that follows them before the next send.
func (m *merger) loseSends(events []recorded) {
	var last *recorded
	for i := range events {
		switch e := &events[i]; e.Kind {
		case report.EventSend:
			last = e
		case report.EventCut, report.EventDrop:
			if last != nil && last.sent() == e.sent() {
				m.lost[last] = true
			}
		}
	}
}

// of are the sends of a message.
func (m *merger) of(c content) *sends {
	s := m.sent[c]
	if s == nil {
		s = new(sends)
		m.sent[c] = s
	}
	return s
}

// rankHeap has ranks by when their next events happened.
type rankHeap struct {
	ranks []int
	at    func(rank int) time.Duration
}

func (h *rankHeap) Len() int           { return len(h.ranks) }
func (h *rankHeap) Less(i, j int) bool { return h.before(h.ranks[i], h.ranks[j]) }
func (h *rankHeap) Swap(i, j int)      { h.ranks[i], h.ranks[j] = h.ranks[j], h.ranks[i] }
func (h *rankHeap) Push(rank any)      { h.ranks = append(h.ranks, rank.(int)) }
func (h *rankHeap) Pop() any {
	rank := h.ranks[len(h.ranks)-1]
	h.ranks = h.ranks[:len(h.ranks)-1]
	return rank
}

func (h *rankHeap) before(a, b int) bool {
	return cmp.Or(cmp.Compare(h.at(a), h.at(b)), cmp.Compare(a, b)) < 0
}

// merge goes through all events, each after what it waits for.
func (m *merger) merge() {
	m.ready.at = func(rank int) time.Duration { return max(m.last[rank], m.byRank[rank][m.next[rank]].At) }
	for rank := range m.byRank {
		m.wake(rank)
	}
	for {
		for m.ready.Len() > 0 {
			rank := heap.Pop(&m.ready).(int)
			if s := m.waitsFor(&m.byRank[rank][m.next[rank]]); s != nil {
				s.waiting = append(s.waiting, rank)
			} else {
				m.add(rank)
			}
		}
		rank, found := m.firstWaiting()
		if !found {
			return
		}
		m.add(rank) // two wait for each other: not all of that can have been sent before it was received
	}
}

// wake lets a rank go on, if it has more.
func (m *merger) wake(rank int) {
	if m.next[rank] < len(m.byRank[rank]) {
		heap.Push(&m.ready, rank)
	}
}

// waitsFor are the sends one of which must come before an event, and has not; nil if there is none, or it came too late to be waited for.
func (m *merger) waitsFor(e *recorded) *sends {
	if e.Kind != report.EventReceive {
		return nil
	}
	s := m.of(e.received())
	if len(s.arrives) > 0 || len(s.ahead) == 0 || s.ahead[0] > e.At+m.wrong {
		return nil
	}
	return s
}

// firstWaiting is the rank that has waited since the earliest instant, which does so no more.
func (m *merger) firstWaiting() (rank int, found bool) {
	var first *sends
	for _, s := range m.sent {
		for _, other := range s.waiting {
			if !found || m.ready.before(other, rank) {
				rank, first, found = other, s, true
			}
		}
	}
	if found {
		first.waiting = slices.DeleteFunc(first.waiting, func(other int) bool { return other == rank })
	}
	return rank, found
}

// add puts the next event of a rank into the list.
func (m *merger) add(rank int) {
	next := &m.byRank[rank][m.next[rank]]
	e := *next
	e.At = max(e.At, m.last[rank])
	switch e.Kind {
	case report.EventSend:
		if !m.lost[next] {
			m.send(e.sent(), e.At)
		}
	case report.EventTwice:
		m.send(m.lastSent(rank), e.At)
	case report.EventReceive:
		if s := m.of(e.received()); len(s.arrives) > 0 {
			e.At = max(e.At, s.arrives[0])
			s.arrives = s.arrives[1:]
		}
	}
	m.last[rank] = e.At
	m.all = append(m.all, e)
	m.next[rank]++
	m.wake(rank)
}

// send lets those go on who wait for a message.
func (m *merger) send(c content, at time.Duration) {
	s := m.of(c)
	s.ahead, s.arrives = s.ahead[1:], append(s.arrives, at)
	for _, rank := range s.waiting {
		m.wake(rank)
	}
	s.waiting = nil
}

// lastSent is the message that a rank has sent last.
func (m *merger) lastSent(rank int) content {
	for i := range slices.Backward(m.byRank[rank][:m.next[rank]]) {
		if e := &m.byRank[rank][i]; e.Kind == report.EventSend {
			return e.sent()
		}
	}
	return content{} // it has sent none
}

// loseAtCrashed says of messages that nobody has received that they were lost, if their receivers had crashed: there was nobody to record it. What
// ranks have received whose events are not known, is not known either.
func (m *merger) loseAtCrashed(unrecorded map[int]bool) {
	var lost []recorded
	for c, s := range m.sent {
		if unrecorded[c.to] {
			continue
		}
		for _, at := range s.arrives {
			if down, ok := m.downFrom(c.to, at); ok {
				lost = append(lost, recorded{report.Event{Kind: report.EventLost, Rank: c.to, Peer: c.from, Msg: c.kind, Epoch: c.epoch, A: c.a}, down})
			}
		}
	}
	slices.SortFunc(lost, func(a, b recorded) int {
		return cmp.Or(cmp.Compare(a.At, b.At), report.CompareEvents(a.Event, b.Event))
	})
	m.all = append(m.all, lost...)
}

// downFrom is from when on a rank was down that had not received a message sent at some instant: it was down already, or crashed later.
func (m *merger) downFrom(rank int, sent time.Duration) (from time.Duration, down bool) {
	for _, e := range m.byRank[rank] {
		switch {
		case e.Kind == report.EventCrash:
			from, down = max(e.At, sent), true
		case e.Kind == report.EventRejoin && e.At > sent && down:
			return from, true // it came while the rank was down, at the latest
		case e.Kind == report.EventRejoin:
			down = false
		}
	}
	return from, down
}

// inOrder are the events, at instants of the model.
func (m *merger) inOrder(tick time.Duration) []report.Event {
	slices.SortStableFunc(m.all, func(a, b recorded) int { return cmp.Compare(a.At, b.At) })
	events := make([]report.Event, len(m.all))
	for i := range m.all {
		events[i] = m.all[i].Event
		events[i].Time = clock.Time(m.all[i].At / tick)
	}
	return events
}

// moved are when ranks received something for the first time, if that had to be moved.
func (m *merger) moved(events []report.Event) map[int]clock.Time {
	first, moved := make(map[int]bool), make(map[int]clock.Time)
	for i := range events {
		if e := &events[i]; e.Kind == report.EventReceive && !first[e.Rank] {
			first[e.Rank] = true
			if e.Time != m.all[i].Time {
				moved[e.Rank] = e.Time
			}
		}
	}
	return moved
}
