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

// forgotten tells which changes of its storage a rank lost when it failed, and what it read in its next life without them. If it has no other life nobody
// notices.
func (t *teller) forgotten(rank int, end *report.Event, f *faults.Fault) {
	place := int(t.broken.place[t.index(end)])
	lost := t.lostChanges(rank, place, f)
	back := t.broken.act(rank, place+1)
	if back == nil || back.Kind != report.EventRejoin {
		return
	}
	again := fmt.Sprintf("rank %d began again at t=%d%s", rank, back.Time, named(t.rejoin(back)))
	if len(lost) == 0 {
		t.add(rank, back, nil, nil, again)
		return
	}
	var names []string
	for _, e := range lost[:min(len(lost), mostNamed)] {
		verb := "the change of"
		if e.Kind == report.EventDelete {
			verb = "the deletion of"
		}
		names = append(names, fmt.Sprintf("%s %s at t=%d", verb, e.Step, e.Time))
	}
	if more := len(lost) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	t.add(rank, lost[0], nil, nil, fmt.Sprintf("rank %d lost what no sync had made safe: %s", rank, text.List(names)))
	for n := place + 2; ; n++ {
		read := t.broken.act(rank, n)
		if read == nil || read.Kind == report.EventRejoin {
			t.add(rank, back, nil, nil, again)
			return
		}
		if read.Kind != report.EventRead {
			continue
		}
		about := slices.IndexFunc(lost, func(e *report.Event) bool { return read.Step == "" || e.Step == read.Step })
		if about < 0 {
			continue
		}
		what := "read " + read.Step
		if read.Step == "" {
			what = "listed its records"
		}
		t.add(rank, read, nil, nil, fmt.Sprintf("%s and %s at t=%d, without that", again, what, read.Time))
		return
	}
}

// lostChanges are the changes that a rank lost when it failed as the n-th thing that it did.
func (t *teller) lostChanges(rank, n int, f *faults.Fault) (lost []*report.Event) {
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
	slices.Reverse(unsafe)
	for i, e := range unsafe {
		if f == nil || !f.Keeps(i+1) {
			lost = append(lost, e)
		}
	}
	return lost
}
