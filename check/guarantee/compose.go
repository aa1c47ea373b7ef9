package guarantee

import "strings"

// Func makes a guarantee of a function, which says whether it held and why.
func Func(name string, needsEvents bool, check func(Run) (held bool, evidence string)) Guarantee {
	return function{name, needsEvents, check}
}

type function struct {
	name        string
	needsEvents bool
	check       func(Run) (bool, string)
}

// Name is as given.
func (g function) Name() string { return g.name }

// NeedsEvents is as given.
func (g function) NeedsEvents() bool { return g.needsEvents }

// Check asks the function.
func (g function) Check(run Run) Verdict {
	held, evidence := g.check(run)
	return Verdict{g.name, held, evidence}
}

// All holds if all its parts do. The evidence names those that are broken, or else all. It
// needs events if one of its parts does; [Check] then leaves out the whole without them.
func All(name string, parts ...Guarantee) Guarantee { return all{name, parts} }

type all struct {
	name  string
	parts []Guarantee
}

// Name is as given.
func (g all) Name() string { return g.name }

// NeedsEvents asks the parts.
func (g all) NeedsEvents() bool {
	for _, part := range g.parts {
		if part.NeedsEvents() {
			return true
		}
	}
	return false
}

// Check checks all parts.
func (g all) Check(run Run) Verdict {
	var held, broken []string
	for _, part := range g.parts {
		v := part.Check(run)
		line := v.Name + ": " + v.Evidence
		if v.Held {
			held = append(held, line)
		} else {
			broken = append(broken, line)
		}
	}
	switch {
	case len(g.parts) == 0:
		return Verdict{g.name, true, "nothing promised"}
	case broken != nil:
		return Verdict{g.name, false, strings.Join(broken, "; ")}
	}
	return Verdict{g.name, true, strings.Join(held, "; ")}
}
