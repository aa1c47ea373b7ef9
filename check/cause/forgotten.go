package cause

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/report"
)

// mostNamed is how many changes of storage, or ranks, a line names.
const mostNamed = 4

// forgotten tells which changes of its storage a rank lost when it failed, which it kept although they were not safe, and what it read of them in its next life. If it has no
// other life nobody notices.
func (t *teller) forgotten(rank int, end *report.Event, f *faults.Fault) {
	place := int(t.broken.place[t.index(end)])
	back := t.broken.act(rank, place+1)
	if back == nil || back.Kind != report.EventRejoin {
		return
	}
	lost, kept := t.unsafeChanges(rank, place, f)
	again := fmt.Sprintf("rank %d began again at t=%d%s", rank, back.Time, named(t.rejoin(back)))
	with, about := "without that", lost
	switch {
	case len(lost)+len(kept) == 0:
		t.add(rank, back, nil, t.rejoin(back), again)
		return
	case len(kept) == 0:
		t.add(rank, lost[0], nil, nil, fmt.Sprintf("rank %d lost what no sync had made safe: %s", rank, changes(lost)))
	case len(lost) == 0:
		with, about = "with that", kept
		t.add(rank, kept[0], nil, nil, fmt.Sprintf("rank %d kept what no sync had made safe: %s", rank, changes(kept)))
	default:
		t.add(rank, lost[0], nil, nil, fmt.Sprintf("of what no sync had made safe, rank %d lost %s, and kept %s", rank, changes(lost), changes(kept)))
	}
	if read := t.nextRead(rank, place+2, about); read != nil {
		what := "read " + text.Name(read.Step)
		if read.Step == "" {
			what = "listed its records"
		}
		t.add(rank, read, nil, t.rejoin(back), fmt.Sprintf("%s and %s at t=%d, %s", again, what, read.Time, with))
		return
	}
	t.add(rank, back, nil, t.rejoin(back), again)
}

// changes names changes of storage.
func changes(all []*report.Event) string {
	var names []string
	for _, e := range all[:min(len(all), mostNamed)] {
		verb := "the change of"
		if e.Kind == report.EventDelete {
			verb = "the deletion of"
		}
		names = append(names, fmt.Sprintf("%s %s at t=%d", verb, text.Name(e.Step), e.Time))
	}
	if more := len(all) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return text.List(names)
}

// nextRead is when a rank, from the n-th thing that it did on and in that life, reads one of these changes, or which records there are; nil if it does not.
func (t *teller) nextRead(rank, n int, about []*report.Event) *report.Event {
	for ; ; n++ {
		read := t.broken.act(rank, n)
		switch {
		case read == nil || read.Kind == report.EventRejoin:
			return nil
		case read.Kind != report.EventRead:
		case read.Step == "" || slices.ContainsFunc(about, func(e *report.Event) bool { return e.Step == read.Step }):
			return read
		}
	}
}

// unsafeChanges are the changes that were not safe when a rank failed as the n-th thing that it did: those that it lost, and those that it kept. A change that a later
// one has replaced in any case is neither.
func (t *teller) unsafeChanges(rank, n int, f *faults.Fault) (lost, kept []*report.Event) {
	var unsafe []*report.Event
	for i := n - 1; i >= 0; i-- {
		e := t.broken.act(rank, i)
		if e.Kind == report.EventSync || e.Kind == report.EventRejoin {
			break
		}
		if e.Kind.Changes() || e.Kind == report.EventWriteLost {
			unsafe = append(unsafe, e)
		}
	}
	replaced := make(map[string]bool) // by a change that is kept
	for i, e := range unsafe {        // the last one first
		switch keeps := f != nil && f.Keeps(len(unsafe)-i); {
		case replaced[e.Step]:
		case keeps:
			replaced[e.Step] = true
			kept = append(kept, e)
		default:
			lost = append(lost, e)
		}
	}
	slices.Reverse(lost)
	slices.Reverse(kept)
	return lost, kept
}
