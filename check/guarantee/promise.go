package guarantee

import "slices"

// Promise is what a protocol promises: something that must hold, and the premises under which it does. It is
// a [Guarantee] itself; one that is none is a promise without premises.
type Promise struct {
	// Guarantee is what must hold, and how that is checked.
	Guarantee
	// Premises are what the promise presupposes. In a run that does not meet all of them, nothing is claimed.
	Premises []Premise
	// Stands is what the algorithm behind the promise was made to stand, where that is less than what the
	// promise is about: a broadcast is to reach everybody, and a plain tree does so only if nobody fails.
	// Runs beyond it are judged all the same, so that a search shows how much an algorithm stands, and
	// a broken verdict says that it was beyond ([Verdict].Beyond).
	Stands []Premise
	// Safety says that a protocol that does nothing would keep the promise, too: nobody waits for ever, no
	// result is wrong. See [Overall]. The guarantees of this package that are know it themselves.
	Safety bool
	// MayLose says that it is promised even if messages get lost, one by one or on links that are cut. Protocols
	// presuppose that they arrive in all other promises, and need not say so.
	MayLose bool
}

// PromiseOf is the guarantee with its premises, if it has any. A promise about a promise is one, on the terms of both.
func PromiseOf(g Guarantee) Promise {
	p, ok := g.(Promise)
	if !ok {
		return Promise{Guarantee: g}
	}
	if inner, ok := p.Guarantee.(Promise); ok {
		inner = PromiseOf(inner)
		return Promise{
			Guarantee: inner.Guarantee,
			Premises:  slices.Concat(p.Premises, inner.Premises),
			Stands:    slices.Concat(inner.Stands, p.Stands),
			Safety:    p.Safety || inner.Safety,
			MayLose:   p.MayLose || inner.MayLose,
		}
	}
	return p
}

// IsSafety reports whether a protocol that does nothing would keep the promise, too.
func (p Promise) IsSafety() bool {
	_, known := p.Guarantee.(interface{ safety() })
	return known || p.Safety
}

// When promises g only in runs that meet the premise, in addition to those that g has.
func When(premise Premise, g Guarantee) Promise {
	p := PromiseOf(g)
	p.Premises = slices.Insert(slices.Clone(p.Premises), 0, premise)
	return p
}

// Safety is g as something that a protocol that does nothing would keep, too.
func Safety(g Guarantee) Promise {
	p := PromiseOf(g)
	p.Safety = true
	return p
}

// Terms are the premises in words, and what of Stands is not among them, each once.
func (p Promise) Terms() (premises, stands []string) {
	for _, premise := range p.Premises {
		if !slices.Contains(premises, premise.Says) {
			premises = append(premises, premise.Says)
		}
	}
	for _, premise := range p.Stands {
		if !slices.Contains(premises, premise.Says) && !slices.Contains(stands, premise.Says) {
			stands = append(stands, premise.Says)
		}
	}
	return premises, stands
}

// Check looks at the premises first.
func (p Promise) Check(run Run) Verdict {
	v := Verdict{Name: p.Name(), Value: NotClaimed}
	if v.Evidence = unmet(p.Premises, run); v.Evidence == "" {
		v = p.Guarantee.Check(run)
		if v.Value == Broken && v.Beyond == "" {
			v.Beyond = unmet(p.Stands, run)
		}
	}
	v.Safety = p.IsSafety()
	return v
}
