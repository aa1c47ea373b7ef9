package history

import (
	"cmp"
	"slices"
	"sort"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/text"
)

// How often the model may be asked to find out which operations are enough to break a rule, in all and for one question, if loose did not answer it. It is less than may be spent on
// whether it is broken, as a search judges many runs that are. That a puzzle is made counts, too: as if each of its operations was asked about.
const (
	explanation = 200_000
	question    = 50_000
)

// role is what an operation is to an explanation.
type role uint8

const (
	kept role = iota // as it was
	lost             // as it was, but nobody has seen it return
	free             // no more is known of it than that somebody may have asked for it, at whatever time
	gone             // it never was: what fits like that fits if the operation is free, too
)

// explainer finds out which operations of a puzzle that does not fit are at odds.
type explainer[State comparable, In, Out any] struct {
	rule  *Rule[State, In, Out]
	whole *Puzzle[State, In, Out]
	loose *loose[State, In, Out] // nil if there is none
	roles []role
	left  int // how often the model may still be asked
}

// explain makes a verdict of a puzzle that does not fit.
//
// Operations are let go, as long as the others do not fit even so: an operation that was let go is free to have been anywhere, or nowhere, with
// whatever result. That only makes it easier to fit. So what is kept breaks the rule whatever the others did, and nothing of it can be spared, unless the
// steps were too few to find that out. What came after the guilty one goes first, then what was long ago.
func (r *Rule[State, In, Out]) explain(p *Puzzle[State, In, Out]) guarantee.Verdict {
	x := &explainer[State, In, Out]{r, p, newLoose(p, r.Before), make([]role, len(p.Operations)), explanation}
	order := x.byReturn()
	guilty := x.guilty()
	after := slices.Clone(order[guilty+1:])
	slices.Reverse(after)
	x.letGo(append(after, order[:guilty+1]...))
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

// letGo lets these operations go, one after the other, each if the others do not fit even so. In fact it lets the first go at once, as many as can: if they can all go, so could each
// after the other. As few others are soon found not to fit, it begins with the fewest that might have to stay.
func (x *explainer[State, In, Out]) letGo(operations []int) {
	for len(operations) > 0 {
		first := x.firstToStay(operations)
		if first == len(operations) {
			return
		}
		if x.loose != nil {
			x.letOneGo(operations[first])
		}
		operations = operations[first+1:]
	}
}

// firstToStay lets the first of these operations go, and returns the place of the one at which that ends.
func (x *explainer[State, In, Out]) firstToStay(operations []int) int {
	size := len(operations)
	canGo := func(first int) bool {
		x.become(free, operations[:first])
		can := !x.fit(x.loose == nil)
		x.become(kept, operations[:first])
		return can
	}
	stay, cannot := 0, -1
	for stay < size && !canGo(size-stay) {
		stay, cannot = max(1, 2*stay), stay
	}
	stay = min(stay, size)
	stay -= sort.Search(stay-cannot-1, func(more int) bool { return !canGo(size - stay + more + 1) })
	x.become(free, operations[:size-stay])
	return size - stay
}

// letOneGo lets an operation go that fits loosely, if it does not fit exactly.
func (x *explainer[State, In, Out]) letOneGo(operation int) {
	for _, role := range []role{gone, free} { // the first takes less to find out
		if x.roles[operation] = role; x.fitExactly() {
			x.roles[operation] = kept
			return
		}
	}
}

func (x *explainer[State, In, Out]) become(role role, operations []int) {
	for _, i := range operations {
		x.roles[i] = role
	}
}

// fit reports whether the operations fit as their roles are, or may do for all that could be found out: exactly or, which takes less, loosely.
func (x *explainer[State, In, Out]) fit(exactly bool) bool {
	if x.loose != nil {
		fits, gaveUp := x.loose.fits(x.roles)
		if !fits || !gaveUp && !slices.Contains(x.roles, free) { // then it is exact
			return fits
		}
	}
	return !exactly || x.fitExactly()
}

// fitExactly asks the rule.
func (x *explainer[State, In, Out]) fitExactly() bool {
	if x.left -= len(x.roles); x.left <= 0 {
		return true
	}
	p := x.puzzle()
	p.left = min(x.left, question)
	x.left -= p.left
	fits := x.rule.Fits(p)
	x.left += p.left
	return fits || p.GaveUp()
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

// guilty is the first operation that should not have returned as it did, by its place in byReturn: if those that returned later had not returned yet, nothing would
// fit either.
func (x *explainer[State, In, Out]) guilty() (place int) {
	order := x.byReturn()
	seen := len(order)
	for seen > 1 && x.whole.Operations[order[seen-1]].Pending() {
		seen--
	}
	return sort.Search(seen-1, func(last int) bool {
		x.become(lost, order[last+1:])
		fit := x.fit(true)
		x.become(kept, order[last+1:])
		return !fit
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
