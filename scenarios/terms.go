package scenarios

import "github.com/mangrove-emu/mangrove/check/guarantee"

// onTerms is a guarantee on the terms on which protocols give it, unless they have terms of
// their own: links work, and who has failed stays away. What must never happen, such as a
// message out of nothing, does not happen on cut links either.
func (e *Experiment) onTerms(g guarantee.Guarantee) guarantee.Guarantee {
	if e.ownTerms {
		return g
	}
	switch g.(type) {
	case guarantee.Integrity:
		return g
	case guarantee.OnlyColouredRanksSend, guarantee.NoDuplicates:
		return guarantee.When(guarantee.NobodyCameBack, g) // a second life begins with nothing
	}
	return guarantee.When(guarantee.Undisturbed, g)
}

// promises are all guarantees of the experiment, on its terms. In most runs nothing disturbs
// them, and they are what they are.
func (e *Experiment) promises(run guarantee.Run) []guarantee.Guarantee {
	if met, _ := guarantee.Undisturbed(run); met {
		return e.Checks
	}
	all := make([]guarantee.Guarantee, len(e.Checks))
	for i, g := range e.Checks {
		all[i] = e.onTerms(g)
	}
	return all
}
