package cause

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// lost is a message that was sent and never reached its receiver's program. Where that is so because of a fault which is in the other run, too, it was sent at another time, or as
// another one of the sends.
func (t *teller) lost(m, twin *message, sent *report.Event) question {
	e, would := &t.broken.events[twin.lost], t.whole.sender(m)
	fate, f := t.fate(m, twin)
	text := fmt.Sprintf("rank %d sent it at t=%d%s", sent.Rank, sent.Time, fate)
	first, _ := t.firstDifference(sent.Rank)
	switch inBoth := f != nil && !slices.Contains(t.dropped, *f); {
	case inBoth && sent.Time != would.Time:
		t.add(sent.Rank, e, would, nil, fmt.Sprintf("%s; it would have been sent at t=%d", text, would.Time))
		return t.sentLater(twin)
	case inBoth && first <= int(t.broken.place[twin.send]):
		t.add(sent.Rank, e, would, nil, text)
		return t.sentLater(twin)
	case e.Kind == report.EventLost && f != nil && f.Kind.Stops():
		t.add(sent.Rank, sent, nil, nil, text)
		return t.failure(e.Rank, e.Time)
	}
	t.add(sent.Rank, e, nil, f, text)
	return nil
}

// fate says how a message was lost, and by which fault.
func (t *teller) fate(m, twin *message) (says string, f *faults.Fault) {
	switch e := &t.broken.events[twin.lost]; e.Kind {
	case report.EventCut:
		f = t.onTheWay(twin, faults.Cut)
		return ", and it was lost on the link, which was cut" + named(f), f
	case report.EventDrop:
		f = t.onTheWay(twin, faults.Lose)
		return fmt.Sprintf(" as its send %d, and it was lost%s", twin.n, named(f)), f
	default:
		says = fmt.Sprintf(", and it came at t=%d, when rank %d had failed", e.Time, e.Rank)
		if f = t.onTheWay(twin, faults.Late); twin.late > m.late && f != nil && slices.Contains(t.dropped, *f) {
			return says + ": it was late" + named(f), f
		}
		return says, t.broken.stopper(t.broken.failure(e.Rank, e.Time))
	}
}
