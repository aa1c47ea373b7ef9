package cause

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// follower is what must be known of the events so far.
type follower struct {
	*trail
	flying map[content][]int32 // messages under way, each link's in the order in which they come
	copies map[content][]int32 // likewise, those that come once more, in no order
	boxes  map[content][]int32 // messages received and not taken
	last   map[[2]int]int32    // the last message that a rank has sent to another
	sends  []int               // of each rank that are complete
	lives  []int
}

func (f *follower) event(i int32) {
	e := &f.events[i]
	if acts(e.Kind) {
		f.place[i] = int32(len(f.acts[e.Rank]))
		f.acts[e.Rank] = append(f.acts[e.Rank], i)
	}
	switch e.Kind {
	case report.EventSend:
		m := f.add(i, sentBy(e), f.sends[e.Rank]+1)
		f.messages[m].due = e.Time
		if before, ok := f.last[[2]int{e.Rank, e.Peer}]; ok {
			f.messages[m].due = max(e.Time, f.messages[before].due) // no message overtakes another one
		}
		f.sends[e.Rank]++
		f.push(f.flying, content{alike: sentBy(e), a: e.A}, m)
		f.last[[2]int{e.Rank, e.Peer}] = m
	case report.EventSendLost:
		f.add(i, sentBy(e), f.sends[e.Rank]+1)
	case report.EventReceive:
		if m := f.popDue(content{alike: takenBy(e), a: e.A}); m != none {
			f.messages[m].received = i
			f.push(f.boxes, content{takenBy(e), e.A, f.lives[e.Rank]}, m)
		}
	case report.EventTake:
		if m := f.pop(f.boxes, content{takenBy(e), e.A, f.lives[e.Rank]}); m != none {
			f.messages[m].taken = i
			f.taken[i] = m
		}
	case report.EventLost:
		if m := f.popDue(content{alike: takenBy(e), a: e.A}); m != none {
			f.messages[m].lost = i
		}
	case report.EventCut, report.EventDrop:
		if m := f.popLast(f.flying, content{alike: sentBy(e), a: e.A}); m != none {
			f.messages[m].lost, f.messages[m].left = i, e.Time
		}
	case report.EventLate:
		if m, ok := f.last[[2]int{e.Rank, e.Peer}]; ok {
			x := &f.messages[m]
			x.late, x.left = clock.Time(e.A), e.Time
			x.due = max(x.due, f.events[x.send].Time+x.late)
		}
	case report.EventTwice:
		f.again(e)
	case report.EventRejoin:
		f.lives[e.Rank]++
	}
}

// again is a message that is under way once more.
func (f *follower) again(e *report.Event) {
	first, ok := f.last[[2]int{e.Rank, e.Peer}]
	if !ok {
		return
	}
	send := &f.events[f.messages[first].send]
	m := f.add(f.messages[first].send, sentBy(send), f.messages[first].n)
	f.messages[m].again, f.messages[m].left = true, e.Time
	f.messages[m].late = f.messages[first].late + clock.Time(e.A)
	f.messages[m].due = f.messages[first].due + clock.Time(e.A)
	f.push(f.copies, content{alike: sentBy(send), a: send.A}, m)
}

// add makes a message. Those that come once more are not counted among those alike, for that would shift all later ones.
func (f *follower) add(send int32, key alike, n int) int32 {
	m := int32(len(f.messages))
	_, again := f.sent[send]
	f.messages = append(f.messages, message{send: send, received: none, taken: none, lost: none, n: n, index: len(f.alike[key])})
	if !again {
		f.alike[key] = append(f.alike[key], m)
		f.sent[send] = m
	}
	return m
}

func (f *follower) push(queues map[content][]int32, key content, m int32) {
	queues[key] = append(queues[key], m)
}

// pop takes out the message that has been there longest.
func (f *follower) pop(queues map[content][]int32, key content) int32 {
	q := queues[key]
	switch len(q) {
	case 0:
		return none
	case 1:
		delete(queues, key)
	default:
		queues[key] = q[1:]
	}
	return q[0]
}

// popDue takes out the message under way that is due first. Of some that are the same in all it may be another one that has come first, which makes no difference.
func (f *follower) popDue(key content) int32 {
	copies, first := f.copies[key], f.flying[key]
	i := 0
	for j, m := range copies {
		if f.messages[m].due < f.messages[copies[i]].due {
			i = j
		}
	}
	if len(copies) == 0 || len(first) > 0 && f.messages[first[0]].due < f.messages[copies[i]].due {
		return f.pop(f.flying, key)
	}
	m := copies[i]
	f.copies[key] = slices.Delete(copies, i, i+1)
	return m
}

// popLast takes out the message that was sent last.
func (f *follower) popLast(queues map[content][]int32, key content) int32 {
	q := queues[key]
	if len(q) == 0 {
		return none
	}
	queues[key] = q[:len(q)-1]
	return q[len(q)-1]
}
