package cause

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// pair is the run that is explained, and the one that it is compared with.
type pair struct {
	broken, whole *trail
	firsts        map[int]int // what firstDifference has found
}

// firstDifference is the first thing that a rank did in one run and not in the other, whenever; as many as it did in both if there is none, and then
// same is true.
func (p *pair) firstDifference(rank int) (first int, same bool) {
	a, b := p.broken.acts[rank], p.whole.acts[rank]
	first, known := p.firsts[rank]
	if !known {
		for first < min(len(a), len(b)) && sameAct(&p.broken.events[a[first]], &p.whole.events[b[first]]) {
			first++
		}
		p.firsts[rank] = first
	}
	return first, first == len(a) && first == len(b)
}

// sameAct reports whether two events are the same but for their times.
func sameAct(a, b *report.Event) bool {
	if a.Kind != b.Kind || a.Peer != b.Peer || a.Msg != b.Msg || a.Epoch != b.Epoch || a.Step != b.Step {
		return false
	}
	return a.A == b.A || a.Kind.OfStorage() // which may have taken longer
}

// firstDelay is the first thing that a rank did in both runs at different times, among so many of the first.
func (p *pair) firstDelay(rank, among int) (n int, found bool) {
	first, _ := p.firstDifference(rank)
	for n = range min(first, among) {
		if p.broken.act(rank, n).Time != p.whole.act(rank, n).Time {
			return n, true
		}
	}
	return 0, false
}

// earliestDifference is the rank that is the first to do something else, of those that do not fail there.
func (p *pair) earliestDifference() (rank int, found bool) {
	earliest := clock.Never
	for r := range p.broken.acts {
		n, same := p.firstDifference(r)
		if same {
			continue
		}
		at := clock.Never
		if e := p.broken.act(r, n); e != nil {
			if fails(e) {
				continue
			}
			at = e.Time
		}
		if e := p.whole.act(r, n); e != nil {
			at = min(at, e.Time)
		}
		if at < earliest || !found {
			rank, earliest, found = r, at, true
		}
	}
	return rank, found
}

// fails reports whether an event is the end of a rank by a fault, or what it was doing then.
func fails(e *report.Event) bool {
	switch e.Kind {
	case report.EventCrash, report.EventHang, report.EventSendLost, report.EventWriteLost, report.EventSyncLost:
		return true
	}
	return false
}
