package emu

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
)

// Between two windows each part gives a batch to each other one: what all must know, then mail for the ranks of that part. What all must
// know is when the part has something to do next, whether it was told to stop, an error that ends the run, what its failure detector has noticed,
// and what reaches the bottleneck of a contended network.

var errCancelledElsewhere = fmt.Errorf("another part was told to stop: %w", context.Canceled)

// exchange takes this part's next event to the others, with all that has come up in the last window, and returns the earliest one of all. Much mail goes
// in several exchanges, for which little memory is needed.
func (m *Machine) exchange(next clock.Time) clock.Time {
	a := m.abroad
	if a == nil || a.lost != nil {
		return next
	}
	head := m.news(next)
	packets := m.bottleneck.own()
	for part := range a.out {
		a.out[part] = append(a.out[part][:0], 0)
		a.out[part] = append(a.out[part], head...)
		a.out[part] = m.appendPackets(a.out[part], part, packets)
	}
	m.freeAbroad(packets)
	for first := true; ; first = false {
		in, more, err := a.exchange(len(m.ranks))
		if err != nil {
			a.lost = err
			return next
		}
		for part, batch := range in {
			if part == a.group.Index() {
				continue
			}
			from := reader(batch)
			more = from.flag() || more
			if first {
				next = min(next, m.takeNews(&from))
			}
			m.takeMail(from)
		}
		if !more {
			return next
		}
		for part := range a.out {
			a.out[part] = append(a.out[part][:0], 0)
		}
	}
}

// exchangedBytes is about how much mail goes to others in one exchange: so many bytes for each rank of this part, divided among all, but at least so many
// to each: in a tree, all the mail of a part may go to one other.
var exchangedBytes = struct{ perRank, each int }{4, 256 << 10} // tests have less

// exchange sends what is in the batches, and mail behind it as long as there is room. The first byte of a batch says whether more is to come, which this
// part knows of itself.
func (a *abroad) exchange(ranks int) (in [][]byte, more bool, err error) {
	enough := max(exchangedBytes.each, exchangedBytes.perRank*ranks/len(a.out))
	for part := range a.out {
		for i := range a.mail {
			bag := &a.mail[i].to[part]
			a.out[part] = bag.send(a.out[part], enough, &a.paper)
			more = more || len(bag.sheets) > 0
		}
	}
	if more {
		for part := range a.out {
			a.out[part][0] = 1
		}
	}
	in, err = a.group.Exchange(a.out)
	return in, more, err
}

// news is what all must know.
func (m *Machine) news(next clock.Time) []byte {
	head := binary.AppendVarint(nil, int64(next))
	m.abroad.stopped = m.stopping.Load() // it may be told so right after this
	head = appendFlag(head, m.abroad.stopped)
	head = m.failure.append(head)
	head = binary.AppendUvarint(head, uint64(len(m.detector.happened)))
	for _, i := range m.detector.happened {
		head = binary.AppendVarint(head, int64(i.at))
		head = binary.AppendVarint(head, int64(i.rank))
		head = appendFlag(head, i.slow)
	}
	return head
}

func appendFlag(batch []byte, set bool) []byte {
	if set {
		return append(batch, 1)
	}
	return append(batch, 0)
}

// takeNews takes in what another part has told all, and returns when that has something to do next.
func (m *Machine) takeNews(in *reader) (next clock.Time) {
	next = clock.Time(in.number())
	if in.flag() {
		m.abroad.stopped = true
	}
	if err := in.failure(); err != nil {
		m.fail(err)
	}
	for range in.count() {
		m.detector.happened = append(m.detector.happened, incident{at: clock.Time(in.number()), rank: int32(in.number()), slow: in.flag()})
	}
	if m.bottleneck != nil {
		in.packets(m)
	}
	return next
}

// takeMail puts the messages of another part under way here.
func (m *Machine) takeMail(in reader) {
	for len(in) > 0 {
		l := in.letter()
		ref, c := m.deliver(&l)
		m.out.push(l.to-m.block.First, ref, c)
	}
}

// reader is what is left of a batch.
type reader []byte

func (r *reader) number() int64 {
	n, size := binary.Varint(*r)
	*r = (*r)[size:]
	return n
}

func (r *reader) count() uint64 {
	n, size := binary.Uvarint(*r)
	*r = (*r)[size:]
	return n
}

func (r *reader) flag() bool {
	set := (*r)[0] != 0
	*r = (*r)[1:]
	return set
}

func (r *reader) bytes() []byte {
	n := r.count()
	b := (*r)[:n]
	*r = (*r)[n:]
	return b
}

// append adds the error that ends the run, if there is one.
func (f *failure) append(head []byte) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	var text []byte
	switch e := f.err.(type) {
	case *PanicError:
		text, _ = json.Marshal(errorElsewhere{Panic: &panicElsewhere{e.Rank, e.Time, e.what(), string(e.Stack)}})
	case *StepLimitError:
		text, _ = json.Marshal(errorElsewhere{Stuck: e})
	}
	head = binary.AppendUvarint(head, uint64(len(text)))
	return append(head, text...)
}

// lastFailure is the error of a deferred function that panicked just now, when the goroutines of ranks that still waited were ended. All parts must
// have it, as there is no report then.
func (m *Machine) lastFailure() error {
	a := m.abroad
	if a == nil {
		return m.failure.err
	}
	own := m.failure.append(nil)
	for part := range a.out {
		a.out[part] = append(a.out[part][:0], own...)
	}
	in, err := a.group.Exchange(a.out)
	if err != nil {
		return err
	}
	for part, batch := range in {
		elsewhere := reader(batch)
		if err := elsewhere.failure(); err != nil && part != a.group.Index() {
			m.fail(err)
		}
	}
	return m.failure.err
}

// errorElsewhere is an error that ends a run, on its way to other parts.
type errorElsewhere struct {
	Panic *panicElsewhere
	Stuck *StepLimitError
}

type panicElsewhere struct {
	Rank  int
	Time  clock.Time
	Value string
	Stack string
}

// failure takes the error that ends the run, if there is one.
func (r *reader) failure() error {
	text := r.bytes()
	if len(text) == 0 {
		return nil
	}
	var e errorElsewhere
	if err := json.Unmarshal(text, &e); err != nil {
		return err
	}
	if e.Panic != nil {
		return &PanicError{Rank: e.Panic.Rank, Time: e.Panic.Time, Value: e.Panic.Value, Stack: []byte(e.Panic.Stack)}
	}
	return e.Stuck
}
