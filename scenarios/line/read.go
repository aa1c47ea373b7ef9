package line

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Read reads a line: a name and words that set the keys of what has that name, which must have the
// common ones among them. It goes on after a mistake, to report the others as well; what the line
// says about a key with a wrong value is then left out ([Settings.Valid]). Of something unknown
// nobody can say which keys it has beside these.
func Read(words []string, keys Keys, known bool) (Line, problems.List) {
	r := newReader(words, keys)
	if known {
		r.name = words[0]
	}
	r.machineFile(words[1:])
	r.tick(words[1:])
	r.all(words[1:])
	r.machine()
	r.faults()
	return r.line, r.wrong
}

// ReadKeys reads words that set keys, of something that is not a run on a machine.
func ReadKeys(name string, keys Keys, words []string) (Line, problems.List) {
	r := newReader(words, keys)
	r.name = name
	r.all(words)
	return r.line, r.wrong
}

// reader reads one line.
type reader struct {
	line   Line
	name   string            // whose keys these are; "" if it is not known
	first  map[string]string // keys on the line, and the word that sets them first
	unread bool              // there is something wrong with the file of the machine
	unit   Unit              // what a tick stands for
	vague  bool              // nobody knows what it stands for
	wrong  problems.List
}

func newReader(words []string, keys Keys) *reader {
	settings := Settings{values: defaults(keys), typed: make(map[string]bool), stores: keys.store()}
	return &reader{line: Line{words, keys, settings}, first: make(map[string]string)}
}

// defaults are the values of keys that a line leaves alone.
func defaults(keys Keys) map[string]string {
	values := make(map[string]string, len(keys))
	for _, k := range keys {
		values[k.Name] = k.Default
	}
	return values
}

// tick reads what a tick stands for, wherever it says so: times are read by it. What is wrong
// with it is reported when its turn comes.
func (r *reader) tick(words []string) {
	for _, word := range words {
		if value, ok := strings.CutPrefix(word, tickKey.Name+"="); ok {
			unit, err := parseUnit(value)
			r.unit, r.vague = unit, err != nil
			r.refuseTick(word)
			return
		}
	}
	r.unit = r.line.settings.Unit()
}

func (r *reader) all(words []string) {
	for _, word := range words {
		r.word(word)
	}
}

// word reads key=value.
func (r *reader) word(word string) {
	name, value, ok := strings.Cut(word, "=")
	if !ok {
		r.wrong.Add("%s: want key=value", Quote(word))
		return
	}
	key, ok := r.line.keys.Lookup(name)
	if !ok {
		r.unknownKey(name)
		return
	}
	if first, repeated := r.first[key.Name]; repeated {
		r.wrong.Add("%s: key %s is set twice, first by %s", Quote(word), key.Name, Quote(first))
		return
	}
	r.first[key.Name] = word
	err := r.check(key, value)
	if value == "" {
		err = fmt.Errorf("empty value, want %s", key.Valid())
	}
	s := &r.line.settings
	if s.typed[key.Name] = err == nil; s.typed[key.Name] {
		s.values[key.Name] = value
	}
	if !errors.Is(err, errReported) {
		r.wrong.About(Quote(word), err)
	}
}

// errReported says that a value cannot be used because of something that is reported already: a
// time, say, because tick is wrong.
var errReported = errors.New("reported already")

// check says what is wrong with a value.
func (r *reader) check(key Key, value string) error {
	if key.Name == machineKey.Name && r.unread {
		return errReported
	}
	if !key.Ticks || !isTime(value) {
		return key.Refuses(value)
	}
	if r.vague {
		return errReported
	}
	ticks, err := r.unit.ticks(value)
	if err != nil {
		return err
	}
	if err := key.Refuses(strconv.FormatUint(ticks, 10)); err != nil {
		return fmt.Errorf("%d ticks, %w", ticks, err)
	}
	return nil
}

// unknownKey reports a key that does not exist. Something unknown may have any.
func (r *reader) unknownKey(name string) {
	if r.name == "" {
		return
	}
	names := r.line.keys.names()
	hint := Suggest(name, append(r.line.keys.aliases(), names...))
	if name == "N" { // as Corrected Gossip has it
		hint = "; the number of ranks is P"
	}
	r.wrong.Add("unknown key %s, %s has %s%s", Quote(name), r.name, strings.Join(names, ", "), hint)
}

// ofMachine are the keys that say what the machine is like.
var ofMachine = []string{"P", "L", "o", "g", "G", networkKey.Name, nodesKey.Name, insideLatency.Name, insideOverhead.Name, "receive", jitterKey.Name, tickKey.Name, machineKey.Name}

// machine checks what the keys of the machine do not check one by one.
func (r *reader) machine() {
	s := r.line.settings
	if !s.Valid(ofMachine...) {
		return
	}
	if err := s.checkNodes(); err != nil {
		r.wrong.About("", err)
		return
	}
	if err := s.checkNetwork(); err != nil {
		r.wrong.About(s.NetworkWord(), err)
		return // the longest latency depends on it
	}
	r.wrong.About("", s.LogP().Validate())
}

// faults checks whether the ranks in the schedule exist.
func (r *reader) faults() {
	if s := r.line.settings; s.Valid("P", faultsKey.Name) {
		r.wrong.About(s.FaultsWord(), s.Faults().Validate(int(s.Number("P"))))
	}
}

// Quote shows a word of the line in a message. It cuts off the end of a very long one.
func Quote(word string) string {
	const longest = 60
	if len(word) > longest {
		return fmt.Sprintf("%q...", word[:longest])
	}
	return fmt.Sprintf("%q", word)
}
