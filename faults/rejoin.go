package faults

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Why a rejoin has a time above 0.
const tooSoon = "nobody can come back before anything has failed"

// Rejoins returns the rejoins of an explicit schedule in the order in which they happen: by time,
// then rank.
func (s Schedule) Rejoins() (all []*Fault) {
	for i := range s {
		if s[i].Kind == Rejoin {
			all = append(all, &s[i])
		}
	}
	slices.SortFunc(all, func(a, b *Fault) int {
		return cmp.Or(cmp.Compare(a.At.Time, b.At.Time), cmp.Compare(a.Rank, b.Rank))
	})
	return all
}

// checkTime looks at when those faults happen that are no part of a program: a rank that is
// down passes no points, and links belong to no rank.
func (f *Fault) checkTime(wrong *problems.List) {
	if f.Kind != Rejoin && !f.OfLinks() {
		return
	}
	switch a := f.At.Anchor; {
	case a != AtTime && a <= lastAnchor:
		wrong.Add("point %s, want a time such as t90: %s is not tied to a program", f.At, f.timed())
	case f.Kind == Rejoin && f.At.Time == 0:
		wrong.Add("%w: %s", rejoinSpan.problem(0), tooSoon)
	case f.Kind == Mend && f.At.Time == 0:
		wrong.Add("%w: %s", rejoinSpan.problem(0), nothingToMend)
	}
}

// timed is what has a time and no point.
func (f *Fault) timed() string {
	if f.Kind.OfMessages() {
		return links
	}
	return "a " + f.Kind.String()
}

// Why a mend has a time above 0.
const nothingToMend = "nothing is cut before the run begins"

// rejoinProblems lists draws of more ranks than items before them can let crash or hang. How
// many these are in the end is often known only when they are drawn.
func (s Schedule) rejoinProblems(ranks int) (wrong problems.List) {
	if !slices.ContainsFunc(s, func(f Fault) bool { return f.Kind == Rejoin && f.Select == Count }) {
		return nil
	}
	named := make(map[int]bool)
	drawn := 0
	for i := range s {
		f := &s[i]
		switch most := min(ranks, len(named)+drawn); {
		case f.Kind == Rejoin && f.Select == Count && f.Number > most && f.Number <= ranks:
			tooFew(&wrong, f, most)
		case !f.Kind.Stops():
		case f.Select == One:
			named[f.Rank] = true
		case f.Select == Count:
			drawn = min(ranks, drawn+f.Number)
		default:
			drawn = ranks
		}
	}
	return wrong
}

// tooFew notes that only so many ranks can come back.
func tooFew(wrong *problems.List, f *Fault, failing int) {
	wrong.Add("%s: %d ranks to draw, want at most the %d that items before it let crash or hang", f, f.Number, failing)
}

// stopped lists the ranks that the items of an explicit schedule let crash or hang, each once,
// ascending.
func (s Schedule) stopped() []int {
	var ranks []int
	for i := range s {
		if s[i].Kind.Stops() {
			ranks = append(ranks, s[i].Rank)
		}
	}
	slices.Sort(ranks)
	return slices.Compact(ranks)
}
