package problems

import (
	"fmt"
	"strings"
)

// Error says who refuses something, and every reason.
type Error struct {
	who      string
	problems List
	lines    bool // each problem is on a line of its own
}

// Err is the error of a package that refuses something for these problems; nil if there are none. If who
// is "", each problem says itself whose it is.
func (l List) Err(who string) error {
	if len(l) == 0 {
		return nil
	}
	return &Error{who: who, problems: l}
}

// ErrLines is Err with each problem on a line of its own, for problems that are long or many.
func (l List) ErrLines(who string) error {
	if len(l) == 0 {
		return nil
	}
	return &Error{who: who, problems: l, lines: true}
}

// New is the error of a package that refuses something for one problem, worded as by [fmt.Errorf].
func New(who, format string, args ...any) error {
	return &Error{who: who, problems: List{fmt.Errorf(format, args...)}}
}

// Of returns the problems that an [Error] lists, without who refuses. Any other error is a problem
// itself, also one around an Error: that has something to add.
func Of(err error) List {
	if err == nil {
		return nil
	}
	if refusal, ok := err.(*Error); ok {
		return refusal.problems
	}
	return List{err}
}

// Error lists all problems after who refuses.
func (e *Error) Error() string {
	text := e.problems.String()
	if e.lines {
		text = strings.Join(e.problems.Texts(), "\n")
	}
	if e.who == "" {
		return text
	}
	return e.who + ": " + text
}

// Unwrap returns the problems, for users of the library and package errors.
func (e *Error) Unwrap() []error { return e.problems }
