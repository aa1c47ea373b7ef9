package scenarios

import (
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// protocolsKnown lists what can be run, in the order in which it is shown.
var protocolsKnown = Registry{
	broadcastProtocol,
	multiTreeProtocol,
	gossipProtocol,
	bigProtocol,
	bfbProtocol,
	reduceProtocol,
	allReduceProtocol,
	membershipProtocol,
	collectiveProtocol,
	sampleSortProtocol,
	tpchProtocol,
	calibrationProtocol,
}

// Protocols returns the protocols that the package knows.
func Protocols() Registry { return slices.Clone(protocolsKnown) }

// Registry is a list of protocols, by whose names and keys lines are read.
type Registry []Protocol

// Protocol is something that can be run by naming it on a line.
type Protocol struct {
	Name    string
	Summary string
	// Keys are the protocol's own, in addition to CommonKeys.
	Keys []Key
	// Rejoins says that ranks may come back. Its guarantees then say themselves what is
	// promised if they do, or if links are cut; those of others promise next to nothing.
	Rejoins bool
	// Build makes the experiment. Every setting has passed its key's Check; an error is
	// about settings that do not go together.
	Build func(Settings) (Experiment, error)
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
func (p Protocol) build(s Settings) (Experiment, error) {
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

// names lists the protocols for a message.
func (g Registry) names() []string {
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
func (p Protocol) AllKeys() []Key { return slices.Concat(p.Keys, CommonKeys()) }

// lookupKey finds a key by its name, or its other one.
func lookupKey(keys []Key, name string) (Key, bool) {
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name || k.Alias == name && name != "" })
	if i < 0 {
		return Key{}, false
	}
	return keys[i], true
}

// withoutKey returns all keys but the one of that name.
func withoutKey(keys []Key, name string) []Key {
	return slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.Name == name })
}

// keyNames lists keys for a message.
func keyNames(keys []Key) []string {
	var names []string
	for _, k := range keys {
		names = append(names, k.Name)
	}
	return names
}

// aliases lists the other names of keys that have one.
func aliases(keys []Key) []string {
	var names []string
	for _, k := range keys {
		if k.Alias != "" {
			names = append(names, k.Alias)
		}
	}
	return names
}

// oneOf words a list of valid names.
func oneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
