package faults

import (
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// keptMark stands before the changes of storage that are kept.
const keptMark = ":kept"

// Keeps reports whether a change of the rank's storage is kept that was not safe when the rank failed. Such changes are
// numbered from 1 since the last sync that was complete, in the order in which they were made; one that was under way is the last of them.
func (f *Fault) Keeps(change int) bool {
	if f.Kept == Others {
		return true
	}
	for _, s := range f.Kept.stretches() {
		if s.low <= change && change <= s.high {
			return true
		}
	}
	return false
}

// kept reads which changes are kept, and returns the item without it.
func (p *itemParser) kept(item string) string {
	item, text, named := cutKept(item)
	if named {
		var err error
		if p.fault.Kept, err = parseKept(text); err != nil {
			p.wrong.Note(err)
		}
	}
	return item
}

// cutKept cuts an item where what is kept begins. Behind a step's mark is the name of the step, which may begin with the same word.
func cutKept(item string) (before, text string, named bool) {
	from := 0
	if at := strings.Index(item, stepMark); at >= 0 {
		from = at + len(stepMark)
	}
	before, text, named = strings.Cut(item[from:], keptMark)
	return item[:from] + before, text, named
}

// stepMark stands before the name of a step.
const stepMark = "@step:"

// parseKept reads a set of changes, which need not be in the canonical form.
func parseKept(text string) (Group, error) {
	if text == string(Others) {
		return Others, nil
	}
	all, err := parseRanges(text, keptSpan)
	if err != nil {
		return "", fmt.Errorf("%w, such as %s1-3+5, or %s* for all", err, keptMark, keptMark)
	}
	return groupOf(all), nil
}

// checkKept looks at what only a rank that stops has.
func (f *Fault) checkKept(wrong *problems.List) {
	switch {
	case f.Kept == "" || f.Kept == Others && f.Kind.Stops():
	case !f.Kind.Stops():
		unused(wrong, "kept changes", f.Kept, true, "crash or hang")
	default:
		if canonical, err := parseKept(string(f.Kept)); err != nil {
			wrong.Note(err)
		} else if canonical != f.Kept {
			wrong.Add("kept changes %q, want %q", f.Kept, canonical)
		}
	}
}
