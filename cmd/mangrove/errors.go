package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Exit statuses.
const (
	statusHeld        = 0
	statusBroken      = 1 // a guarantee was broken, or the run failed
	statusInput       = 2
	statusInterrupted = 130 // as shells have it: 128 + SIGINT
)

// errBroken means that a guarantee was broken, which the report has said.
var errBroken = errors.New("a guarantee was broken")

// failure is an error that is not the user's: the run failed, or an output did.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// statusOf returns the exit status for the error of a command. What is no failure is bad
// input, found by us or by cobra.
func statusOf(err error) int {
	var failed failure
	switch {
	case err == nil:
		return statusHeld
	case errors.Is(err, context.Canceled):
		return statusInterrupted
	case errors.Is(err, errBroken), errors.As(err, &failed):
		return statusBroken
	}
	return statusInput
}

// complain prints an error.
func (a *app) complain(err error) {
	var input *line.InputError
	if !errors.As(err, &input) {
		fmt.Fprintf(a.stderr, "mangrove: %v\n", err)
		return
	}
	text := strings.Join(input.Problems, "\n")
	if err != error(input) { // there is more to say, such as which file, or that others are wrong, too
		text = err.Error()
	}
	fmt.Fprintf(a.stderr, "mangrove: %s\n", strings.ReplaceAll(text, "\n", "\nmangrove: "))
	fmt.Fprintln(a.stderr, "mangrove: 'mangrove list' shows all protocols, keys and values")
}

// interrupted is the error of a command that the user has ended. What it had found until then
// has been printed.
type interrupted struct{ advice string }

func (i interrupted) Error() string { return "interrupted" + i.advice }

// Is lets it count as the end of the context, which it is.
func (i interrupted) Is(target error) bool { return target == context.Canceled }

// orInterrupted is the error of something that failed, or that the user has ended.
func orInterrupted(ctx context.Context, err error, advice string) error {
	if ctx.Err() != nil {
		return interrupted{advice}
	}
	return failure{err}
}

// verdictOf is errBroken if there are violations, unless something else went wrong.
func verdictOf(violations int, problem error) error {
	if problem != nil {
		return failure{problem}
	}
	if violations > 0 {
		return errBroken
	}
	return nil
}

// noOutcome is about a run without an outcome: the user has ended it, or asked for something impossible, or it failed. Then
// there is some advice.
func noOutcome(ctx context.Context, err error, advice string) error {
	var input *line.InputError
	switch {
	case errors.As(err, &input):
		return err
	case ctx.Err() != nil:
		return interrupted{}
	}
	return failure{fmt.Errorf("%w%s", err, advice)}
}

// verdict is errBroken if a guarantee is.
func verdict(outcome *scenarios.Outcome) error {
	if outcome.Held() {
		return nil
	}
	return errBroken
}

// badFile reports whether an error is about a file that the user has named: it is something else, or cannot
// be opened.
func badFile(err error) bool {
	var file *campaign.FileError
	var path *fs.PathError
	return errors.As(err, &file) || errors.As(err, &path) && (path.Op == "open" || path.Op == "mkdir")
}
