package launch

import (
	"time"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// Series is what runs of a line have in common, on processes or on the emulator. The zero Series has no runs.
type Series struct {
	Runs, Broken int
	TooLate      int // runs that were too late to judge
	Unjudged     int // runs in which nothing was claimed, as more has failed than is promised for
	Failed       int // ranks, in all runs
	Unit         line.Unit
	ClockError   time.Duration // the largest of all runs, see [report.Report]

	messages, latency, colouring, quiescence, exit stats.Sample
}

// Add adds a run.
func (s *Series) Add(outcome *scenarios.Outcome) {
	rep := outcome.Report
	s.Runs++
	s.Failed += len(rep.Failed)
	s.Unit = outcome.Unit
	s.ClockError = max(s.ClockError, rep.ClockError)
	switch outcome.Verdict() {
	case guarantee.Broken:
		s.Broken++
	case guarantee.TooLate:
		s.TooLate++
	case guarantee.NotClaimed:
		s.Unjudged++
	}
	s.messages.Add(float64(rep.Messages))
	s.latency.Add(outcome.Latencies...)
	if !outcome.Reduction && len(outcome.Latencies) == 0 {
		s.colouring.Add(float64(rep.Colouring))
	}
	s.quiescence.Add(float64(rep.Quiescence))
	s.exit.Add(float64(rep.Exit))
}

// Verdict is what all runs come to.
func (s *Series) Verdict() guarantee.Value {
	switch {
	case s.Broken > 0:
		return guarantee.Broken
	case s.TooLate > 0 && s.TooLate+s.Unjudged == s.Runs:
		return guarantee.TooLate
	case s.Unjudged == s.Runs:
		return guarantee.NotClaimed
	}
	return guarantee.Held
}

// Measure is something that was measured in all runs.
type Measure struct {
	Name   string
	Ticks  bool          // it is a time
	Values *stats.Sample // one of each run, several, or none
}

// Measures lists what was measured. It is the same list for each series.
func (s *Series) Measures() []Measure {
	return []Measure{
		{"messages", false, &s.messages},
		{"latency", true, &s.latency},
		{"colouring", true, &s.colouring},
		{"quiescence", true, &s.quiescence},
		{"exit", true, &s.exit},
	}
}
