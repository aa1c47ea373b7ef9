package line

import (
	"errors"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// InputError says that something cannot be run as it was asked for, and lists every
// reason.
type InputError struct{ Problems []string }

// Refuse is the [InputError] for these problems; nil if there are none.
func Refuse(wrong ...error) error {
	if len(wrong) == 0 {
		return nil
	}
	return &InputError{problems.List(wrong).Texts()}
}

// Error lists all problems in one line.
func (e *InputError) Error() string { return "scenarios: " + strings.Join(e.Problems, "; ") }

// Unwrap returns the problems as errors.
func (e *InputError) Unwrap() []error {
	all := make([]error, len(e.Problems))
	for i, problem := range e.Problems {
		all[i] = errors.New(problem)
	}
	return all
}
