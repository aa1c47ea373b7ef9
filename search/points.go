package search

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
)

// candidate is a fault that could be added to a schedule, or a class of faults that come to
// the same.
type candidate struct {
	fault faults.Fault
	// shows is when others could first notice: the start of the first send that does not
	// happen, or clock.Never.
	shows  clock.Time
	points int64 // how many faults it stands for
}

// compareShows orders faults by when they show, then by rank.
func (c *candidate) compareShows(other *candidate) int {
	return cmp.Or(cmp.Compare(c.shows, other.shows), cmp.Compare(c.fault.Rank, other.fault.Rank))
}

// life is what a rank did in a run, as far as faults can be tied to it: its points, cut into
// pieces by its sends. Piece k is between the k-th send and the end of the next.
type life struct {
	pieces []piece
	takes  int
	steps  map[string]int
}

type piece struct {
	points []faults.Point
	shows  clock.Time
}

// lives reads the events of a run.
func lives(rep *emu.Report) []life {
	all := make([]life, len(rep.Ranks))
	for i := range all {
		all[i].pieces = []piece{{shows: clock.Never}}
	}
	for i := range rep.Events {
		e := &rep.Events[i]
		l := &all[e.Rank]
		last := &l.pieces[len(l.pieces)-1]
		switch e.Kind {
		case emu.EventSend:
			n := len(l.pieces)
			last.shows = e.Time
			last.points = append(last.points, faults.BeforeNthSend(n), faults.DuringNthSend(n))
			l.pieces = append(l.pieces, piece{points: []faults.Point{faults.AfterNthSend(n)}, shows: clock.Never})
		case emu.EventTake:
			l.takes++
			last.points = append(last.points, faults.OnNthRecv(l.takes))
		case emu.EventStep:
			if l.steps == nil {
				l.steps = make(map[string]int)
			}
			l.steps[e.Step]++
			last.points = append(last.points, faults.OnStep(e.Step, l.steps[e.Step]))
		}
	}
	return all
}

// candidates lists what can fail in a run, one for each class, ordered by when it shows.
func candidates(rep *emu.Report, kinds []faults.Kind, every bool, spared map[int]bool) []candidate {
	var all []candidate
	for rank, l := range lives(rep) {
		if spared[rank] || rep.Ranks[rank].Outcome.Failed() {
			continue
		}
		for k, p := range l.pieces {
			if every {
				all = append(all, eachPoint(rank, k, p, kinds)...)
				continue
			}
			fault := faults.Fault{Kind: kinds[0], Rank: rank, At: simplest(k, p)}
			all = append(all, candidate{fault, p.shows, int64(len(p.withStart(k)) * len(kinds))})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.compareShows(&b) })
	return all
}

// eachPoint lists the faults of a class one by one.
func eachPoint(rank, k int, p piece, kinds []faults.Kind) []candidate {
	var all []candidate
	for _, at := range p.withStart(k) {
		for _, kind := range kinds {
			all = append(all, candidate{faults.Fault{Kind: kind, Rank: rank, At: at}, p.shows, 1})
		}
	}
	return all
}

// withStart are the points of a piece; the first one includes the time before the run.
func (p piece) withStart(k int) []faults.Point {
	if k == 0 {
		return append([]faults.Point{faults.OnTime(0)}, p.points...)
	}
	return p.points
}

// simplest is the point that stands for a piece.
func simplest(k int, p piece) faults.Point {
	if k == 0 {
		return faults.OnTime(0)
	}
	return faults.AfterNthSend(k)
}
