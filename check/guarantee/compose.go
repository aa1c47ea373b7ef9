package guarantee

import (
	"slices"
	"strings"
)

// Func makes a guarantee of a function, which says whether it held and why.
func Func(name string, needsEvents bool, check func(Run) (held bool, evidence string)) Guarantee {
	return VerdictFunc(name, needsEvents, func(run Run) Verdict {
		held, evidence := check(run)
		return Verdict{Held: held, Evidence: evidence}
	})
}

// VerdictFunc makes a guarantee of a function that says all that there is to say, so also that
// nothing was claimed; the name of its verdict is filled in.
func VerdictFunc(name string, needsEvents bool, check func(Run) Verdict) Guarantee {
	return function{name, needsEvents, check}
}

type function struct {
	name        string
	needsEvents bool
	check       func(Run) Verdict
}

// Name is as given.
func (g function) Name() string { return g.name }

// NeedsEvents is as given.
func (g function) NeedsEvents() bool { return g.needsEvents }

// Check asks the function.
func (g function) Check(run Run) Verdict {
	v := g.check(run)
	v.Name = g.name
	return v
}

// All holds if all its parts do. The evidence names those that are broken, or else all. Nothing is
// claimed if no part claims anything. It needs events if one of its parts does; [Check] then leaves out the whole without them.
func All(name string, parts ...Guarantee) Guarantee {
	return VerdictFunc(name, slices.ContainsFunc(parts, Guarantee.NeedsEvents), func(run Run) Verdict {
		var held, broken []string
		claims := false
		for _, part := range parts {
			v := part.Check(run)
			claims = claims || !v.NotClaimed
			line := v.Name + ": " + v.Evidence
			if v.Held {
				held = append(held, line)
			} else {
				broken = append(broken, line)
			}
		}
		switch {
		case len(parts) == 0:
			return Verdict{Held: true, Evidence: "nothing promised", NotClaimed: true}
		case broken != nil:
			return Verdict{Evidence: strings.Join(broken, "; ")}
		}
		return Verdict{Held: true, Evidence: strings.Join(held, "; "), NotClaimed: !claims}
	})
}
