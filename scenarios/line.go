package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/faults"
)

// Run is a line that can be run.
type Run struct {
	protocol   Protocol
	words      []string // as typed
	settings   Settings
	experiment Experiment
}

// Parse reads the words of a line. Words with blanks inside count as several, so that a
// whole line may come as one. The error is an [InputError] that lists all problems.
func Parse(words []string) (*Run, error) { return protocolsKnown.Parse(words) }

// ParseLine is Parse for a line of text.
func ParseLine(text string) (*Run, error) { return protocolsKnown.ParseLine(text) }

// String returns the line as it was typed, with single blanks between the words.
func (r *Run) String() string { return strings.Join(r.words, " ") }

// Spelled is the line with what its machine's file says in words, for those who do not have
// the file.
func (r *Run) Spelled() string {
	words := slices.DeleteFunc(slices.Clone(r.words), func(w string) bool { return strings.HasPrefix(w, machineKey.Name+"=") })
	for _, key := range r.protocol.AllKeys() {
		if value, ok := r.settings.file[key.Name]; ok && !r.settings.typed[key.Name] {
			words = append(words, key.Name+"="+value)
		}
	}
	return strings.Join(words, " ")
}

// Protocol returns what the line names.
func (r *Run) Protocol() Protocol { return r.protocol }

// Settings returns the values of all keys.
func (r *Run) Settings() Settings { return r.settings }

// Experiment returns what the line asks to be run, faults and seed aside.
func (r *Run) Experiment() Experiment { return r.experiment }

// Schedule returns the faults of the run, each with its rank: what the line leaves to
// chance is drawn with the seed of the run.
func (r *Run) Schedule() (faults.Schedule, error) {
	return r.settings.Faults().Expand(r.experiment.Machine.Ranks, r.settings.Seed(), r.experiment.Roots...)
}

// ParseLine is Parse for a line of text.
func (g Registry) ParseLine(text string) (*Run, error) { return g.Parse([]string{text}) }

// Parse reads the words of a line that names one of these protocols.
func (g Registry) Parse(words []string) (*Run, error) {
	words = strings.Fields(strings.Join(words, " "))
	if len(words) == 0 {
		return nil, &InputError{[]string{"empty line, want a protocol: " + oneOf(g.names())}}
	}
	p := newLineParser(words)
	p.protocol(g, words[0])
	p.machineFile(words[1:])
	p.tick(words[1:])
	for _, word := range words[1:] {
		p.word(word)
	}
	p.machine()
	p.faults()
	p.rejoins(g)
	p.build()
	if err := p.wrong.err(); err != nil {
		return nil, err
	}
	return &p.run, nil
}

// lineParser reads one line. It goes on after a mistake, to report the others as well.
type lineParser struct {
	run    Run
	known  bool              // the protocol is
	keys   []Key             // of the protocol; the common ones if it is not known
	good   map[string]bool   // keys on the line, and whether their value is valid
	first  map[string]string // keys on the line, and the word that sets them first
	unread bool              // there is something wrong with the file of the machine
	unit   Unit              // what a tick stands for
	vague  bool              // nobody knows what it stands for
	wrong  problems
}

func newLineParser(words []string) *lineParser {
	return &lineParser{run: Run{words: words}, good: make(map[string]bool), first: make(map[string]string)}
}

func (p *lineParser) protocol(g Registry, name string) {
	p.run.protocol, p.known = g.Lookup(name)
	p.keys = p.run.protocol.AllKeys()
	if !p.known {
		p.wrong.add("unknown protocol %s, want %s%s", quote(name), oneOf(g.names()), suggest(name, g.names()))
	}
	p.run.settings = Settings{values: defaults(p.keys), typed: p.good}
}

// defaults are the values of keys that a line leaves alone.
func defaults(keys []Key) map[string]string {
	values := make(map[string]string, len(keys))
	for _, k := range keys {
		values[k.Name] = k.Default
	}
	return values
}

// tick reads what a tick stands for, wherever it says so: times are read by it. What is wrong
// with it is reported when its turn comes.
func (p *lineParser) tick(words []string) {
	for _, word := range words {
		if value, ok := strings.CutPrefix(word, tickKey.Name+"="); ok {
			unit, err := parseUnit(value)
			p.unit, p.vague = unit, err != nil
			p.refuseTick(word)
			return
		}
	}
	p.unit = p.run.settings.Unit()
}

// word reads key=value.
func (p *lineParser) word(word string) {
	name, value, ok := strings.Cut(word, "=")
	if !ok {
		p.wrong.add("%s: want key=value", quote(word))
		return
	}
	key, ok := lookupKey(p.keys, name)
	if !ok {
		p.unknownKey(name)
		return
	}
	if first, repeated := p.first[key.Name]; repeated {
		p.wrong.add("%s: key %s is set twice, first by %s", quote(word), key.Name, quote(first))
		return
	}
	p.first[key.Name] = word
	err := p.check(key, value)
	if value == "" {
		err = fmt.Errorf("empty value, want %s", key.Values)
	}
	if p.good[key.Name] = err == nil; p.good[key.Name] {
		p.run.settings.values[key.Name] = value
	}
	if !errors.Is(err, errReported) {
		p.wrong.note(quote(word), err, "faults")
	}
}

// errReported says that a value cannot be used because of something that is reported already: a
// time, say, because tick is wrong.
var errReported = errors.New("reported already")

// check says what is wrong with a value.
func (p *lineParser) check(key Key, value string) error {
	if key.Name == machineKey.Name && p.unread {
		return errReported
	}
	if !key.Ticks || !isTime(value) {
		return key.Check(value)
	}
	if p.vague {
		return errReported
	}
	ticks, err := p.unit.ticks(value)
	if err != nil {
		return err
	}
	if err := key.Check(strconv.FormatUint(ticks, 10)); err != nil {
		return fmt.Errorf("%d ticks, %w", ticks, err)
	}
	return nil
}

// unknownKey reports a key that the protocol does not have. An unknown protocol may have
// any.
func (p *lineParser) unknownKey(name string) {
	if p.known {
		names := keyNames(p.keys)
		hint := suggest(name, append(aliases(p.keys), names...))
		if name == "N" { // as Corrected Gossip has it
			hint = "; the number of ranks is P"
		}
		p.wrong.add("unknown key %s, %s has %s%s", quote(name), p.run.protocol.Name, strings.Join(names, ", "), hint)
	}
}

// valid reports whether the settings of all these keys can be used.
func (p *lineParser) valid(keys ...string) bool {
	for _, name := range keys {
		if good, set := p.good[name]; set && !good {
			return false
		}
	}
	return true
}

// machine checks what the keys of the machine do not check one by one.
func (p *lineParser) machine() {
	if !p.valid("P", "L", "o", "g", "G", networkKey.Name, tickKey.Name, machineKey.Name) {
		return
	}
	if err := p.run.settings.checkNetwork(); err != nil {
		p.wrong.note("", err)
		return // the longest latency depends on it
	}
	p.wrong.note("", p.run.settings.LogP().Validate(), "clock")
}

// faults checks whether the ranks in the schedule exist.
func (p *lineParser) faults() {
	if p.valid("P", faultsKey.Name) {
		s := p.run.settings
		p.wrong.note(p.faultsWord(), s.Faults().Validate(int(s.Number("P"))), "faults")
	}
}

// rejoins refuses ranks that come back to a protocol that does not let them.
func (p *lineParser) rejoins(g Registry) {
	if !p.known || p.run.protocol.Rejoins || !p.valid(faultsKey.Name) || !hasRejoin(p.run.settings.Faults()) {
		return
	}
	advice := ""
	if others := g.returning(); len(others) > 0 {
		advice = "; " + oneOf(others.names()) + " does"
	}
	p.wrong.add("%s: %s does not let ranks come back%s", p.faultsWord(), p.run.protocol.Name, advice)
}

func hasRejoin(s faults.Schedule) bool {
	return slices.ContainsFunc(s, func(f faults.Fault) bool { return f.Kind == faults.Rejoin })
}

func (p *lineParser) faultsWord() string {
	return quote(faultsKey.Name + "=" + p.run.settings.Text(faultsKey.Name))
}

// build makes the experiment once everything else is right.
func (p *lineParser) build() {
	if len(p.wrong) > 0 {
		return
	}
	var err error
	p.run.experiment, err = p.run.protocol.build(p.run.settings)
	p.wrong.note("", err, p.run.protocol.Name, "tree", "correction", "broadcast", "reduce", "allreduce")
	if err == nil {
		p.network()
		p.wrong.note(p.faultsWord(), p.run.checkDraws(), "faults")
	}
}

// network gives the experiment the network of the line, if it may have that.
func (p *lineParser) network() {
	x := &p.run.experiment
	x.Network = p.run.settings.Network()
	p.wrong.note(p.run.settings.networkWord(), x.Timing.check(x.Network))
}

// checkDraws says whether there are enough ranks to draw from. Drawing itself is left to
// the execution: it may take time.
func (r *Run) checkDraws() error {
	for _, f := range r.settings.Faults() {
		if f.Select == faults.Count && f.Number > r.experiment.Machine.Ranks-len(r.experiment.Roots) {
			_, err := r.Schedule()
			return err
		}
	}
	return nil
}

// quote shows a word of the line in a message. It cuts off the end of a very long one.
func quote(word string) string {
	const longest = 60
	if len(word) > longest {
		return fmt.Sprintf("%q...", word[:longest])
	}
	return fmt.Sprintf("%q", word)
}
