package line

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// measuredTable is where there may be anything.
const measuredTable = "measured"

// machineFileKeys are the keys of a line that a file may set.
var machineFileKeys = []string{"tick", "L", "o", "g", "G", "Lin", "oin", "network"}

// parseMachineFile reads the text of a file, and lists all that is wrong with it.
func parseMachineFile(text string) (f MachineFile, wrong problems.List) {
	entries := make(map[string]any) // a struct would take l for L
	if _, err := toml.Decode(text, &entries); err != nil {
		return f, problems.List{tomlProblem(err)}
	}
	f.Comment = firstComment(text)
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		wrong.Note(f.set(key, entries[key]))
	}
	return f, wrong
}

// tomlProblem says what is wrong with a text, and in which line.
func tomlProblem(err error) error {
	var wrong toml.ParseError
	switch {
	case !errors.As(err, &wrong):
		return err
	case wrong.LastKey == "":
		return fmt.Errorf("line %d: %s", wrong.Position.Line, wrong.Message)
	}
	return fmt.Errorf("line %d (last key %q): %s", wrong.Position.Line, wrong.LastKey, wrong.Message)
}

// firstComment returns the lines that a text begins with, as far as they are comments.
func firstComment(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "#")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimPrefix(comment, " "))
	}
	return strings.Join(lines, "\n")
}

// set takes over one entry of a file.
func (f *MachineFile) set(key string, value any) error {
	if key == measuredTable {
		table, ok := value.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is %s, want a table", key, typeName(value))
		}
		f.Measured = table
		return nil
	}
	if !slices.Contains(machineFileKeys, key) {
		return fmt.Errorf("unknown key %s, want %s, and anything in [%s]%s", Quote(key), strings.Join(machineFileKeys, ", "), measuredTable, Suggest(key, machineFileKeys))
	}
	if isWord(key) {
		return f.setWord(key, value)
	}
	return f.setCost(key, value)
}

// isWord reports whether a key of a file is a text, and not a number of ticks.
func isWord(key string) bool { return key == tickKey.Name || key == networkKey.Name }

// setWord takes over a key that is a word.
func (f *MachineFile) setWord(key string, value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("%s is %s, want a text in quotes", key, typeName(value))
	}
	var err error
	if key == networkKey.Name {
		f.Network, err = text, networkKey.Check(text)
	} else {
		f.Tick, err = parseUnit(text)
	}
	if err != nil {
		return fmt.Errorf("%s = %s: %s", key, Quote(text), problems.Of(err))
	}
	return nil
}

// setCost takes over a key that is a number of ticks.
func (f *MachineFile) setCost(key string, value any) error {
	n, ok := value.(int64)
	if !ok {
		return fmt.Errorf("%s is %s, want a whole number of ticks", key, typeName(value))
	}
	known, _ := CommonKeys().Lookup(key)
	if err := known.Check(strconv.FormatInt(n, 10)); err != nil {
		return fmt.Errorf("%s = %d: %w", key, n, err)
	}
	*f.costs()[key].ticks = clock.Time(n)
	return nil
}

// cost is a number of ticks in a file.
type cost struct {
	ticks *clock.Time
	known bool // also if it is 0
}

// costs are those of a file, by their keys.
func (f *MachineFile) costs() map[string]cost {
	return map[string]cost{
		"L": {&f.Latency, false}, "o": {&f.Overhead, false}, "g": {&f.Gap, true}, "G": {&f.PerByte, true},
		insideLatency.Name: {&f.InsideLatency, false}, insideOverhead.Name: {&f.InsideOverhead, false},
	}
}

// typeName says what a value of a file is.
func typeName(value any) string {
	switch v := value.(type) {
	case string:
		return "the text " + Quote(v)
	case int64, float64, bool:
		return fmt.Sprint(v)
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	}
	return "a date"
}
