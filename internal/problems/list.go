package problems

import (
	"fmt"
	"strings"
)

// List collects problems, in the order in which they are found. The zero List has none.
type List []error

// Add adds a problem, worded as by [fmt.Errorf].
func (l *List) Add(format string, args ...any) { *l = append(*l, fmt.Errorf(format, args...)) }

// Check adds a problem if something is not good.
func (l *List) Check(good bool, format string, args ...any) {
	if !good {
		l.Add(format, args...)
	}
}

// Range adds a problem if a value is not from low to high. The unit may be "".
func Range[N ~int | ~int64](l *List, name string, value, low, high N, unit string) {
	if unit != "" {
		unit = " " + unit
	}
	l.Check(low <= value && value <= high, "%s = %d%s, want %d to %d", name, value, unit, low, high)
}

// Note adds an error as it is, if there is one.
func (l *List) Note(err error) {
	if err != nil {
		*l = append(*l, err)
	}
}

// About adds what an error says, if there is one, as one problem: what it is about takes the place of who
// refuses. The subject may be "".
func (l *List) About(subject string, err error) {
	switch {
	case err == nil:
	case subject == "":
		l.Add("%s", Of(err))
	default:
		l.Add("%s: %s", subject, Of(err))
	}
}

// In adds all problems of a part, each with its name.
func (l *List) In(part string, wrong List) {
	for _, problem := range wrong {
		l.Add("%s: %w", part, problem)
	}
}

// Texts are what the problems say, one by one.
func (l List) Texts() []string {
	texts := make([]string, len(l))
	for i, problem := range l {
		texts[i] = problem.Error()
	}
	return texts
}

// String lists all problems in one line.
func (l List) String() string { return strings.Join(l.Texts(), "; ") }
