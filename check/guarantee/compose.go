package guarantee

import (
	"slices"
	"strings"
)

// Func makes a guarantee of a function, which says whether it held and why.
func Func(name string, needsEvents bool, check func(Run) (held bool, evidence string)) Guarantee {
	return VerdictFunc(name, needsEvents, func(run Run) Verdict {
		held, evidence := check(run)
		return Verdict{Value: ValueOf(held), Evidence: evidence}
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

// All is broken if one of its parts is, and not claimed if no part claims anything. The evidence names
// the parts that decide. It needs events if one of its parts does; [Check] then leaves out the whole without them.
func All(name string, parts ...Guarantee) Guarantee {
	return VerdictFunc(name, slices.ContainsFunc(parts, Guarantee.NeedsEvents), func(run Run) Verdict {
		if len(parts) == 0 {
			return Verdict{Value: NotClaimed, Evidence: "nothing promised"}
		}
		var verdicts []Verdict
		for _, part := range parts {
			verdicts = append(verdicts, PromiseOf(part).Check(run))
		}
		return together(verdicts)
	})
}

// together is the verdict of a whole: the worst of its parts decide. It is beyond what is claimed only if all
// of these are.
func together(parts []Verdict) Verdict {
	worst := NotClaimed
	for _, v := range parts {
		worst = min(worst, v.Value)
	}
	var evidence, beyond []string
	for _, v := range parts {
		if v.Value != worst {
			continue
		}
		evidence = append(evidence, v.Name+": "+v.Evidence)
		if v.Beyond != "" && !slices.Contains(beyond, v.Beyond) {
			beyond = append(beyond, v.Beyond)
		}
	}
	if slices.ContainsFunc(parts, func(v Verdict) bool { return v.Value == Broken && v.Beyond == "" }) {
		beyond = nil
	}
	return Verdict{Value: worst, Evidence: strings.Join(evidence, "; "), Beyond: strings.Join(beyond, "; ")}
}
