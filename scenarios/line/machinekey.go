package line

import (
	"maps"
	"strings"
	"time"
)

// noMachine says that a line is about no machine in a file. A file of that name is ./none.
const noMachine = "none"

// machineKey names a file with the parameters of a machine. What is in the file is read with the
// line, and is no concern of the key's.
var machineKey = Key{
	Name:    "machine",
	Default: noMachine,
	Values:  "none, or a file, such as one that mangrove calibrate has written",
	Help:    "where to take tick, L, o, g, G, Lin, oin and network from",
	Check:   func(string) error { return nil },
}

// values are what the file says about keys of a line.
func (f MachineFile) values() map[string]string {
	values := make(map[string]string)
	for key, cost := range f.costs() {
		if cost.known || *cost.ticks != 0 {
			values[key] = cost.ticks.String()
		}
	}
	if f.Tick != 0 {
		values[tickKey.Name] = printTime(time.Duration(f.Tick))
	}
	if f.Network != "" {
		values[networkKey.Name] = f.Network
	}
	return values
}

// machineFile takes the place of defaults by what a file says, wherever the line names it: times
// are read by its tick.
func (r *reader) machineFile(words []string) {
	for i, word := range words {
		path, ok := strings.CutPrefix(word, machineKey.Name+"=")
		if !ok {
			continue
		}
		if path != "" && path != noMachine {
			r.readMachine(path, i+1 < len(words) && !strings.Contains(words[i+1], "="))
		}
		return
	}
}

// readMachine reads the file of that name. If it is cut off at a blank, what follows is no key.
func (r *reader) readMachine(path string, cutOff bool) {
	file, wrong := readMachineFile(path)
	if len(wrong) == 0 {
		s := &r.line.settings
		s.file = file.values()
		maps.Copy(s.values, s.file)
		return
	}
	r.unread, r.vague = true, true
	advice := ""
	if cutOff {
		advice = "; blanks separate words, so there can be none in the name of a file"
	}
	for _, problem := range wrong {
		r.wrong.Add("%q: %w%s", machineKey.Name+"="+path, problem, advice)
	}
}

// refuseTick says why a line cannot have a tick beside that of its file.
func (r *reader) refuseTick(typed string) {
	if own, ok := r.line.settings.file[tickKey.Name]; ok {
		r.wrong.Add("%s: the file of the machine has tick=%s, and its L, o, g and G are in these ticks; want one of the two", Quote(typed), own)
	}
}

// Unsaid is the value that a key has if a line does not set it: that of the file, or the default.
func (s Settings) Unsaid(key Key) string {
	if value, ok := s.file[key.Name]; ok {
		return value
	}
	return key.Default
}
