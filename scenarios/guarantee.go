package scenarios

import (
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/report"
)

// Promises are what the line promises: what its protocol says, on the terms of all protocols.
func (r *Run) Promises() []guarantee.Promise { return r.protocol.promises(&r.experiment) }

// promises are those of an experiment. Whoever says nothing about deadlocks promises that there are none, so that the
// verdicts alone say whether all is well.
func (p Protocol) promises(e *Experiment) []guarantee.Promise {
	var all []guarantee.Promise
	for _, g := range e.Promises {
		all = append(all, p.onTerms(guarantee.PromiseOf(g), e.Rejoins))
	}
	if !slices.ContainsFunc(all, isAboutDeadlock) {
		all = append(all, p.onTerms(guarantee.PromiseOf(guarantee.NoDeadlock{}), e.Rejoins))
	}
	return all
}

func isAboutDeadlock(g guarantee.Promise) bool { return g.Name() == guarantee.NoDeadlock{}.Name() }

// onTerms is a promise on the terms on which protocols give it, unless they have terms of
// their own: messages arrive, and who has failed stays away. What must never happen, such as a
// message out of nothing, does not happen if some are lost either.
func (p Protocol) onTerms(g guarantee.Promise, rejoins bool) guarantee.Promise {
	if p.Rejoins {
		return g
	}
	if _, always := g.Guarantee.(guarantee.Integrity); rejoins && !always {
		return guarantee.When(guarantee.EveryMessageArrives, g)
	}
	switch g.Guarantee.(type) {
	case guarantee.Integrity:
		return g
	case guarantee.OnlyColouredRanksSend, guarantee.NoDuplicates:
		g.MayLose = true
	}
	if g.MayLose {
		return guarantee.When(guarantee.NobodyCameBack, g) // a second life begins with nothing
	}
	return guarantee.When(guarantee.Undisturbed, g)
}

// judging decides about the promises of an experiment, run after run.
type judging struct {
	promises []guarantee.Guarantee
	roots    []int
}

func (p Protocol) judging(e *Experiment) judging {
	j := judging{roots: e.Roots}
	for _, g := range p.promises(e) {
		j.promises = append(j.promises, g)
	}
	return j
}

func (j judging) check(rep *report.Report) []guarantee.Verdict {
	return guarantee.Check(guarantee.Run{Report: rep, Roots: j.roots}, j.promises...)
}
