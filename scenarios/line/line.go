package line

import (
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/faults"
)

// Line is a line that has been read: its words, and the values of all keys.
type Line struct {
	words    []string // as typed
	keys     Keys
	settings Settings
}

// Fields returns the words of a line, which may come in any pieces.
func Fields(text []string) []string { return strings.Fields(strings.Join(text, " ")) }

// String returns the line as it was typed, with single blanks between the words.
func (l *Line) String() string { return strings.Join(l.words, " ") }

// Settings returns the values of all keys.
func (l *Line) Settings() Settings { return l.settings }

// Spelled is the line with what its machine's file says in words, for those who do not have
// the file.
func (l *Line) Spelled() string {
	words := l.without(machineKey.Name)
	for _, key := range l.keys {
		if value, ok := l.settings.file[key.Name]; ok && !l.settings.typed[key.Name] {
			words = append(words, key.Name+"="+value)
		}
	}
	return strings.Join(words, " ")
}

// WithFaults returns the line with these faults in the place of its own.
func (l *Line) WithFaults(s faults.Schedule) string {
	words := l.without(faultsKey.Name)
	if len(s) > 0 {
		words = append(words, faultsKey.Name+"="+s.String())
	}
	return strings.Join(words, " ")
}

// With returns the line with another value of a key, at its end.
func (l *Line) With(key, value string) string {
	return strings.Join(append(l.without(key), key+"="+value), " ")
}

// without returns the words that do not set a key.
func (l *Line) without(key string) []string {
	return slices.DeleteFunc(slices.Clone(l.words), func(word string) bool { return strings.HasPrefix(word, key+"=") })
}

// InPlace returns the line with another value of a key, in the same place. What goes without saying
// is not said, and what was not said comes before the faults.
func (l *Line) InPlace(key Key, value string) string {
	words := slices.Clone(l.words)
	has := func(key Key) int {
		return slices.IndexFunc(words, func(word string) bool {
			name, _, _ := strings.Cut(word, "=")
			return name == key.Name || name == key.Alias
		})
	}
	at, word := has(key), key.Name+"="+value
	switch faults := has(faultsKey); {
	case at >= 0 && value == l.settings.Unsaid(key):
		words = slices.Delete(words, at, at+1)
	case at >= 0:
		words[at] = word
	case faults >= 0:
		words = slices.Insert(words, faults, word)
	default:
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
