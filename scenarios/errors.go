package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// InputError says that something cannot be run as it was asked for, and lists every
// reason.
type InputError struct{ Problems []string }

func (e *InputError) Error() string { return "scenarios: " + strings.Join(e.Problems, "; ") }

// problems collects all that is wrong with a line.
type problems []string

func (p *problems) add(format string, args ...any) {
	*p = append(*p, fmt.Sprintf(format, args...))
}

// note adds an error's text without the name of the package it comes from.
func (p *problems) note(subject string, err error, origins ...string) {
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

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return &InputError{Problems: p}
}
