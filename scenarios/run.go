package scenarios

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Run is a line that can be run.
type Run struct {
	line.Line
	protocol   Protocol
	experiment Experiment
}

// ParseLine is Parse for a line of text.
func (g Registry) ParseLine(text string) (*Run, error) { return g.Parse([]string{text}) }

// Parse reads the words of a line that names one of these protocols. Words with blanks inside count
// as several, so that a whole line may come as one. The error is a [line.InputError] that lists all
// problems.
func (g Registry) Parse(words []string) (*Run, error) {
	words = line.Fields(words)
	if len(words) == 0 {
		return nil, &line.InputError{Problems: []string{"empty line, want a protocol: " + line.OneOf(g.Names())}}
	}
	var wrong line.Problems
	protocol, known := g.Lookup(words[0])
	if !known {
		wrong.Add("unknown protocol %s, want %s%s", line.Quote(words[0]), line.OneOf(g.Names()), line.Suggest(words[0], g.Names()))
	}
	read, problems := line.Read(words, protocol.AllKeys(), known)
	wrong = append(wrong, problems...)
	run := &Run{Line: read, protocol: protocol}
	if known {
		run.checkRejoins(g, &wrong)
	}
	if len(wrong) == 0 {
		run.build(&wrong)
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return run, nil
}

// checkRejoins refuses ranks that come back to a protocol that does not let them.
func (r *Run) checkRejoins(g Registry, wrong *line.Problems) {
	s := r.Settings()
	if r.protocol.Rejoins || !s.Valid("faults") || !hasRejoin(s.Faults()) {
		return
	}
	advice := ""
	if others := g.returning(); len(others) > 0 {
		advice = "; " + line.OneOf(others.Names()) + " does"
	}
	wrong.Add("%s: %s does not let ranks come back%s", s.FaultsWord(), r.protocol.Name, advice)
}

func hasRejoin(s faults.Schedule) bool {
	return slices.ContainsFunc(s, func(f faults.Fault) bool { return f.Kind == faults.Rejoin })
}

// build makes the experiment, once everything else is right, and gives it the network of the line,
// if it may have that.
func (r *Run) build(wrong *line.Problems) {
	var err error
	r.experiment, err = r.protocol.build(r.Settings())
	if err != nil {
		wrong.Note("", err, r.protocol.Name, "tree", "correction", "broadcast", "reduce", "allreduce")
		return
	}
	r.experiment.Network = r.Settings().Network()
	wrong.Note(r.Settings().NetworkWord(), r.experiment.Timing.check(r.experiment.Network))
	wrong.Note(r.Settings().FaultsWord(), r.checkDraws(), "faults")
}

// checkDraws says whether there are enough ranks to draw from. Drawing itself is left to
// the execution: it may take time.
func (r *Run) checkDraws() error {
	for _, f := range r.Settings().Faults() {
		if f.Select == faults.Count && f.Number > r.experiment.Machine.Ranks-len(r.experiment.Roots) {
			_, err := r.Schedule()
			return err
		}
	}
	return nil
}

// Protocol returns what the line names.
func (r *Run) Protocol() Protocol { return r.protocol }

// Experiment returns what the line asks to be run, faults and seed aside.
func (r *Run) Experiment() Experiment { return r.experiment }

// Schedule returns the faults of the run, each with its rank: what the line leaves to
// chance is drawn with the seed of the run.
func (r *Run) Schedule() (faults.Schedule, error) {
	return r.Settings().Faults().Expand(r.experiment.Machine.Ranks, r.Settings().Seed(), r.experiment.Roots...)
}

// WithSetting returns the line with another value of a key. The value must be a valid one.
func (r *Run) WithSetting(key, value string) *Run {
	changed, err := Registry{r.protocol}.ParseLine(r.With(key, value))
	if err != nil {
		panic(fmt.Sprintf("scenarios: %s with %s=%s: %v", r, key, value, err))
	}
	return changed
}
