package cause

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// tellStory compares the two runs.
func (x *explainer) tellStory() error {
	b := x.broken
	about := subjects(b.rep, x.verdict)
	for _, other := range x.others {
		if len(about) == 0 {
			about = subjects(b.rep, other)
		}
	}
	if !x.found {
		x.tellAlone(b, about)
		return nil
	}
	whole, err := x.play(x.compared, true)
	if err != nil {
		return err
	}
	if whole.Report == nil {
		x.tellAlone(b, about)
		return nil
	}
	t := &teller{
		pair:    &pair{b, newTrail(whole.Report), make(map[int]int)},
		dropped: x.dropped, names: x.KindName, told: make(map[int]bool), delayed: make(map[int32]bool),
	}
	x.tellFrom(t, about)
	x.Because = t.steps
	return x.tellOthers()
}

// mostOthers is of how many other faults it is told what the rank would have got without them.
const mostOthers = 5

// tellOthers tells what the first rank of the story would have got without other faults than the one that was left out.
func (x *explainer) tellOthers() error {
	if len(x.Because) == 0 || len(x.Schedule) > mostOthers {
		return nil
	}
	rank := x.Because[0].Rank
	for i := range x.Without {
		c := &x.Without[i]
		if !c.Holds || !strings.HasPrefix(c.What, "without ") || slices.Equal(c.Faults, x.compared) {
			continue
		}
		other, err := x.play(c.Faults, true)
		if err != nil {
			return err
		}
		if other.Report == nil {
			continue
		}
		t := &teller{pair: &pair{x.broken, newTrail(other.Report), make(map[int]int)}, names: x.KindName}
		if _, take := t.notGot(subject{rank: rank}); take != nil {
			c.Becomes += fmt.Sprintf(", for rank %d gets %s at t=%d", rank, t.from(take), take.Time)
		}
	}
	return nil
}

// tellAlone says what can be said of a run that there is nothing to compare with.
func (x *explainer) tellAlone(b *trail, about []subject) {
	if len(about) == 0 {
		return
	}
	s := about[0]
	text := s.text
	if i := slices.IndexFunc(b.rep.Deadlocks, func(d report.Deadlock) bool { return d.Rank == s.rank }); i >= 0 {
		text += ": " + b.rep.Deadlocks[i].Cause
	}
	if text != "" {
		x.Because = append(x.Because, Step{Text: text, Rank: s.rank, Time: s.at})
	}
	x.led(b, s)
}

// led tells what led to the instant of a subject.
func (x *explainer) led(b *trail, s subject) {
	x.path = b.path(s.rank, s.at)
	where := "there"
	if s.at < clock.Forever {
		where = fmt.Sprintf("to t=%d", s.at)
	}
	x.Led = fmt.Sprintf("what led rank %d %s: %s", s.rank, where, pathText(x.path, x.KindName))
}

// tellFrom begins the story with the first subject that it can.
func (x *explainer) tellFrom(t *teller, about []subject) {
	for _, s := range about {
		if !t.differs(s) {
			continue
		}
		t.subject(s)
		if s.mark {
			x.led(t.broken, s)
		}
		t.finish()
		return
	}
	if rank, found := t.earliestDifference(); found {
		t.tell(t.why(rank, "", unlimited))
	}
	t.finish()
}

// differs reports whether a story can begin with a subject: it waits, or something that the rank, or somebody whom it had heard of, had done until then is not so in the other run.
func (t *teller) differs(s subject) bool {
	until := s.until()
	n, same := t.firstDifference(s.rank)
	if s.waits || !same && t.within(s.rank, n, until) {
		return true
	}
	if _, _, found := t.heardOf(s.rank, until); found {
		return true
	}
	_, late := t.firstDelay(s.rank, t.actsBy(s.rank, until))
	return late
}

// subject begins a story.
func (t *teller) subject(s subject) {
	text := s.text
	if s.other > 0 {
		text += fmt.Sprintf("; so %s", moreWait(s.other))
	}
	if text != "" {
		t.add(s.rank, nil, nil, nil, text)
	}
	if s.waits || s.missed {
		if m, take := t.notGot(s); m != nil {
			t.add(s.rank, nil, take, nil, fmt.Sprintf("it did not get %s, which would have come at t=%d", t.from(take), t.whole.at(m.received)))
			t.tell(t.missing(m, clock.Never))
			return
		}
	}
	t.tell(t.why(s.rank, "", s.until()))
}

// moreWait reads like "do 2 more".
func moreWait(n int) string {
	if n == 1 {
		return "does 1 more"
	}
	return fmt.Sprintf("do %d more", n)
}

// notGot is the first message that a rank would have taken and did not, of those that it waits for.
func (t *teller) notGot(s subject) (*message, *report.Event) {
	from := report.Anyone
	if i := slices.IndexFunc(t.broken.rep.Deadlocks, func(d report.Deadlock) bool { return d.Rank == s.rank }); i >= 0 {
		from = waitsFrom(t.broken.rep.Deadlocks[i].Want)
	}
	for n := range t.whole.acts[s.rank] {
		take := t.whole.act(s.rank, n)
		if take.Kind != report.EventTake || from != report.Anyone && take.Peer != from {
			continue
		}
		m := t.whole.messageTaken(s.rank, n)
		if m == nil {
			continue
		}
		if twin := t.broken.twin(t.whole, m); twin == nil || twin.taken == none {
			return m, take
		}
	}
	return nil, nil
}

// finish makes sure that the story ends with a fault that the other run does not have.
func (t *teller) finish() {
	for _, s := range t.steps {
		if s.Fault != nil && slices.Contains(t.dropped, *s.Fault) {
			return
		}
	}
	if len(t.dropped) != 1 {
		return
	}
	f := t.dropped[0]
	for _, i := range t.broken.acts[f.Rank] { // what it had forgotten says more than where it failed
		if end := &t.broken.events[i]; fails(end) && t.broken.stopper(end) != nil && *t.broken.stopper(end) == f {
			t.failed(f.Rank, end, nil, fmt.Sprintf("rank %d", f.Rank))
			return
		}
	}
	t.add(f.Rank, nil, nil, &f, fmt.Sprintf("the two runs part where %s strikes", f))
}
