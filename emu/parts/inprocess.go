package parts

import (
	"bytes"
	"context"
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
)

// InProcess makes a group of so many parts, for goroutines of one process. When ctx is done, all calls return its cause: a part that has
// ended for another reason than the others, by a panic for example, must not leave them waiting.
func InProcess(ctx context.Context, count int) []Mail {
	shared := &meeting{ctx: ctx, count: count, given: make([]contribution, count), boxes: make([]box, count)}
	shared.next = make(chan struct{})
	all := make([]Mail, count)
	for i := range all {
		shared.boxes[i].filled = make(chan struct{}, 1)
		all[i] = &member{meeting: shared, index: i}
	}
	return all
}

// contribution is what a part gives in one call.
type contribution struct {
	min clock.Time
	out [][]byte
}

// meeting is where the parts wait for each other.
type meeting struct {
	ctx   context.Context
	count int

	mu      sync.Mutex
	arrived int
	given   []contribution
	all     []contribution // of the last meeting, which nobody changes
	next    chan struct{}  // closed when all have arrived
	boxes   []box          // of all parts
}

// box is the messages for one part.
type box struct {
	mail   []parcel
	filled chan struct{} // there may be some
}

// parcel is a message with its sender.
type parcel struct {
	from    int
	message []byte
}

// meet gives a contribution, and returns those of all when they are there.
func (m *meeting) meet(index int, c contribution) ([]contribution, error) {
	m.mu.Lock()
	next := m.next
	m.given[index] = c
	if m.arrived++; m.arrived == m.count {
		m.all, m.given = m.given, make([]contribution, m.count)
		m.arrived, m.next = 0, make(chan struct{})
		close(next)
	}
	m.mu.Unlock()
	select {
	case <-next:
	case <-m.ctx.Done():
		return nil, context.Cause(m.ctx)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.all, nil // the next meeting is not over before this part has been there
}

// member is one part of a group in a process.
type member struct {
	*meeting
	index int
}

func (m *member) Index() int { return m.index }
func (m *member) Count() int { return m.count }

func (m *member) Min(t clock.Time) (clock.Time, error) {
	all, err := m.meet(m.index, contribution{min: t})
	for _, c := range all {
		t = min(t, c.min)
	}
	return t, err
}

// Exchange copies, as others write into their batches again while this one reads.
func (m *member) Exchange(out [][]byte) (in [][]byte, err error) {
	copies := make([][]byte, len(out))
	for i := range out {
		copies[i] = bytes.Clone(out[i])
	}
	all, err := m.meet(m.index, contribution{out: copies})
	if err != nil {
		return nil, err
	}
	in = make([][]byte, len(all))
	for i, c := range all {
		in[i] = c.out[m.index]
	}
	return in, nil
}

func (m *member) Send(to int, message []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := &m.boxes[to]
	b.mail = append(b.mail, parcel{m.index, bytes.Clone(message)})
	select {
	case b.filled <- struct{}{}:
	default: // it is known
	}
	return nil
}

func (m *member) Receive() (from int, message []byte, err error) {
	b := &m.boxes[m.index]
	for {
		if p, ok := m.take(b); ok {
			return p.from, p.message, nil
		}
		select {
		case <-b.filled:
		case <-m.ctx.Done():
			return 0, nil, context.Cause(m.ctx)
		}
	}
}

// take takes the first message out.
func (m *member) take(b *box) (p parcel, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(b.mail) == 0 {
		return p, false
	}
	p, b.mail = b.mail[0], b.mail[1:]
	return p, true
}
