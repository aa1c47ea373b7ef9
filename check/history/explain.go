package history

import (
	"cmp"
	"slices"
	"sort"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/text"
)

// explanation is how often the model may be asked to find out which operations are enough to break a rule. It is far less than may be spent on whether it is
// broken, as a search judges many runs that are.
const explanation = 50_000

// role is what an operation is to an explanation.
type role uint8

const (
	kept role = iota // as it was
	lost             // as it was, but nobody has seen it return
	free             // no more is known of it than that somebody may have asked for it, at whatever time
	gone
)

// explainer finds out which operations of a puzzle that does not fit are at odds.
type explainer[State comparable, In, Out any] struct {
	rule  *Rule[State, In, Out]
	whole *Puzzle[State, In, Out]
	roles []role
	left  int // how often the model may still be asked
}

// explain makes a verdict of a puzzle that does not fit.
//
// Operations are let go one by one, as long as the others do not fit even so: an operation that was let go is free to have been anywhere, or nowhere, with
// whatever result. That only makes it easier to fit. So what is kept breaks the rule whatever the others did, and nothing of it can be spared, unless the
// steps were too few to find that out. What came after the guilty one goes first, then what was long ago.
func (r *Rule[State, In, Out]) explain(p *Puzzle[State, In, Out]) guarantee.Verdict {
	x := &explainer[State, In, Out]{r, p, make([]role, len(p.Operations)), explanation}
	order := x.byReturn()
	guilty := x.guilty()
	for _, i := range slices.Backward(order[guilty+1:]) {
		x.letGo(i)
	}
	for _, i := range order[:guilty+1] {
		x.letGo(i)
	}
	return x.verdict(x.byReturn()[x.guilty()])
}

// byReturn are the numbers of the operations that are kept, in the order in which they returned.
func (x *explainer[State, In, Out]) byReturn() []int {
	var order []int
	for i, role := range x.roles {
		if role == kept {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(x.whole.Operations[i].Returned, x.whole.Operations[j].Returned)
	})
	return order
}

// letGo lets an operation go if the others do not fit even so.
func (x *explainer[State, In, Out]) letGo(operation int) {
	x.roles[operation] = gone
	without := x.puzzle()
	without.watched, without.part = &x.whole.Operations[operation].In, x.whole.Parts[operation]
	if x.fits(without) {
		x.roles[operation] = kept
		return
	}
	if !without.changed {
		return // it changes no state that can be reached: free, it would be of no use
	}
	x.roles[operation] = free
	if x.fits(x.puzzle()) {
		x.roles[operation] = kept
	}
}

// puzzle is what the roles make of the whole.
func (x *explainer[State, In, Out]) puzzle() *Puzzle[State, In, Out] {
	p := &Puzzle[State, In, Out]{model: x.whole.model}
	for i, o := range x.whole.Operations {
		switch x.roles[i] {
		case gone:
			continue
		case lost:
			o = o.lost()
		case free:
			o = o.free()
		}
		p.Operations = append(p.Operations, o)
		p.Parts = append(p.Parts, x.whole.Parts[i])
	}
	return p
}

// fits reports whether a puzzle does, or may do for all that could be found out.
func (x *explainer[State, In, Out]) fits(p *Puzzle[State, In, Out]) bool {
	p.left = x.left
	fits := x.rule.Fits(p)
	x.left = p.left
	return fits || p.GaveUp()
}

// guilty is the first operation that should not have returned as it did, by its place in byReturn: if those that returned later had not returned yet, nothing would
// fit either.
func (x *explainer[State, In, Out]) guilty() (place int) {
	order := x.byReturn()
	seen := len(order)
	for seen > 1 && x.whole.Operations[order[seen-1]].Pending() {
		seen--
	}
	return sort.Search(seen-1, func(last int) bool {
		for _, i := range order[last+1:] {
			x.roles[i] = lost
		}
		fits := x.fits(x.puzzle())
		for _, i := range order[last+1:] {
			x.roles[i] = kept
		}
		return !fits
	})
}

// verdict says which operations they are.
func (x *explainer[State, In, Out]) verdict(guilty int) guarantee.Verdict {
	var v guarantee.Verdict
	var beside []string
	for i, o := range x.whole.Operations {
		if x.roles[i] != kept {
			continue
		}
		words := x.whole.model.Describe(o.In, o.output())
		v.Marks = append(v.Marks, o.mark(words, i == guilty))
		if i != guilty {
			beside = append(beside, o.who()+": "+words+" "+o.when())
		}
	}
	o := x.whole.Operations[guilty]
	v.Evidence = o.who() + ": " + x.whole.model.Describe(o.In, o.output()) + " " + o.when() + " fits nowhere"
	if len(beside) > 0 {
		v.Evidence += " beside " + text.List(fewer(beside))
	}
	return v
}

// longest is how many operations a piece of evidence lists.
const longest = 8

// fewer lists the first of many, and how many more there are.
func fewer(all []string) []string {
	if len(all) <= longest {
		return all
	}
	return append(slices.Clone(all[:longest]), text.Count(len(all)-longest, "more operation"))
}
