package scenarios

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Run is a line that can be run.
type Run struct {
	line.Line
	protocol   Protocol
	experiment Experiment
	config     emu.Config // of the machine
}

// ParseLine is Parse for a line of text.
func (g Registry) ParseLine(text string) (*Run, error) { return g.Parse([]string{text}) }

// Parse reads the words of a line that names one of these protocols. Words with blanks inside count
// as several, so that a whole line may come as one. The error is a [line.InputError] that lists all
// problems.
func (g Registry) Parse(words []string) (*Run, error) {
	words = line.Fields(words)
	if len(words) == 0 {
		return nil, line.Refuse(fmt.Errorf("empty line, want a protocol: %s", line.OneOf(g.Names())))
	}
	var wrong problems.List
	protocol, known := g.Lookup(words[0])
	if !known {
		wrong.Add("unknown protocol %s, want %s%s", line.Quote(words[0]), line.OneOf(g.Names()), line.Suggest(words[0], g.Names()))
	}
	read, found := line.Read(words, protocol.AllKeys(), known)
	wrong = append(wrong, found...)
	run := &Run{Line: read, protocol: protocol}
	if known {
		run.checkRejoins(g, &wrong)
	}
	if len(wrong) == 0 {
		run.build(&wrong)
	}
	if err := line.Refuse(wrong...); err != nil {
		return nil, err
	}
	return run, nil
}

// checkRejoins refuses ranks that come back to a protocol that does not let them.
func (r *Run) checkRejoins(g Registry, wrong *problems.List) {
	s := r.Settings()
	if !s.Valid("faults") || !s.Faults().Has(faults.Rejoin) {
		return
	}
	why, advice := r.NoReturn(), ""
	if why == "" {
		return
	}
	if others := slices.DeleteFunc(slices.Clone(g), func(p Protocol) bool { return !p.Rejoins }); len(others) > 0 && r.protocol.RejoinsWith == nil {
		advice = "; " + line.OneOf(others.Names()) + " does"
	}
	wrong.Add("%s: %s%s", s.FaultsWord(), why, advice)
}

// NoReturn says why ranks cannot come back on this line; "" if they can.
func (r *Run) NoReturn() string {
	with := r.protocol.RejoinsWith
	switch {
	case r.protocol.letsBack(r.Settings()):
		return ""
	case with != nil:
		return fmt.Sprintf("%s lets ranks come back only with %s=%s", r.protocol.Name, with.Key, with.Value)
	}
	return r.protocol.Name + " does not let ranks come back"
}

// build makes the experiment, once everything else is right, and the machine for it, if it may run on
// the network of the line.
func (r *Run) build(wrong *problems.List) {
	s := r.Settings()
	for _, key := range r.protocol.Keys {
		if key.Fits != nil {
			wrong.About("", key.Fits(s))
		}
	}
	if len(*wrong) > 0 {
		return
	}
	var err error
	if r.experiment, err = r.protocol.Build(s); err != nil {
		wrong.About("", err)
		return
	}
	if problems := r.experiment.problems(int(s.LogP().Ranks)); len(problems) > 0 {
		wrong.In("protocol "+line.Quote(r.protocol.Name)+": Build", problems)
		return
	}
	r.config = emu.Config{
		LogP: s.Machine(), Network: s.Network(), Jitter: s.Jitter(), Noise: s.Noise(), Unordered: s.Unordered(),
		Detection: r.experiment.Detection, Disk: s.Disk(),
	}
	wrong.About(s.NetworkWord(), r.experiment.Timing.check(r.config.Network))
	wrong.About(s.FaultsWord(), r.checkDraws())
}

// checkDraws says whether there are enough ranks to draw from. Drawing itself is left to
// the execution: it may take time.
func (r *Run) checkDraws() error {
	for _, f := range r.Settings().Faults() {
		if f.Select == faults.Count && f.Number > r.config.Ranks-len(r.experiment.Roots) {
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

// Config returns the machine of the run. Its latency is the longest on its network, jitter aside.
func (r *Run) Config() emu.Config { return r.config }

// Notes tell the user what the line says without effect.
func (r *Run) Notes() []string {
	var notes []string
	for _, rule := range r.protocol.Idle {
		if s := r.Settings(); s.Typed(rule.Key) && rule.If(s) {
			notes = append(notes, rule.Note(s))
		}
	}
	return append(notes, r.experiment.Notes...)
}

// Schedule returns the faults of the run, each with its rank: what the line leaves to
// chance is drawn with the seed of the run.
func (r *Run) Schedule() (faults.Schedule, error) {
	return r.Settings().Faults().Expand(r.config.Ranks, r.Settings().Seed(), r.experiment.Roots...)
}

// WithSetting returns the line with another value of a key. The value must be a valid one.
func (r *Run) WithSetting(key, value string) *Run {
	changed, err := r.protocol.ParseLine(r.With(key, value))
	if err != nil {
		panic(fmt.Sprintf("scenarios: %s with %s=%s: %v", r, key, value, err))
	}
	return changed
}

// WithFaults returns the line with these faults in the place of its own. What it leaves open, and would
// be different with other faults, is said: so the faults meet the run that they were found in.
func (r *Run) WithFaults(s faults.Schedule) string {
	text := r.Line.WithFaults(s)
	changed, err := r.protocol.ParseLine(text)
	if err != nil {
		return text
	}
	for key, value := range r.experiment.Chosen {
		if changed.experiment.Chosen[key] != value {
			return changed.Line.With(key, value)
		}
	}
	return text
}
