package emu

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// When a run is over, each part gives part 0 what it knows of its own ranks; the report of part 0 is then that of the whole run.

// share is what a part knows of its ranks besides their results and events.
type share struct {
	Messages, Wakes int64
	Hash            report.Hash
	Quiescence      clock.Time
	Colouring, Exit clock.Time
	Failed          []report.Failure
	Unreached       []int
	Waits           []report.Wait
	Losses          []report.Loss
	Histories       map[int]faults.History
	Bytes           memory
}

// gather brings what all parts have to part 0. To the others it returns nothing.
func (m *Machine) gather(rep *report.Report, waits []report.Wait, losses []report.Loss, bytes memory) ([]report.Wait, []report.Loss, memory, error) {
	own := share{
		Messages: rep.Messages, Wakes: rep.Wakes, Hash: rep.Hash, Quiescence: rep.Quiescence, Colouring: rep.Colouring, Exit: rep.Exit,
		Failed: rep.Failed, Unreached: rep.Unreached, Waits: waits, Losses: losses, Histories: m.histories(), Bytes: bytes,
	}
	batch, err := m.appendShare(nil, &own, rep.Events)
	in, err := m.abroad.collect(batch, err)
	if err != nil || m.abroad.group.Index() != 0 {
		return nil, nil, 0, err
	}
	for part, batch := range in[1:] {
		if err := m.takeShare(part+1, batch, &own, rep); err != nil {
			return nil, nil, 0, err
		}
	}
	rep.Messages, rep.Wakes, rep.Hash, rep.Quiescence, rep.Colouring, rep.Exit = own.Messages, own.Wakes, own.Hash, own.Quiescence, own.Colouring, own.Exit
	rep.Failed, rep.Unreached = own.Failed, own.Unreached
	slices.SortStableFunc(rep.Events, report.CompareEvents)
	return own.Waits, own.Losses, own.Bytes, nil
}

// collect gives a batch to part 0, which gets those of all.
func (a *abroad) collect(batch []byte, err error) ([][]byte, error) {
	if err = cmp.Or(err, a.lost); err != nil {
		return nil, err
	}
	for part := range a.out {
		a.out[part] = a.out[part][:0]
	}
	a.out[0] = append(a.out[0], batch...)
	return a.group.Exchange(a.out)
}

// histories say how far the ranks with faults have come.
func (m *Machine) histories() map[int]faults.History {
	all := make(map[int]faults.History)
	for r := range m.faultyRanks() {
		all[int(r.id)] = r.extra.faults.History()
	}
	return all
}

// appendShare writes what a part knows.
func (m *Machine) appendShare(batch []byte, s *share, events []report.Event) ([]byte, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	batch = binary.AppendUvarint(batch, uint64(len(text)))
	batch = append(batch, text...)
	for i := range m.results {
		batch = appendResult(batch, &m.results[i])
	}
	for i := range events {
		batch = appendEvent(batch, &events[i])
	}
	return batch, nil
}

// takeShare adds what another part knows.
func (m *Machine) takeShare(part int, batch []byte, sum *share, rep *report.Report) error {
	in := reader(batch)
	var s share
	if err := json.Unmarshal(in.bytes(), &s); err != nil {
		return fmt.Errorf("emu: what part %d knows: %w", part, err)
	}
	sum.add(&s)
	m.resume(s.Histories)
	block := parts.BlockOf(part, m.abroad.group.Count(), m.cfg.Ranks)
	for i := range block.Len {
		rep.Ranks[block.First+i] = in.result()
	}
	for len(in) > 0 {
		rep.Events = append(rep.Events, in.event())
	}
	return nil
}

// add adds what the next part knows, in the order of ranks.
func (s *share) add(t *share) {
	s.Messages += t.Messages
	s.Wakes += t.Wakes
	s.Hash += t.Hash
	s.Bytes += t.Bytes
	s.Quiescence, s.Colouring, s.Exit = max(s.Quiescence, t.Quiescence), max(s.Colouring, t.Colouring), max(s.Exit, t.Exit)
	s.Failed = append(s.Failed, t.Failed...)
	s.Unreached = append(s.Unreached, t.Unreached...)
	s.Waits = append(s.Waits, t.Waits...)
	s.Losses = append(s.Losses, t.Losses...)
}

// resume has trackers of other parts' ranks come as far as these have.
func (m *Machine) resume(histories map[int]faults.History) {
	for rank, history := range histories {
		t := new(faults.Tracker)
		for place := range m.schedule {
			if f := &m.schedule[place]; !f.OfLinks() && f.Rank == rank {
				t.Add(place, f)
			}
		}
		t.Resume(history)
		m.abroad.trackers[rank] = t
	}
}

func appendResult(batch []byte, r *report.RankResult) []byte {
	batch = append(batch, byte(r.Outcome))
	batch = binary.AppendVarint(batch, int64(r.Coloured))
	return binary.AppendVarint(batch, int64(r.Exit))
}

func (r *reader) result() report.RankResult {
	outcome := report.Outcome((*r)[0])
	*r = (*r)[1:]
	return report.RankResult{Outcome: outcome, Coloured: clock.Time(r.number()), Exit: clock.Time(r.number())}
}

func appendEvent(batch []byte, e *report.Event) []byte {
	for _, n := range [...]int64{int64(e.Time), int64(e.Rank), int64(e.Kind), int64(e.Peer), int64(e.Msg), int64(e.Epoch), e.A} {
		batch = binary.AppendVarint(batch, n)
	}
	batch = binary.AppendUvarint(batch, uint64(len(e.Step)))
	return append(batch, e.Step...)
}

func (r *reader) event() report.Event {
	return report.Event{
		Time: clock.Time(r.number()), Rank: int(r.number()), Kind: report.EventKind(r.number()), Peer: int(r.number()),
		Msg: mailbox.Kind(r.number()), Epoch: uint32(r.number()), A: r.number(), Step: string(r.bytes()),
	}
}
