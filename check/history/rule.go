package history

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/text"
)

// Rule says which orders of operations will do. It is for checkers of other kinds of consistency; see [SequentiallyConsistent] for one.
type Rule[State comparable, In, Out any] struct {
	Name string
	// Local is set if a history keeps the rule if each part of it does, as with linearizability.
	Local bool
	// Fits looks for such an order. A history that keeps the rule must keep it with less known about an operation, too: with its result
	// forgotten, or even when it was asked for.
	Fits func(*Puzzle[State, In, Out]) bool
	// Before is set if there is nothing more to the rule than that some operations have to come before others: it says which, of two of those that Fits is given. None
	// comes before one that began earlier, nor does a pending one, and whatever comes before one comes before those after that. Optional; with it the evidence of
	// long histories names fewer operations.
	Before func(a, b Operation[In, Out]) bool
}

// defaultLimit is how often a model is asked about one part.
const defaultLimit = 1_000_000

// Guarantee makes a guarantee of the rule, about what a history holds after a run. It is about safety. If it is broken, the evidence and the marks have
// operations that break it whatever all others did, the fewest that were found.
func (r Rule[State, In, Out]) Guarantee(h *History[In, Out], model Model[State, In, Out]) guarantee.Guarantee {
	if model.Limit == 0 {
		model.Limit = defaultLimit
	}
	if model.Describe == nil {
		model.Describe = describe[In, Out]
	}
	return guarantee.Safety(guarantee.VerdictFunc(r.Name, false, func(guarantee.Run) guarantee.Verdict {
		return r.judge(h.Operations(), &model)
	}))
}

// judge looks at part after part. A part that is broken decides, even if another one was given up.
func (r *Rule[State, In, Out]) judge(all []Operation[In, Out], model *Model[State, In, Out]) guarantee.Verdict {
	if returned(all) == 0 {
		return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: "no operation has returned"}
	}
	names, parts := split(all, model.Part)
	var undecided string
	for i, puzzle := range r.puzzles(all, parts, len(names), model) {
		switch fits := r.Fits(puzzle); {
		case fits:
		case puzzle.GaveUp():
			undecided = fmt.Sprintf("gave up %s after %s", text.Count(len(puzzle.Operations), "operation"), text.Count(model.Limit, "step"))
		default:
			verdict := r.explain(puzzle)
			if r.Local && names[i] != "" {
				verdict.Evidence = names[i] + ": " + verdict.Evidence
			}
			return verdict
		}
	}
	if undecided != "" {
		return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: undecided}
	}
	return guarantee.Verdict{Value: guarantee.Held, Evidence: counted(all, len(names))}
}

// puzzles are what has to be solved: one for each part, or one for all.
func (r *Rule[State, In, Out]) puzzles(all []Operation[In, Out], parts []int, count int, model *Model[State, In, Out]) []*Puzzle[State, In, Out] {
	if !r.Local {
		return []*Puzzle[State, In, Out]{{Operations: all, Parts: parts, model: model, left: model.Limit}}
	}
	puzzles := make([]*Puzzle[State, In, Out], count)
	for part := range puzzles {
		puzzles[part] = &Puzzle[State, In, Out]{model: model, left: model.Limit}
	}
	for i, o := range all {
		p := puzzles[parts[i]]
		p.Operations = append(p.Operations, o)
		p.Parts = append(p.Parts, 0)
	}
	return puzzles
}

// split says which part each operation is about, and how the parts are called, in the order in which they are met.
func split[In, Out any](all []Operation[In, Out], partOf func(In) string) (names []string, parts []int) {
	numbers := make(map[string]int)
	for _, o := range all {
		name := ""
		if partOf != nil {
			name = partOf(o.In)
		}
		number, met := numbers[name]
		if !met {
			number = len(names)
			numbers[name] = number
			names = append(names, name)
		}
		parts = append(parts, number)
	}
	return names, parts
}

// returned is how many operations have.
func returned[In, Out any](all []Operation[In, Out]) (n int) {
	for i := range all {
		if !all[i].Pending() {
			n++
		}
	}
	return n
}

// counted says how many there were: "12 operations, 2 of them pending, on 3 parts".
func counted[In, Out any](all []Operation[In, Out], parts int) string {
	words := text.Count(len(all), "operation")
	if pending := len(all) - returned(all); pending > 0 {
		words += fmt.Sprintf(", %d of them pending", pending)
	}
	if parts > 1 {
		words += fmt.Sprintf(", on %d parts", parts)
	}
	return words
}
