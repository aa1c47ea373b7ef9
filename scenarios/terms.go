package scenarios

import "github.com/mangrove-emu/mangrove/check/guarantee"

// onTerms is a guarantee on the terms on which protocols give it, unless they have terms of
// their own: links work, and who has failed stays away. What must never happen, such as a
// message out of nothing, does not happen on cut links either.
func (p Protocol) onTerms(g guarantee.Guarantee) guarantee.Guarantee {
	if p.Rejoins {
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

// promises are guarantees on the terms of the protocol. In most runs nothing disturbs them, and they
// are what they are.
func (p Protocol) promises(checks []guarantee.Guarantee, run guarantee.Run) []guarantee.Guarantee {
	if met, _ := guarantee.Undisturbed(run); met {
		return checks
	}
	all := make([]guarantee.Guarantee, len(checks))
	for i, g := range checks {
		all[i] = p.onTerms(g)
	}
	return all
}
