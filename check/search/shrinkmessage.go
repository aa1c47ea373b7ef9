package search

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// simplerMessages lists simpler things to happen to messages than f: to one message and not to all of a link, to a link and not to all of
// a rank, then sooner, then to an earlier message.
func (x *shrinker) simplerMessages(f faults.Fault) []faults.Fault {
	var all []faults.Fault
	if f.OfLinks() {
		all = append(x.ofLink(f), x.singleLinks(f)...)
	}
	for _, delay := range []clock.Time{1, f.Delay / 2, f.Delay - f.Delay/4, f.Delay - f.Delay/8, f.Delay - 1} {
		if g := f; delay >= 1 && delay < f.Delay {
			g.Delay = delay
			all = append(all, g)
		}
	}
	if f.OfLinks() {
		return append(all, earlier(f)...)
	}
	for _, n := range []int{1, f.At.N / 2, f.At.N - 1} {
		if g := f; n >= 1 && n < f.At.N {
			g.At.N = n
			all = append(all, g)
		}
	}
	return all
}

// ofLink lists the same for single messages that go over the links of f.
func (x *shrinker) ofLink(f faults.Fault) []faults.Fault {
	if !x.trace() {
		return nil
	}
	var all []faults.Fault
	sides, sent := f.Sides(x.runner.subject.Machine.Ranks), make(map[int]int)
	for _, e := range x.runner.report.Events {
		if e.Kind != report.EventSend {
			continue
		}
		sent[e.Rank]++
		if sides[e.Rank] == 1 && sides[e.Peer] == 2 && len(all) < maxAlone {
			all = append(all, faults.Fault{Kind: f.Kind, Rank: e.Rank, At: faults.DuringNthSend(sent[e.Rank]), Delay: f.Delay})
		}
	}
	return all
}

// singleLinks lists the same for single links, where one side is all others.
func (x *shrinker) singleLinks(f faults.Fault) []faults.Fault {
	if f.Left != faults.Others && f.Right != faults.Others {
		return nil
	}
	var all []faults.Fault
	for rank := 0; rank < x.runner.subject.Machine.Ranks && len(all) < maxAlone; rank++ {
		g, one := f, faults.GroupOf(rank)
		switch {
		case f.Right == faults.Others && one != f.Left:
			g.Right = one
		case f.Left == faults.Others && one != f.Right:
			g.Left = one
		default:
			continue
		}
		all = append(all, g)
	}
	return all
}
