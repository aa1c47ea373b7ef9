package cause

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// withoutMessage is a rank that did not take a message next which it would have taken.
func (t *teller) withoutMessage(rank, n int, did, would *report.Event, who string) question {
	missed := t.whole.messageTaken(rank, n)
	if missed == nil {
		t.add(rank, did, would, nil, who+" "+t.otherwise(did, would))
		return nil
	}
	twin := t.broken.twin(t.whole, missed)
	lacking := fmt.Sprintf("%s, which would have come at t=%d", t.from(would), t.whole.at(missed.received))
	by := clock.Never // when it was too late
	if did != nil {
		by = did.Time
	}
	switch {
	case did != nil && did.Kind == report.EventTake && takenBy(did) == takenBy(would):
		t.add(rank, did, would, nil, fmt.Sprintf("%s got %s at t=%d with a=%d in it, and would have got it with a=%d", who, t.from(did), did.Time, did.A, would.A))
		return func() question { return t.sentOtherwise(rank, n, missed, by) }
	case did == nil:
		t.add(rank, nil, would, nil, fmt.Sprintf("%s did not get %s", who, lacking))
	case did.Kind == report.EventPass:
		t.add(rank, did, would, nil, fmt.Sprintf("%s went on at t=%d without %s", who, did.Time, lacking))
	case did.Kind == report.EventTake:
		t.add(rank, did, would, nil, fmt.Sprintf("%s got %s at t=%d, before %s", who, t.from(did), did.Time, lacking))
		if twin != nil && t.broken.at(twin.received) <= t.whole.at(missed.received) {
			return func() question { return t.extra(rank, n, did) } // that one came as it should: it was the other one that came before it
		}
	default:
		t.add(rank, did, would, nil, fmt.Sprintf("%s %s at t=%d, without %s", who, t.did(did), did.Time, lacking))
	}
	return func() question { return t.missing(missed, by) }
}

// sentOtherwise asks the sender of a message why something else is in it than in the one that would have been taken.
func (t *teller) sentOtherwise(rank, n int, missed *message, by clock.Time) question {
	m := t.broken.messageTaken(rank, n)
	if m == nil {
		return nil
	}
	if m.again {
		if f := t.onTheWay(m, faults.Twice); f != nil && !slices.Contains(t.dropped, *f) {
			return t.missing(missed, by) // it comes again in the other run, too
		}
		return t.cameAgain(m)
	}
	sender := t.broken.sender(m)
	return t.why(sender.Rank, fmt.Sprintf("rank %d sent that at t=%d: ", sender.Rank, sender.Time), upTo(t.broken.place[m.send]))
}

// cameAgain ends a story with a message that was sent once and came once more.
func (t *teller) cameAgain(m *message) question {
	sent, f := t.broken.sender(m), t.onTheWay(m, faults.Twice)
	t.add(sent.Rank, &t.broken.events[m.received], nil, f,
		fmt.Sprintf("rank %d sent it once, at t=%d, and it came again at t=%d%s", sent.Rank, sent.Time, t.broken.at(m.received), named(f)))
	return nil
}

// missing tells what became of a message of the other run by an instant, at which the receiver went on without it.
func (t *teller) missing(m *message, by clock.Time) question {
	would := t.whole.sender(m)
	from, to := would.Rank, would.Peer
	twin := t.broken.twin(t.whole, m)
	if twin == nil {
		return t.why(from, fmt.Sprintf("rank %d did not send %s: ", from, t.to(would)), upTo(t.whole.place[m.send]))
	}
	sent := t.broken.sender(twin)
	switch {
	case sent.Kind == report.EventSendLost:
		return t.why(from, fmt.Sprintf("rank %d did not send it: ", from), upTo(t.broken.place[twin.send]))
	case twin.lost != none && t.broken.at(twin.lost) >= by && sent.Time > would.Time:
		t.add(from, sent, would, nil, fmt.Sprintf("rank %d sent it at t=%d, not at t=%d", from, sent.Time, would.Time))
		return t.sentLater(twin)
	case twin.lost != none && t.broken.at(twin.lost) >= by && twin.late == m.late && t.slowed(by, from) != nil:
		f := t.slowed(by, from)
		t.add(from, sent, nil, f, fmt.Sprintf("rank %d sent it at t=%d, and it was on its way by t=%d only: rank %d was slow%s", from, sent.Time, t.broken.at(twin.lost), from, named(f)))
		return nil
	case twin.lost != none:
		return t.lost(m, twin, sent)
	case twin.received == none:
		t.add(from, sent, would, nil, fmt.Sprintf("rank %d sent it at t=%d, and it was still under way at the end", from, sent.Time))
		return t.sentLater(twin)
	case t.broken.at(twin.received) > t.whole.at(m.received):
		return t.late(m, twin)
	}
	came := t.broken.at(twin.received)
	if twin.taken == none {
		t.add(to, &t.broken.events[twin.received], nil, nil, fmt.Sprintf("it was there at t=%d, and rank %d did not ask for it", came, to))
		return t.why(to, "", upToTime(by))
	}
	t.add(to, &t.broken.events[twin.taken], nil, nil, fmt.Sprintf("it came at t=%d, and rank %d took it at t=%d", came, to, t.broken.at(twin.taken)))
	first, _ := t.firstDifference(to)
	return t.later(to, first, "")
}

// sentLater asks the sender of a message why it sent it later than it would have, or earlier.
func (t *teller) sentLater(m *message) question {
	rank, n := t.broken.sender(m).Rank, int(t.broken.place[m.send])
	if first, _ := t.firstDifference(rank); first <= n {
		return func() question { return t.why(rank, "", limit{n, clock.Never}) }
	}
	return func() question { return t.later(rank, n+1, "") }
}

// late is a message that came later than it would have.
func (t *teller) late(m, twin *message) question {
	sent, would := t.broken.sender(twin), t.whole.sender(m)
	came := t.broken.at(twin.received)
	text := fmt.Sprintf("%s from rank %d came at t=%d, not at t=%d", t.kind(sent), sent.Rank, came, t.whole.at(m.received))
	received := &t.broken.events[twin.received]
	if t.delayed[twin.received] {
		return nil
	}
	t.delayed[twin.received] = true
	switch {
	case twin.late > m.late:
		f := t.onTheWay(twin, faults.Late)
		if f == nil || slices.Contains(t.dropped, *f) || sent.Time <= would.Time {
			t.add(sent.Rank, received, would, f, fmt.Sprintf("%s: it was late%s", text, named(f)))
			return nil
		}
		t.add(sent.Rank, received, would, nil, fmt.Sprintf("%s: it was sent at t=%d, not at t=%d, and was late%s", text, sent.Time, would.Time, named(f)))
		return t.sentLater(twin)
	case sent.Time > would.Time:
		t.add(sent.Rank, received, would, nil, fmt.Sprintf("%s: it was sent at t=%d, not at t=%d", text, sent.Time, would.Time))
		return t.sentLater(twin)
	}
	if f := t.slowed(came, sent.Peer, sent.Rank); f != nil {
		t.add(sent.Peer, received, would, f, fmt.Sprintf("%s: rank %d was slow%s", text, f.Rank, named(f)))
		return nil
	}
	switch x := t.broken.inFront(twin, came); {
	case x == nil:
		t.add(sent.Peer, received, would, nil, text+": other messages came before it")
	case x.again:
		f := t.onTheWay(x, faults.Twice)
		t.add(sent.Rank, received, would, f, fmt.Sprintf("%s: send %d on that link came again before it%s", text, x.n, named(f)))
	default:
		f := t.onTheWay(x, faults.Late)
		t.add(sent.Rank, received, would, f, fmt.Sprintf("%s: it waited behind send %d on that link, which was late%s", text, x.n, named(f)))
	}
	return nil
}

// later tells why a rank did something later than it would have, or earlier, among the first things that it did.
func (t *teller) later(rank, among int, before string) question {
	n, found := t.firstDelay(rank, among)
	if !found {
		if before != "" {
			t.add(rank, nil, nil, nil, before+"it did the same as in the other run")
		}
		return nil
	}
	did, would := t.broken.act(rank, n), t.whole.act(rank, n)
	if did.Kind == report.EventTake && did.Msg != protocols.Failed {
		m, twin := t.whole.messageTaken(rank, n), t.broken.messageTaken(rank, n)
		if m != nil && twin != nil && twin.again && !m.again {
			if f := t.onTheWay(twin, faults.Twice); f != nil && slices.Contains(t.dropped, *f) {
				return t.cameAgain(twin)
			}
			twin = t.broken.twin(t.whole, m) // it took the copy, which there is in both runs, as that one had not come
		}
		if m != nil && twin != nil && t.broken.at(twin.received) > t.whole.at(m.received) {
			if before != "" {
				t.add(rank, did, would, nil, fmt.Sprintf("%s got %s at t=%d, not at t=%d", t.who(rank, before), t.from(did), did.Time, would.Time))
			}
			return t.late(m, twin)
		}
		if m != nil && twin != nil && t.broken.at(twin.received) < t.whole.at(m.received) {
			t.add(rank, did, would, nil, fmt.Sprintf("%s got %s at t=%d, not at t=%d", t.who(rank, before), t.from(did), did.Time, would.Time))
			return func() question { return t.extra(rank, n, did) }
		}
	}
	var f *faults.Fault
	reason := ""
	if did.Time > would.Time {
		f = t.slowed(did.Time, rank)
	}
	if f != nil {
		reason = ": it was slow" + named(f)
	}
	t.add(rank, did, would, f, fmt.Sprintf("%s %s at t=%d, not at t=%d%s", t.who(rank, before), t.did(did), did.Time, would.Time, reason))
	return nil
}

// extraMessage is a rank that took a message which it would not have taken there.
func (t *teller) extraMessage(rank, n int, did, would *report.Event, who string) question {
	text := fmt.Sprintf("%s got %s at t=%d", who, t.from(did), did.Time)
	if would != nil {
		text += fmt.Sprintf("; it would have %s at t=%d", t.past(would), would.Time)
	}
	t.add(rank, did, would, nil, text)
	return func() question { return t.extra(rank, n, did) }
}

// extra tells where a message comes from that would not have been there, or not so soon.
func (t *teller) extra(rank, n int, did *report.Event) question {
	m := t.broken.messageTaken(rank, n)
	if m == nil {
		return nil
	}
	if m.again {
		return t.cameAgain(m)
	}
	sent, until := t.broken.sender(m), upTo(t.broken.place[m.send])
	twin := t.whole.twin(t.broken, m)
	if twin == nil {
		return t.why(sent.Rank, fmt.Sprintf("rank %d sent that at t=%d, and would not have: ", sent.Rank, sent.Time), until)
	}
	if t.broken.at(m.received) > t.whole.at(twin.received) {
		return t.late(twin, m)
	}
	would := t.whole.sender(twin)
	if sent.Time == would.Time {
		if x := t.broken.inFront(m, t.broken.at(m.received)); x != nil && x.again {
			return t.cameAgain(x) // the rank took that one before, as if it had been this one
		}
		return nil
	}
	return t.why(sent.Rank, fmt.Sprintf("rank %d sent that at t=%d, not at t=%d: ", sent.Rank, sent.Time, would.Time), until)
}
