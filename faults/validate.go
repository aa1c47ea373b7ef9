package faults

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
)

// problems collects all that is wrong, for one error that lists it.
type problems []string

func (p *problems) add(format string, args ...any) {
	*p = append(*p, fmt.Sprintf(format, args...))
}

// check notes a value outside its range.
func (p *problems) check(r span, v int64) {
	if !r.has(v) {
		*p = append(*p, r.problem(v))
	}
}

// unused notes a value in a field that has no meaning here. Such a value would be lost
// in the text form.
func (p *problems) unused(what string, v any, set bool, owner string) {
	if set {
		p.add("%s %v, want none: only %s has one", what, v, owner)
	}
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return errors.New("faults: " + strings.Join(p, "; "))
}

// Validate returns an error that lists everything wrong with the schedule on a machine
// of that many ranks, or nil.
func (s Schedule) Validate(ranks int) error { return s.problems(ranks).err() }

func (s Schedule) problems(ranks int) problems {
	if machine := (span{"ranks", 1, clock.MaxRanks}); !machine.has(int64(ranks)) {
		return problems{machine.problem(int64(ranks))}
	}
	wrong := append(s.itemProblems(ranks), s.rejoinProblems(ranks)...)
	seen := make(map[Fault]int, len(s))
	for _, f := range s {
		seen[f]++
		if seen[f] == 2 { // not again at the third
			wrong.add("%s: listed twice", f)
		}
	}
	return wrong
}

// wellFormed checks all but what concerns a certain machine or several items.
func (s Schedule) wellFormed() error { return s.itemProblems(clock.MaxRanks).err() }

func (s Schedule) itemProblems(ranks int) problems {
	var wrong problems
	for i := range s {
		for _, what := range s[i].problems(ranks) {
			wrong.add("%s: %s", s[i], what)
		}
	}
	return wrong
}

func (f *Fault) problems(ranks int) problems {
	var wrong problems
	f.checkKind(&wrong)
	f.checkRanks(&wrong, ranks)
	f.checkSides(&wrong, ranks)
	f.At.check(&wrong)
	f.checkTime(&wrong)
	return wrong
}

func (f *Fault) checkKind(wrong *problems) {
	if int(f.Kind) >= len(kindNames) {
		wrong.add("%s", kindError(f.Kind.String()))
		return
	}
	if f.Kind == Slow {
		wrong.check(factorSpan, int64(f.Factor))
		return
	}
	wrong.unused("factor", f.Factor, f.Factor != 0, "slow")
}

func (f *Fault) checkRanks(wrong *problems, ranks int) {
	switch f.Select {
	case One:
		if f.Kind != Cut {
			wrong.check(rankSpan(ranks), int64(f.Rank))
		}
	case Count:
		wrong.check(f.numberSpan(ranks), int64(f.Number))
	case Rate:
		if !f.Rate.possible() {
			wrong.add("rate %s, want %s", f.Rate, percentRange)
		}
	default:
		wrong.add("unknown selection %d, want One, Count or Rate", f.Select)
		return
	}
	wrong.unused("Rank", f.Rank, f.Rank != 0 && (f.Select != One || f.Kind == Cut), "a fault of one rank")
	wrong.unused("Number", f.Number, f.Number != 0 && f.Select != Count, "Count")
	wrong.unused("Rate", f.Rate, f.Rate != 0 && f.Select != Rate, "Rate")
}

// numberSpan is for the size of the item's draw. A cut leaves somebody on the other side.
func (f *Fault) numberSpan(ranks int) span {
	if f.Kind == Cut {
		return numberSpan(max(1, ranks-1))
	}
	return numberSpan(ranks)
}

func (p *Point) check(wrong *problems) {
	switch p.Anchor {
	case AtTime:
		wrong.check(timeSpan, int64(p.Time))
		wrong.unused("N", p.N, p.N != 0, "a point in the program")
	case BeforeSend, MidSend, AfterSend, AtRecv, AtStep:
		wrong.check(p.Anchor.span(), int64(p.N))
		wrong.unused("Time", p.Time, p.Time != 0, "AtTime")
	default:
		wrong.add("unknown anchor %d, want AtTime to AtStep", p.Anchor)
		return
	}
	if p.Anchor == AtStep {
		if what := stepProblem(p.Step); what != "" {
			wrong.add("%s", what)
		}
		return
	}
	wrong.unused("Step", p.Step, p.Step != "", "AtStep")
}
