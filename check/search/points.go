package search

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// candidate is a fault that could be added to a schedule, or a class of faults that come to
// the same.
type candidate struct {
	fault faults.Fault
	// shows is when others could first notice: the start of the first send that does not
	// happen, or clock.Never. With a failure detector, and if ranks can come back, it is the
	// failure itself that shows; that of a rank which is down from the start before all others.
	// Rejoins and cuts show when they happen.
	shows  clock.Time
	points int64 // how many faults it stands for
}

// compareShows orders faults by when they show, then by what happens first, then by rank.
// Only faults that exclude each other compare equal.
func (c *candidate) compareShows(other *candidate) int {
	return cmp.Or(
		cmp.Compare(c.shows, other.shows),
		cmp.Compare(c.phase(), other.phase()),
		cmp.Compare(c.fault.Rank, other.fault.Rank),
		cmp.Compare(c.fault.Left, other.fault.Left),
		cmp.Compare(c.message(), other.message()),
	)
}

// message orders what happens to messages of a rank. One that is lost is not late as well, but one that is late may come twice.
func (c *candidate) message() int {
	switch {
	case !c.fault.Kind.OfMessages():
		return 0
	case c.fault.Kind == faults.Twice:
		return 2*c.fault.At.N + 1
	}
	return 2 * c.fault.At.N
}

// phase orders what shows at the same instant. Cuts and rejoins happen before anybody
// does anything: a rank may come back and fail again at once.
func (c *candidate) phase() int {
	switch c.fault.Kind {
	case faults.Cut:
		return 0
	case faults.Rejoin:
		return 1
	case faults.Late, faults.Lose, faults.Twice:
		return 3
	}
	return 2
}

// life is what a rank did in a run, as far as faults can be tied to it: its points, cut into
// pieces by its sends. Piece k is between the k-th send and the end of the next. A rank that
// was started again goes on counting.
type life struct {
	pieces []piece
	takes  int
	steps  map[string]int
	send   attempt
	write  attempt
	sync   attempt
	unsafe []string // the records that were changed since the last sync
	most   int      // how many of these there were at most
	down   bool
	by     int // the place in the schedule of the fault that it was stopped by last
}

// attempt is what becomes of operations in whose course a rank may fail.
type attempt struct {
	done   int
	lost   int // the number of the one in which it failed, if it did; the next one has it, too
	middle int // the same, if it failed after the middle of it
}

type piece struct {
	points []faults.Point
	times  []clock.Time // of the points
	unsafe [][]string   // the records with changes that are not safe there, as far as there are any
	shows  clock.Time
}

func (p *piece) add(at clock.Time, point faults.Point, unsafe []string) {
	if len(unsafe) > 0 {
		p.unsafe = append(p.unsafe, make([][]string, len(p.points)-len(p.unsafe))...)
		p.unsafe = append(p.unsafe, slices.Clip(unsafe))
	}
	p.points, p.times = append(p.points, point), append(p.times, at)
}

// unsafeAt are the records with changes that are not safe at a point.
func (p *piece) unsafeAt(i int) []string {
	if i < len(p.unsafe) {
		return p.unsafe[i]
	}
	return nil
}

// last is what the rank does since its last send.
func (l *life) last() *piece { return &l.pieces[len(l.pieces)-1] }

// add adds a point to the last piece.
func (l *life) add(at clock.Time, point faults.Point) { l.last().add(at, point, l.unsafe) }

// beforeRun is when ranks fail that are down from the start: detectors know that at time 0, so
// it has an influence on what others do then.
const beforeRun clock.Time = -1

// lives reads the events of a run.
func lives(rep *report.Report) []life {
	all := make([]life, len(rep.Ranks))
	for i := range all {
		all[i].pieces = []piece{{shows: clock.Never}}
		all[i].add(beforeRun, faults.OnTime(0))
	}
	for i := range rep.Events {
		e := &rep.Events[i]
		l := &all[e.Rank]
		switch e.Kind {
		case report.EventSend, report.EventSendLost:
			took := overheadOf(rep, i)
			l.begin(&l.send, e.Time, took, faults.BeforeSend)
			if e.Kind == report.EventSendLost {
				l.send.lose()
				break
			}
			l.last().shows = e.Time
			l.pieces = append(l.pieces, piece{shows: clock.Never})
			l.end(&l.send, e.Time+took, faults.AfterSend)
		case report.EventWrite, report.EventDelete, report.EventWriteLost, report.EventSync, report.EventSyncLost:
			l.store(rep, i)
		case report.EventTake:
			l.takes++
			l.add(e.Time, faults.OnNthRecv(l.takes))
		case report.EventStep:
			if l.steps == nil {
				l.steps = make(map[string]int)
			}
			l.steps[e.Step]++
			l.add(e.Time, faults.OnStep(e.Step, l.steps[e.Step]))
		case report.EventCrash, report.EventHang:
			l.die(rep, e)
		case report.EventRejoin:
			l.down = false
		}
	}
	return all
}

// begin adds the points before and in the middle of an operation.
func (l *life) begin(a *attempt, at, took clock.Time, before faults.Anchor) {
	n := a.done + 1
	if n != a.lost { // it would have failed before that in its former life
		l.add(at, faults.Point{Anchor: before, N: n})
	}
	if before == faults.BeforeWrite {
		return // its middle has a change more, see store
	}
	l.half(a, at+took/2, before+1)
}

// half adds the point in the middle of an operation.
func (l *life) half(a *attempt, at clock.Time, middle faults.Anchor) {
	if n := a.done + 1; n != a.middle {
		l.add(at, faults.Point{Anchor: middle, N: n})
	}
}

// end adds the point after an operation, which counts.
func (l *life) end(a *attempt, at clock.Time, after faults.Anchor) {
	a.done++
	l.add(at, faults.Point{Anchor: after, N: a.done})
}

// lose notes that the rank failed in an operation.
func (a *attempt) lose() { a.lost = a.done + 1 }

// die ends a life. What was listed of it and does not come before its end never comes: the point at which it failed, and if that was
// by the clock, all that was to come then or later.
func (l *life) die(rep *report.Report, death *report.Event) {
	if l.down { // it had hung before
		return
	}
	last := l.last()
	l.down, l.by, l.unsafe = true, 0, nil
	at := faults.OnTime(death.Time) // as it was if its program had returned before
	for _, stopped := range rep.Stopped {
		if f := &rep.Faults[stopped.Place]; f.Rank == death.Rank && stopped.Time == death.Time {
			l.by, at = stopped.Place, f.At
		}
	}
	for i, point := range last.points {
		switch {
		case last.times[i] == clock.Never: // of a former life, in which it failed there
		case point == at || at.Anchor == faults.AtTime && last.times[i] >= death.Time:
			last.times[i] = clock.Never
		case point == faults.DuringNthSend(l.send.lost):
			l.send.middle = l.send.lost
		case point == faults.DuringNthWrite(l.write.lost):
			l.write.middle = l.write.lost
		case point == faults.DuringNthSync(l.sync.lost):
			l.sync.middle = l.sync.lost
		}
	}
	if at.Anchor == faults.AtRecv {
		l.takes++ // the message was taken, but not processed
	}
}

// overheadOf is how long a send took, or would have taken.
func overheadOf(rep *report.Report, event int) clock.Time {
	e := &rep.Events[event]
	factor := 1
	if rep.Faults.Has(faults.Slow) {
		factor = slowness(rep, event)
	}
	return rep.Overhead(e.Rank, e.Peer, e.Time, factor)
}

// slowness is how many times as long what a rank does takes at an event.
func slowness(rep *report.Report, event int) int {
	e := &rep.Events[event]
	var slow faults.Slowdowns
	for i := range rep.Faults {
		if f := &rep.Faults[i]; f.Kind == faults.Slow && f.Rank == e.Rank && f.At.Anchor == faults.AtTime {
			slow.Add(f.At.Time, f.Factor)
		}
	}
	for i := range rep.Events[:event] {
		if before := &rep.Events[i]; before.Kind == report.EventSlow && before.Rank == e.Rank {
			slow.Add(before.Time, int(before.A))
		}
	}
	return slow.FactorAt(e.Time)
}

// Points returns, for each rank, the points of a run whose events were recorded at which it could
// have failed, in their order.
func Points(rep *report.Report) [][]faults.Point {
	all := make([][]faults.Point, len(rep.Ranks))
	for rank, l := range lives(rep) {
		for _, p := range l.pieces {
			all[rank] = append(all[rank], p.points...)
		}
	}
	return all
}

// candidates lists what can happen in a run, one for each class, ordered by when it shows. With
// a failure detector no two faults come to the same: others learn when a rank has failed.
// Neither do they if ranks come back.
func (x *explorer) candidates(rep *report.Report) []candidate {
	all := append(x.cuts(), x.rejoins(rep)...)
	kinds, apart := x.options.Kinds, x.apart()
	for rank, l := range lives(rep) {
		if x.spared[rank] || rep.Ranks[rank].Outcome.Failed() && l.by >= len(x.given) {
			continue
		}
		for k, p := range l.pieces {
			p.come()
			p.cutOff(x.options.Before)
			if x.options.Every || apart {
				all = append(all, p.each(rank, kinds, apart, x.returning())...)
				continue
			}
			if len(p.points) == 0 {
				break // all further ones are later
			}
			fault := faults.Fault{Kind: kinds[0], Rank: rank, At: simplest(k)}
			all = append(all, candidate{fault, p.shows, int64(len(p.points) * len(kinds))})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.compareShows(&b) })
	return x.withoutOld(all, rep.Faults)
}

// come leaves out what never comes.
func (p *piece) come() {
	if !slices.Contains(p.times, clock.Never) {
		return
	}
	all := *p
	p.points, p.times, p.unsafe = nil, nil, nil
	for i, at := range all.times {
		if at != clock.Never {
			p.add(at, all.points[i], all.unsafeAt(i))
		}
	}
}

// cutOff leaves out what is not before an instant; 0: nothing.
func (p *piece) cutOff(before clock.Time) {
	if before > 0 {
		early, _ := slices.BinarySearch(p.times, before)
		p.points, p.times, p.unsafe = p.points[:early], p.times[:early], p.unsafe[:min(early, len(p.unsafe))]
	}
}

// each lists the faults of a class one by one. If ranks come back, it matters what they have kept.
func (p *piece) each(rank int, kinds []faults.Kind, apart, returning bool) []candidate {
	var all []candidate
	for i, at := range p.points {
		shows := p.shows
		if apart {
			shows = p.times[i]
		}
		for _, kind := range kinds {
			all = append(all, candidate{faults.Fault{Kind: kind, Rank: rank, At: at}, shows, 1})
			if !returning {
				continue
			}
			for _, kept := range keptOf(p.unsafeAt(i)) {
				all = append(all, candidate{faults.Fault{Kind: kind, Rank: rank, At: at, Kept: kept}, shows, 1})
			}
		}
	}
	return all
}

// simplest is the point that stands for the piece after so many sends.
func simplest(sends int) faults.Point {
	if sends == 0 {
		return faults.OnTime(0)
	}
	return faults.AfterNthSend(sends)
}
