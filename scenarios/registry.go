package scenarios

import (
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Registry is a list of protocols, by whose names and keys lines are read.
type Registry []Protocol

// Protocol is something that can be run by naming it on a line.
type Protocol struct {
	Name    string
	Summary string
	// Keys are the protocol's own, in addition to CommonKeys.
	Keys line.Keys
	// Rejoins says that ranks may come back. Its guarantees then say themselves what is
	// promised if they do, or if links are cut; those of others promise next to nothing.
	Rejoins bool
	// Build makes the experiment. Every setting has passed its key's Check; an error is
	// about settings that do not go together.
	Build func(line.Settings) (Experiment, error)
}

// Experiment is all that a run needs besides faults and seed.
type Experiment struct {
	// Machine is what the experiment was made for. Its latency is the longest on the network.
	Machine clock.LogP
	// Network is that of the line; nil if it is uniform. Build leaves it alone.
	Network clock.Network
	// Timing says which networks will do.
	Timing Timing
	// Detection is how failures are detected, if the protocol needs that.
	Detection emu.Detection
	Program   protocols.Program
	// Roots are the ranks that random faults spare, and whose failure excuses that nobody
	// is reached.
	Roots []int
	// Checks are the guarantees that the protocol gives.
	Checks []guarantee.Guarantee
	// Reduction says that ranks are not coloured by a message that spreads: a report then
	// does not say who was reached, and when.
	Reduction bool
	// Notes tell the user what the line says without effect. Optional.
	Notes []string
	// Prepare is called before each run, Figures after it, for results that are not part of
	// every report. Optional.
	Prepare func()
	Figures func(*report.Report) []Figure
	// Latencies are those of the operations of a series, in ticks, each from its begin to its end.
	// Optional.
	Latencies func(*report.Report) []float64
	// State is where these results are while ranks run. Whoever has a Prepare needs one.
	State State
	// CorrectionStart is when all ranks begin to correct what a first phase has left over; 0 if
	// there is no such instant.
	CorrectionStart clock.Time
	// Completion says when the result was there, if the experiment has one. Optional.
	Completion func(*report.Report) Completion

	ownTerms bool // as Protocol.Rejoins
}

// build makes the experiment with the terms of its protocol.
func (p Protocol) build(s line.Settings) (Experiment, error) {
	e, err := p.Build(s)
	e.ownTerms = p.Rejoins
	return e, err
}

// Figure is a result of a run, in words.
type Figure struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// figures returns the experiment's own results.
func (e *Experiment) figures(rep *report.Report) []Figure {
	if e.Figures == nil {
		return nil
	}
	return e.Figures(rep)
}

// latencies are those of the experiment's operations, if it tells them.
func (e *Experiment) latencies(rep *report.Report) []float64 {
	if e.Latencies == nil {
		return nil
	}
	return e.Latencies(rep)
}

// completion is when the result was there; the zero Completion if there is none.
func (e *Experiment) completion(rep *report.Report) Completion {
	if e.Completion == nil {
		return Completion{}
	}
	return e.Completion(rep)
}

// Lookup finds a protocol by its name.
func (g Registry) Lookup(name string) (Protocol, bool) {
	i := slices.IndexFunc(g, func(p Protocol) bool { return p.Name == name })
	if i < 0 {
		return Protocol{}, false
	}
	return g[i], true
}

// Names lists the protocols.
func (g Registry) Names() []string {
	var names []string
	for _, p := range g {
		names = append(names, p.Name)
	}
	return names
}

// returning lists the protocols whose ranks may come back.
func (g Registry) returning() Registry {
	return slices.DeleteFunc(slices.Clone(g), func(p Protocol) bool { return !p.Rejoins })
}

// AllKeys returns the protocol's own keys, then the common ones.
func (p Protocol) AllKeys() line.Keys { return slices.Concat(p.Keys, line.CommonKeys()) }
