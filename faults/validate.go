package faults

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Validate returns an error that lists everything wrong with the schedule on a machine
// of that many ranks, or nil.
func (s Schedule) Validate(ranks int) error { return s.problems(ranks).Err("faults") }

func (s Schedule) problems(ranks int) (wrong problems.List) {
	if machine := (span{"ranks", 1, clock.MaxRanks}); !machine.has(int64(ranks)) {
		return problems.List{machine.problem(int64(ranks))}
	}
	wrong = append(s.itemProblems(ranks), s.rejoinProblems(ranks)...)
	seen := make(map[Fault]int, len(s))
	for _, f := range s {
		seen[f]++
		if seen[f] == 2 { // not again at the third
			wrong.Add("%s: listed twice", f)
		}
	}
	return wrong
}

// wellFormed checks all but what concerns a certain machine or several items.
func (s Schedule) wellFormed() error { return s.itemProblems(clock.MaxRanks).Err("faults") }

func (s Schedule) itemProblems(ranks int) (wrong problems.List) {
	for i := range s {
		if found := s[i].problems(ranks); found != nil {
			wrong.In(s[i].String(), found)
		}
	}
	return wrong
}

func (f *Fault) problems(ranks int) (wrong problems.List) {
	f.checkKind(&wrong)
	f.checkRanks(&wrong, ranks)
	f.checkSides(&wrong, ranks)
	f.At.check(&wrong)
	f.checkTime(&wrong)
	f.checkMessages(&wrong)
	f.checkKept(&wrong)
	return wrong
}

func (f *Fault) checkKind(wrong *problems.List) {
	if int(f.Kind) >= len(kindNames) {
		wrong.Note(kindError(f.Kind.String()))
		return
	}
	if f.Kind == Slow {
		factorSpan.check(wrong, int64(f.Factor))
		return
	}
	unused(wrong, "factor", f.Factor, f.Factor != 0, "slow")
}

// unused notes a value in a field that has no meaning here. Such a value would be lost
// in the text form.
func unused(wrong *problems.List, what string, v any, set bool, owner string) {
	if set {
		wrong.Add("%s %v, want none: only %s has one", what, v, owner)
	}
}

func (f *Fault) checkRanks(wrong *problems.List, ranks int) {
	switch f.Select {
	case One:
		if !f.OfLinks() {
			rankSpan(ranks).check(wrong, int64(f.Rank))
		}
	case Count:
		f.numberSpan(ranks).check(wrong, int64(f.Number))
	case Rate:
		if !f.Rate.possible() {
			wrong.Add("rate %s, want %s", f.Rate, percentRange)
		}
	default:
		wrong.Add("unknown selection %d, want One, Count or Rate", f.Select)
		return
	}
	unused(wrong, "Rank", f.Rank, f.Rank != 0 && (f.Select != One || f.OfLinks()), "a fault of one rank")
	unused(wrong, "Number", f.Number, f.Number != 0 && f.Select != Count, "Count")
	unused(wrong, "Rate", f.Rate, f.Rate != 0 && f.Select != Rate, "Rate")
}

// numberSpan is for the size of the item's draw. Links have somebody on the other side.
func (f *Fault) numberSpan(ranks int) span {
	if f.OfLinks() {
		return numberSpan(max(1, ranks-1))
	}
	return numberSpan(ranks)
}

func (p *Point) check(wrong *problems.List) {
	switch {
	case p.Anchor == AtTime:
		timeSpan.check(wrong, int64(p.Time))
		unused(wrong, "N", p.N, p.N != 0, "a point in the program")
	case p.Anchor <= lastAnchor:
		p.Anchor.span().check(wrong, int64(p.N))
		unused(wrong, "Time", p.Time, p.Time != 0, "AtTime")
	default:
		wrong.Add("unknown anchor %d, want AtTime to AfterSync", p.Anchor)
		return
	}
	if p.Anchor == AtStep {
		wrong.Note(checkStep(p.Step))
		return
	}
	unused(wrong, "Step", p.Step, p.Step != "", "AtStep")
}
