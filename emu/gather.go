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

// When a run is over, each part tells what it knows of its own ranks: all of it part 0, or everything but their results all others ([Config.Apart]).
// The sums come first. They say how many ranks others have to list, so that no more are sent than a report names.

// sums are what the ranks of a part add up to.
type sums struct {
	Messages, Wakes    int64
	Hash               report.Hash
	Quiescence         clock.Time
	Colouring, Exit    clock.Time
	Bytes              memory
	Unreached, Waiting int
}

// lists are what a part knows of single ranks, besides their results and events.
type lists struct {
	Failed    []report.Failure
	Unreached []int
	Waits     []report.Wait
	Losses    []report.Loss
	Histories map[int]faults.History
}

// longestList is how many ranks a report lists.
var longestList = report.LongestList // tests have less

// gather completes what is in the report with what the other parts have.
func (m *Machine) gather(rep *report.Report, left *leftovers, waiting []int32) error {
	before, err := m.gatherSums(rep, left, len(waiting))
	if err != nil {
		return err
	}
	room := func(before int) int { return max(0, longestList-before) }
	own := lists{
		Failed: rep.Failed, Unreached: rep.Unreached[:min(len(rep.Unreached), room(before.Unreached))],
		Waits: m.waits(waiting, room(before.Waiting)), Losses: m.losses(waiting), Histories: m.histories(),
	}
	return m.gatherLists(rep, left, &own)
}

// gatherSums adds up what all parts have, and returns what those have that come before this one.
func (m *Machine) gatherSums(rep *report.Report, left *leftovers, waiting int) (before sums, err error) {
	group := m.abroad.group
	own := sums{
		Messages: rep.Messages, Wakes: rep.Wakes, Hash: rep.Hash, Quiescence: rep.Quiescence, Colouring: rep.Colouring, Exit: rep.Exit,
		Bytes: left.bytes, Unreached: rep.Missed().Count, Waiting: waiting,
	}
	text, err := json.Marshal(own)
	if err = cmp.Or(err, m.abroad.lost); err != nil {
		return before, err
	}
	in, err := group.Exchange(slices.Repeat([][]byte{text}, group.Count()))
	if err != nil {
		return before, err
	}
	var all sums
	for part, text := range in {
		var s sums
		if err := json.Unmarshal(text, &s); err != nil {
			return before, fmt.Errorf("emu: what part %d has: %w", part, err)
		}
		if part == group.Index() {
			before = all
		}
		all.add(&s)
	}
	rep.Messages, rep.Wakes, rep.Hash, rep.Quiescence, rep.Colouring, rep.Exit = all.Messages, all.Wakes, all.Hash, all.Quiescence, all.Colouring, all.Exit
	rep.Unlisted = report.Unlisted{Unreached: max(0, all.Unreached-longestList), Deadlocks: max(0, all.Waiting-longestList)}
	left.bytes = all.Bytes
	return before, nil
}

func (s *sums) add(t *sums) {
	s.Messages += t.Messages
	s.Wakes += t.Wakes
	s.Hash += t.Hash
	s.Bytes += t.Bytes
	s.Quiescence, s.Colouring, s.Exit = max(s.Quiescence, t.Quiescence), max(s.Colouring, t.Colouring), max(s.Exit, t.Exit)
	s.Unreached += t.Unreached
	s.Waiting += t.Waiting
}

// gatherLists puts the lists of all parts behind each other, in the order of ranks, and takes over results and events if they are to be here.
func (m *Machine) gatherLists(rep *report.Report, left *leftovers, own *lists) error {
	text, err := json.Marshal(own)
	batch := append(binary.AppendUvarint(nil, uint64(len(text))), text...)
	if !m.apart() {
		batch = m.appendRanks(batch, rep.Events)
	}
	in, err := m.spread(batch, err)
	if err != nil || !m.reportsAll() {
		return err
	}
	all := lists{Failed: []report.Failure{}, Unreached: []int{}}
	for part, batch := range in {
		l, from := own, reader(batch)
		if part != m.abroad.group.Index() {
			l = new(lists)
			if err := json.Unmarshal(from.bytes(), l); err != nil {
				return fmt.Errorf("emu: what part %d knows: %w", part, err)
			}
			m.resume(l.Histories)
			if !m.apart() {
				m.takeRanks(part, from, rep)
			}
		}
		all.add(l)
	}
	rep.Failed, rep.Unreached, left.waits, left.losses = all.Failed, all.Unreached, all.Waits, all.Losses
	if m.apart() {
		rep.Share = &report.Share{First: m.block.First, Size: m.cfg.Ranks, Parts: m.abroad.group}
	} else {
		slices.SortStableFunc(rep.Events, report.CompareEvents)
	}
	return nil
}

// spread gives a batch to all parts that report, which get those of all.
func (m *Machine) spread(batch []byte, err error) ([][]byte, error) {
	if err != nil {
		return nil, err
	}
	group := m.abroad.group
	out := make([][]byte, group.Count())
	out[0] = batch
	if m.apart() {
		out = slices.Repeat([][]byte{batch}, group.Count())
	}
	return group.Exchange(out)
}

// add adds what the next part knows.
func (l *lists) add(next *lists) {
	l.Failed = append(l.Failed, next.Failed...)
	l.Unreached = append(l.Unreached, next.Unreached...)
	l.Waits = append(l.Waits, next.Waits...)
	l.Losses = append(l.Losses, next.Losses...)
}

// histories say how far the ranks with faults have come.
func (m *Machine) histories() map[int]faults.History {
	all := make(map[int]faults.History)
	for r := range m.faultyRanks() {
		all[int(r.id)] = r.extra.faults.History()
	}
	return all
}

// appendRanks writes the results of a part's ranks and its events.
func (m *Machine) appendRanks(batch []byte, events []report.Event) []byte {
	for i := range m.results {
		batch = appendResult(batch, &m.results[i])
	}
	for i := range events {
		batch = appendEvent(batch, &events[i])
	}
	return batch
}

// takeRanks reads what another part has written.
func (m *Machine) takeRanks(part int, in reader, rep *report.Report) {
	block := parts.BlockOf(part, m.abroad.group.Count(), m.cfg.Ranks)
	for i := range block.Len {
		rep.Ranks[block.First+i] = in.result()
	}
	for len(in) > 0 {
		rep.Events = append(rep.Events, in.event())
	}
}

// resume has trackers of other parts' ranks come as far as these have.
func (m *Machine) resume(histories map[int]faults.History) {
	for place := range m.schedule {
		f := &m.schedule[place]
		if _, theirs := histories[f.Rank]; !theirs || f.OfLinks() {
			continue
		}
		t := m.abroad.trackers[f.Rank]
		if t == nil {
			t = new(faults.Tracker)
			m.abroad.trackers[f.Rank] = t
		}
		t.Add(place, f)
	}
	for rank, history := range histories {
		m.abroad.trackers[rank].Resume(history)
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
