package search

import (
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
)

// Goal is what a smaller schedule must break.
type Goal struct {
	names   []string
	exactly bool // and nothing else
}

// Breaks is met by schedules that break the guarantee of that name, and maybe others.
func Breaks(name string) Goal { return Goal{names: []string{name}} }

// BreaksTheSame is met by schedules that break these guarantees and no others.
func BreaksTheSame(broken []guarantee.Verdict) Goal {
	return Goal{names: namesOf(broken), exactly: true}
}

// Met reports whether these broken guarantees are the right ones.
func (g Goal) Met(broken []guarantee.Verdict) bool {
	names := namesOf(broken)
	if g.exactly {
		return slices.Equal(names, g.names)
	}
	return slices.Contains(names, g.names[0])
}

func (g Goal) String() string { return strings.Join(g.names, "; ") }

// namesOf lists guarantees in the order of their names.
func namesOf(verdicts []guarantee.Verdict) []string {
	var names []string
	for _, v := range verdicts {
		names = append(names, v.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
