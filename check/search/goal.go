package search

import (
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
)

// Goal is what a smaller schedule must break.
type Goal struct {
	classes []string
	exactly bool // and nothing else
}

// Breaks is met by schedules that break the guarantee of that [Class], and maybe others. Its name alone is the
// class of what is broken within what is claimed.
func Breaks(class string) Goal { return Goal{classes: []string{class}} }

// BreaksTheSame is met by schedules that break these guarantees and no others, each beyond what is claimed if it was.
func BreaksTheSame(broken []guarantee.Verdict) Goal {
	return Goal{classes: classesOf(broken), exactly: true}
}

// Met reports whether these broken guarantees are the right ones.
func (g Goal) Met(broken []guarantee.Verdict) bool {
	classes := classesOf(broken)
	if g.exactly {
		return slices.Equal(classes, g.classes)
	}
	return slices.Contains(classes, g.classes[0])
}

func (g Goal) String() string { return strings.Join(g.classes, "; ") }

// classesOf lists classes in the order of their names.
func classesOf(verdicts []guarantee.Verdict) []string {
	var classes []string
	for _, v := range verdicts {
		classes = append(classes, Class(v))
	}
	slices.Sort(classes)
	return slices.Compact(classes)
}
