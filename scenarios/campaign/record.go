package campaign

import (
	"encoding/json"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Record is what is kept of a run.
type Record struct {
	Job   int    `json:"job"`
	Point int    `json:"point"`
	Run   int    `json:"run"`
	Seed  uint64 `json:"seed"`

	Messages int64 `json:"messages"`
	// Colouring and Unreached are when the last rank had the message, and how many live ranks never got
	// it; nil if nothing is spread.
	Colouring  *clock.Time `json:"colouring,omitempty"`
	Quiescence clock.Time  `json:"quiescence"`
	Exit       clock.Time  `json:"exit"`
	Failed     int         `json:"failed"`
	Unreached  *int        `json:"unreached,omitempty"`
	Deadlocked int         `json:"deadlocked"`
	Held       bool        `json:"held"` // what was promised
	// Broken and Unclaimed name the promises that were broken, and those that were not claimed for the run; Unjudged
	// says that nothing could be judged.
	Broken    []string   `json:"broken,omitempty"`
	Unclaimed []string   `json:"unclaimed,omitempty"`
	Unjudged  bool       `json:"unjudged,omitempty"`
	RootExit  clock.Time `json:"root_exit"` // when the program of rank 0 returned; -1 if it did not
	// Gap and Correction are the largest gap that a correction found and how long it took, if it
	// began on all ranks at once.
	Gap        *int        `json:"gap,omitempty"`
	Correction *clock.Time `json:"correction,omitempty"`
	// Done is when a computation had its result; nil if it has none, or the protocol computes
	// nothing.
	Done *clock.Time `json:"done,omitempty"`
	Hash string      `json:"hash"`
}

// UnmarshalJSON reads records of version 0.1.0, too, which had another spelling of colouring.
func (r *Record) UnmarshalJSON(text []byte) error {
	type plain Record // without this method
	old := struct {
		*plain
		Coloring *clock.Time `json:"coloring"`
	}{plain: (*plain)(r)}
	if err := json.Unmarshal(text, &old); err != nil {
		return err
	}
	if r.Colouring == nil {
		r.Colouring = old.Coloring
	}
	return nil
}

// record makes the record of a job.
func (c *Campaign) record(job int, o *scenarios.Outcome) Record {
	rep := o.Report
	r := Record{
		Job: job, Point: job / c.Runs, Run: job % c.Runs, Seed: c.seedOf(job % c.Runs),
		Messages: rep.Messages, Quiescence: rep.Quiescence, Exit: rep.Exit,
		Failed: len(rep.Failed), Deadlocked: rep.Waiting(),
		RootExit: rep.Ranks[0].Exit, Held: o.Verdict() == guarantee.Held, Unjudged: o.Unjudged() != "", Hash: rep.Hash.String(),
	}
	for _, v := range o.Guarantees {
		switch v.Value {
		case guarantee.Broken:
			r.Broken = append(r.Broken, v.Name)
		case guarantee.NotClaimed, guarantee.TooLate:
			r.Unclaimed = append(r.Unclaimed, v.Name)
		}
	}
	if !o.Reduction {
		unreached := rep.Missed().Count
		r.Colouring, r.Unreached = &rep.Colouring, &unreached
	}
	if r.RootExit == clock.Never {
		r.RootExit = -1
	}
	if o.Correction != nil {
		r.Gap, r.Correction = &o.Correction.Gap, &o.Correction.Took
	}
	if o.Completion.Attempts > 0 && o.Completion.At != clock.Never {
		at := o.Completion.At
		r.Done = &at
	}
	return r
}
