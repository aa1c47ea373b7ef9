package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Exit statuses.
const (
	statusHeld        = 0 // nothing was broken, and something was judged
	statusBroken      = 1 // a guarantee was broken, or the run failed
	statusInput       = 2
	statusUnjudged    = 3   // nothing could be judged
	statusInterrupted = 130 // as shells have it: 128 + SIGINT
)

// errBroken means that a guarantee was broken, which the report has said.
var errBroken = errors.New("a guarantee was broken")

// errUnjudged means that nothing could be judged, which the report has said.
var errUnjudged = errors.New("nothing could be judged")

// failure is an error that is not the user's: the run failed, or an output did.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// failed is the failure with an error; nil if there is none. What cannot be printed is one already.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// statusOf returns the exit status for the error of a command. What is no failure is bad
// input, found by us or by cobra.
func statusOf(err error) int {
	var failed failure
	var program emu.ProgramError
	switch {
	case err == nil:
		return statusHeld
	case errors.As(err, &program): // whatever it panicked with, which other processes do not know
		return statusBroken
	case errors.Is(err, context.Canceled):
		return statusInterrupted
	case errors.Is(err, errBroken), errors.As(err, &failed):
		return statusBroken
	case errors.Is(err, errUnjudged):
		return statusUnjudged
	}
	return statusInput
}

// complaints are several things that are wrong, each on a line.
type complaints []string

func (c complaints) Error() string { return strings.Join(c, "\n") }

// complain prints an error. Each problem of an input has a line of its own.
func (a *app) complain(err error) {
	lines := []string{err.Error()}
	var input *line.InputError
	var several complaints
	switch {
	case errors.As(err, &several):
		lines = several
	case strings.HasPrefix(err.Error(), "unknown command "): // cobra has no error of its own for that
		lines = []string{strings.TrimSpace(err.Error()), "'" + string(a.name) + " help' shows all commands"}
	case errors.As(err, &input):
		lines = input.Problems
		if err != error(input) { // there is more to say, such as which file, or that others are wrong, too
			lines = strings.Split(err.Error(), "\n")
		}
		lines = append(lines, "'"+string(a.name)+" list' shows all protocols, keys and values")
	}
	for _, line := range lines {
		fmt.Fprintf(a.stderr, "%s: %s\n", a.name, line)
	}
}

// interrupted is the error of a command that the user has ended. What it had found until then
// has been printed.
type interrupted struct{ advice string }

func (i interrupted) Error() string { return "interrupted" + i.advice }

// Is lets it count as the end of the context, which it is.
func (i interrupted) Is(target error) bool { return target == context.Canceled }

// orInterrupted is the error, if there is one, of something that failed, or that the user has ended, or has named a bad
// file for.
func orInterrupted(ctx context.Context, err error, advice string) error {
	switch {
	case err == nil || badFile(err):
		return err
	case ctx.Err() != nil:
		return interrupted{advice}
	}
	return failure{err}
}

// noOutcome is about a run without an outcome: the user has ended it, or asked for something impossible, or it failed. Then
// there is some advice.
func noOutcome(ctx context.Context, err error, advice string) error {
	var input *line.InputError
	var program emu.ProgramError
	switch {
	case errors.As(err, &program):
	case errors.As(err, &input):
		return err
	case ctx.Err() != nil || errors.Is(err, context.Canceled): // here, or in another process of the job
		return interrupted{}
	}
	return failure{fmt.Errorf("%w%s", err, advice)}
}

// verdict is the error of a command that has judged runs; nil if what was promised held.
func verdict(v guarantee.Value) error {
	switch v {
	case guarantee.Held:
		return nil
	case guarantee.NotClaimed, guarantee.TooLate:
		return errUnjudged
	}
	return errBroken
}

// unwritten is why something could not be written, without the name of the file, which is said already and may be one that nobody knows.
func unwritten(err error) error {
	var path *fs.PathError
	var output outputError
	switch {
	case errors.As(err, &path) && (path.Op == "write" || path.Op == "close"):
		return path.Err
	case errors.As(err, &output):
		return output.why
	}
	return err
}

// badFile reports whether an error is about a file that the user has named: it is something else, or cannot
// be opened.
func badFile(err error) bool {
	var file *campaign.FileError
	var path *fs.PathError
	return errors.As(err, &file) || errors.As(err, &path) && (path.Op == "open" || path.Op == "mkdir")
}
