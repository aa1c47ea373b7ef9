package problems

import "fmt"

// Error says who refuses something, and every reason.
type Error struct {
	who      string
	problems List
}

// Err is the error of a package that refuses something for these problems; nil if there are none. If who
// is "", each problem says itself whose it is.
func (l List) Err(who string) error {
	if len(l) == 0 {
		return nil
	}
	return &Error{who, l}
}

// New is the error of a package that refuses something for one problem, worded as by [fmt.Errorf].
func New(who, format string, args ...any) error {
	return &Error{who, List{fmt.Errorf(format, args...)}}
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

// Error lists all problems in one line, after who refuses.
func (e *Error) Error() string {
	if e.who == "" {
		return e.problems.String()
	}
	return e.who + ": " + e.problems.String()
}

// Unwrap returns the problems, for users of the library and package errors.
func (e *Error) Unwrap() []error { return e.problems }
