package line

import (
	"fmt"
	"slices"
	"strings"
)

// InputError says that something cannot be run as it was asked for, and lists every
// reason.
type InputError struct{ Problems []string }

func (e *InputError) Error() string { return "scenarios: " + strings.Join(e.Problems, "; ") }

// Problems collects all that is wrong with a line.
type Problems []string

// Add adds a problem, worded as by [fmt.Sprintf].
func (p *Problems) Add(format string, args ...any) {
	*p = append(*p, fmt.Sprintf(format, args...))
}

// Note adds an error's text without the name of the package it comes from.
func (p *Problems) Note(subject string, err error, origins ...string) {
	if err == nil {
		return
	}
	text := err.Error()
	if origin, rest, ok := strings.Cut(text, ": "); ok && slices.Contains(origins, origin) {
		text = rest
	}
	if subject != "" {
		text = subject + ": " + text
	}
	*p = append(*p, text)
}

// Err returns an [InputError]; nil if there are no problems.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return &InputError{Problems: p}
}
