package faults

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// Fate is what becomes of a message on its way: the zero Fate is that it arrives, once and in time. Its sender notices
// nothing of it.
type Fate struct {
	Cut   bool         // its link is cut
	Lost  bool         // it is lost
	Late  clock.Time   // it takes so much longer
	Again []clock.Time // it arrives once more so long after the first time, for each of these
}

// Arrives reports whether the message does.
func (f *Fate) Arrives() bool { return !f.Cut && !f.Lost }

// add lets a fault happen to the message.
func (f *Fate) add(fault *Fault) {
	switch fault.Kind {
	case Lose:
		f.Lost = true
	case Late:
		f.Late = min(f.Late+fault.Delay, clock.MaxCost)
	case Twice:
		f.Again = append(f.Again, fault.Delay)
	}
}

// Links is what a schedule does to links, for those who ask about many messages. Of cuts and mends of a link the last
// one counts; of two at one instant, that which the schedule lists later.
type Links struct {
	cuts     []linkFault // and mends, the last one first
	messages []linkFault // in the order of the schedule
}

// linkFault is a fault, and on which side of its links each rank is.
type linkFault struct {
	*Fault
	sides []uint8
}

// Links returns what an explicit schedule does to the links of a machine of that many ranks; nil if that is nothing.
func (s Schedule) Links(ranks int) *Links {
	all := new(Links)
	for i := range s {
		switch f := &s[i]; {
		case !f.OfLinks():
		case f.Kind.OfMessages():
			all.messages = append(all.messages, linkFault{f, f.Sides(ranks)})
		default:
			all.cuts = append(all.cuts, linkFault{f, f.Sides(ranks)})
		}
	}
	if len(all.cuts)+len(all.messages) == 0 {
		return nil
	}
	slices.Reverse(all.cuts)
	slices.SortStableFunc(all.cuts, func(a, b linkFault) int { return cmp.Compare(b.At.Time, a.At.Time) })
	return all
}

// Meet adds to the fate of a message what happens on its link. It leaves its sender at that instant: what is under way
// when a link is cut arrives.
func (l *Links) Meet(from, to int, left clock.Time, fate *Fate) {
	if l == nil {
		return
	}
	fate.Cut = l.Cut(from, to, left)
	for i := range l.messages {
		if f := &l.messages[i]; f.concerns(from, to) && left >= f.At.Time && (f.Until == 0 || left < f.Until) {
			fate.add(f.Fault)
		}
	}
}

// Concern reports whether something happens at some time to messages from one rank to another.
func (l *Links) Concern(from, to int) bool {
	if l == nil {
		return false
	}
	concerned := func(f linkFault) bool { return f.concerns(from, to) }
	return slices.ContainsFunc(l.cuts, concerned) || slices.ContainsFunc(l.messages, concerned)
}

// Cut reports whether a link is cut at an instant.
func (l *Links) Cut(from, to int, at clock.Time) bool {
	if l == nil {
		return false
	}
	for i := range l.cuts {
		if f := &l.cuts[i]; f.At.Time <= at && f.concerns(from, to) {
			return f.Kind == Cut
		}
	}
	return false
}

// concerns reports whether a message goes over the links.
func (f *linkFault) concerns(from, to int) bool {
	a, b := f.sides[from], f.sides[to]
	return a == leftSide && b == rightSide || a == rightSide && b == leftSide && !f.OneWay
}

// Message lets that happen to the message of the send which has just ended that the schedule has for it. The send must not
// have been counted yet.
func (t *Tracker) Message(left clock.Time, fate *Fate) {
	n := t.history.reached(MidSend, "")
	for i := range t.faults {
		s := &t.faults[i]
		if s.Kind.OfMessages() && s.At.N == n && !t.history.has(s.Place) {
			t.history.add(s.Place, left)
			fate.add(s.Fault)
		}
	}
}
