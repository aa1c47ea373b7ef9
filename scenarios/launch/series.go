package launch

import (
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// Series is what runs of a line have in common, on processes or on the emulator. The zero Series has no runs.
type Series struct {
	Runs, Broken int
	Failed       int // ranks, in all runs
	Unit         line.Unit
	samples      [len(measures)]stats.Sample
}

// measures are what is compared. A run may have one value, several, or none.
var measures = [...]struct {
	name  string
	ticks bool
	of    func(*scenarios.Outcome) []float64
}{
	{"messages", false, func(o *scenarios.Outcome) []float64 { return []float64{float64(o.Report.Messages)} }},
	{"latency", true, func(o *scenarios.Outcome) []float64 { return o.Latencies }},
	{"colouring", true, func(o *scenarios.Outcome) []float64 {
		if o.Reduction || len(o.Latencies) > 0 {
			return nil
		}
		return []float64{float64(o.Report.Colouring)}
	}},
	{"quiescence", true, func(o *scenarios.Outcome) []float64 { return []float64{float64(o.Report.Quiescence)} }},
	{"exit", true, func(o *scenarios.Outcome) []float64 { return []float64{float64(o.Report.Exit)} }},
}

// Add adds a run.
func (s *Series) Add(outcome *scenarios.Outcome) {
	s.Runs++
	s.Failed += len(outcome.Report.Failed)
	s.Unit = outcome.Unit
	if !outcome.Held() {
		s.Broken++
	}
	for i, m := range measures {
		s.samples[i].Add(m.of(outcome)...)
	}
}

// Measure is something that was measured in all runs.
type Measure struct {
	Name   string
	Ticks  bool          // it is a time
	Values *stats.Sample // may be none
}

// Measures lists what was measured. It is the same list for each series.
func (s *Series) Measures() []Measure {
	all := make([]Measure, len(measures))
	for i, m := range measures {
		all[i] = Measure{m.name, m.ticks, &s.samples[i]}
	}
	return all
}
