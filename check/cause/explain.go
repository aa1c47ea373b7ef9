package cause

import (
	"context"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// MostMessages is how many messages a run may have that is explained.
const MostMessages = 250_000

// MostFaults is up to how many faults each is left out alone. Of more, groups are.
const MostFaults = 20

// TooLargeError says that a run has too many messages to be explained.
type TooLargeError struct{ Messages int64 }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("runs are explained up to %s messages, and this one has %s", text.Thousands(fmt.Sprint(MostMessages)), text.Thousands(fmt.Sprint(e.Messages)))
}

// CheckSize returns a [TooLargeError] if a run with so many messages is not explained.
func CheckSize(messages int64) error {
	if messages > MostMessages {
		return &TooLargeError{messages}
	}
	return nil
}

// Played is how a run went.
type Played struct {
	Report   *report.Report // nil if the program did not end
	Verdicts []guarantee.Verdict
}

// Case is a run that is to be explained.
type Case struct {
	// Schedule is what breaks a promise.
	Schedule faults.Schedule
	// Given are those of its faults that belong to the question, and are never left out.
	Given faults.Schedule
	// Promise is the name of the broken promise; "": the first that is broken.
	Promise string
	// Play runs a schedule, all else being the same: the seed, too. Events are wanted if so, those of [emu.TraceDecisions] if possible. The report is the
	// caller's no more. The error is not nil if it says nothing about the program.
	Play func(ctx context.Context, s faults.Schedule, events bool) (Played, error)
	// KindName names kinds of messages; nil: they have no names.
	KindName func(mailbox.Kind) string
}

// Explanation is how a promise came to be broken, and which faults mattered.
type Explanation struct {
	Promise string `json:"promise"`
	// Beside names the run that the broken one was compared with, by what it lacks: "without crash:1@send2"; "" if there is none in which the promise holds.
	Beside string `json:"beside,omitempty"`
	// Because goes back from what is broken to the fault.
	Because []Step `json:"because"`
	// Led is the [Path] to what is broken, in words.
	Led string `json:"led,omitempty"`
	// Without says what changes with other faults.
	Without []Change `json:"without"`
	// Note is what could not be told, and why.
	Note string `json:"note,omitempty"`

	dropped faults.Schedule
	path    []Hop
}

// Change is the run with other faults, and what becomes of the promise.
type Change struct {
	What    string          `json:"what"` // "without crash:1@send2"
	Becomes string          `json:"becomes"`
	Holds   bool            `json:"holds"`
	Faults  faults.Schedule `json:"faults"` // those of that run
}

// String reads like "without crash:1@send2: holds".
func (c Change) String() string { return c.What + ": " + c.Becomes }

// Explain explains why a promise is broken. The error is a [TooLargeError] if the run is too large for that.
func Explain(ctx context.Context, c Case) (*Explanation, error) {
	x := &explainer{Case: c, ctx: ctx}
	first, err := x.play(c.Schedule, false)
	if err != nil {
		return nil, err
	}
	broken := guarantee.OnlyBroken(first.Verdicts)
	about := slices.IndexFunc(broken, func(v guarantee.Verdict) bool { return c.Promise == "" || v.Name == c.Promise })
	if about < 0 {
		return &Explanation{Promise: c.Promise, Note: "run again, it was not broken"}, nil
	}
	x.verdict, x.others = broken[about], broken
	x.Explanation = Explanation{Promise: x.verdict.Name}
	if first.Report != nil {
		traced, err := x.play(c.Schedule, true)
		if err != nil {
			return nil, err
		}
		x.broken = newTrail(traced.Report)
	}
	if err := x.leaveOut(first.Report); err != nil {
		return nil, err
	}
	if x.broken == nil {
		x.Note = "the program did not end, so there are no messages to follow"
		return &x.Explanation, nil
	}
	return &x.Explanation, x.tellStory()
}

// explainer explains one run.
type explainer struct {
	Case
	Explanation
	ctx     context.Context
	verdict guarantee.Verdict
	others  []guarantee.Verdict // that are broken, too
	broken  *trail              // nil if the program did not end
	// compared is the schedule of the nearest run in which it holds, if found.
	compared faults.Schedule
	found    bool
	most     int // how much it tells
}

// play makes a run that is not too large.
func (x *explainer) play(s faults.Schedule, events bool) (Played, error) {
	p, err := x.Play(x.ctx, s, events)
	if err == nil && p.Report != nil {
		err = CheckSize(p.Report.Messages)
	}
	return p, err
}
