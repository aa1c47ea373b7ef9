package search

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// What a rank forgets when it fails shows only if it fails between two messages that belong together and is back in time for the second; what it leaves
// half done, if a message is late that hides it. Among all failures and all instants that is rare, and an instant means something else with every seed. So where
// timing varies, many schedules are drawn from a run that has their seed and their late messages already.

// draws is a schedule for a runner that has the seed of the run.
func (f *fuzzer) draws(ctx context.Context, r *runner, random *rand.Rand) (faults.Schedule, error) {
	back := f.draw.comesBack(random)
	if !back && !f.draw.failsAmidUnrest(random) {
		return f.draw.schedule(random), nil
	}
	var s faults.Schedule
	if !back || random.IntN(2) == 0 {
		s = f.draw.unrest(random)
	}
	if _, ended, err := r.judge(ctx, r.tracing, s); err != nil || !ended {
		return s, err
	}
	if back {
		return append(s, f.draw.absence(random, &r.report)...), nil
	}
	if failure, _, ok := f.draw.failure(random, &r.report); ok {
		s = append(s, failure)
	}
	return s, nil
}

// failsAmidUnrest says whether a schedule is about one rank that fails while many messages are late.
func (d *drawer) failsAmidUnrest(random *rand.Rand) bool {
	if !d.options.AmidUnrest || !slices.Contains(d.options.Kinds, faults.Late) || len(d.stopping) == 0 || len(d.ranks) == 0 {
		return false
	}
	return random.IntN(2) == 0
}

// comesBack says whether a schedule is about one rank that fails and comes back.
func (d *drawer) comesBack(random *rand.Rand) bool {
	kinds := d.options.Kinds
	if !slices.Contains(kinds, faults.Late) || !slices.Contains(kinds, faults.Rejoin) || d.options.Faults < 2 || len(d.ranks) == 0 {
		return false // what a seed draws of the other kinds stays what it is
	}
	return random.IntN(4) > 0
}

// absence lets a rank fail somewhere in a run and come back: soon as likely as late. In half of them the network keeps what others send it
// meanwhile, as one does that tries again, so that messages to one life are received in the next.
func (d *drawer) absence(random *rand.Rand, rep *report.Report) faults.Schedule {
	failure, at, ok := d.failure(random, rep)
	if !ok {
		return nil
	}
	away := d.delay(random)
	if len(d.options.Rejoins) > 0 && random.IntN(2) == 0 {
		away = pick(random, d.options.Rejoins)
	}
	s := faults.Schedule{failure}
	if len(d.lives) > 1 && random.IntN(2) == 0 {
		s = append(s, d.kept(failure.Rank, at, away, rep.LogP.Delivery()))
	}
	return append(s, faults.Fault{Kind: faults.Rejoin, Rank: failure.Rank, At: faults.OnTime(at + away)})
}

// failure lets a rank fail just after it has sent or taken a message, or somewhere in a change or a sync of its storage, and says when that is. Which kind
// of message or operation is drawn first: those that are rare matter as much as those that are frequent. It is not ok if there are none.
func (d *drawer) failure(random *rand.Rand, rep *report.Report) (f faults.Fault, at clock.Time, ok bool) {
	type class struct {
		event   report.EventKind
		message mailbox.Kind
	}
	var classes []class
	events := make(map[class][]int)
	for i := range rep.Events {
		e := &rep.Events[i]
		if _, fails := slices.BinarySearch(d.ranks, e.Rank); !fails || !mayFailAt(e.Kind) {
			continue
		}
		c := class{e.Kind, e.Msg}
		if len(events[c]) == 0 {
			classes = append(classes, c)
		}
		events[c] = append(events[c], i)
	}
	if len(classes) == 0 {
		return f, 0, false
	}
	f, at, unsafe := pointAt(random, rep, pick(random, events[pick(random, classes)]))
	f.Kind = pick(random, d.stopping)
	f.Kept = someKept(random, unsafe)
	return f, at, true
}

// mayFailAt reports whether ranks are made to fail at events of a kind.
func mayFailAt(kind report.EventKind) bool {
	return kind == report.EventSend || kind == report.EventTake || kind.Changes() || kind == report.EventSync
}

// pointAt is where a rank has just sent or taken a message, or is in an operation of its storage, and when, and how many of its changes are not safe then. The i-th
// event says which.
func pointAt(random *rand.Rand, rep *report.Report, i int) (f faults.Fault, at clock.Time, unsafe int) {
	e, n := &rep.Events[i], 0
	for k := range rep.Events[:i+1] {
		other := &rep.Events[k]
		if other.Rank != e.Rank {
			continue
		}
		if other.Kind == e.Kind || other.Kind.Changes() && e.Kind.Changes() {
			n++
		}
		switch {
		case other.Kind.Changes():
			unsafe++
		case other.Kind == report.EventSync && k < i, other.Kind == report.EventRejoin:
			unsafe = 0
		}
	}
	f.Rank = e.Rank
	switch {
	case e.Kind == report.EventTake:
		f.At, at = faults.OnNthRecv(n), e.Time
	case e.Kind == report.EventSend:
		f.At, at = faults.AfterNthSend(n), e.Time+rep.Overhead(e.Rank, e.Peer, e.Time, 1)
	case e.Kind == report.EventSync && random.IntN(2) == 0:
		f.At, at = faults.AfterNthSync(n), e.Time+clock.Time(e.A)
		unsafe = 0
	case e.Kind == report.EventSync:
		f.At, at = faults.DuringNthSync(n), e.Time+clock.Time(e.A)/2
	case random.IntN(2) == 0:
		f.At, at = faults.AfterNthWrite(n), e.Time+clock.Time(e.A)
	default:
		f.At, at = faults.DuringNthWrite(n), e.Time+clock.Time(e.A)/2
	}
	return f, at, unsafe
}

// kept makes all messages late that would be received while a rank is away.
func (d *drawer) kept(rank int, at, away, delivery clock.Time) faults.Fault {
	var others []int
	for other := range d.lives {
		if other != rank {
			others = append(others, other)
		}
	}
	return faults.Fault{
		Kind: faults.Late, Left: faults.GroupOf(others...), Right: faults.GroupOf(rank), OneWay: true,
		At: faults.OnTime(max(0, at-delivery)), Until: at + away, Delay: away,
	}
}
