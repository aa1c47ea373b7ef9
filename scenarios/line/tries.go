package line

import (
	"slices"
	"strconv"
	"strings"
)

// Tries are the values of a key that are worth trying where lines are made up ([MakeUp]), after what was
// chosen for the keys before it: few and small numbers, and all that a table offers. None of them: the
// key is left alone.
type Tries func(Settings) []string

// Words are the same values always.
func Words(values ...string) Tries { return func(Settings) []string { return values } }

// Numbers are those from low to high.
func Numbers(low, high int) Tries {
	return func(Settings) (all []string) {
		for n := low; n <= high; n++ {
			all = append(all, strconv.Itoa(n))
		}
		return all
	}
}

// Mostly has one of the values seven times as often as all others together.
func Mostly(usual string, values ...string) Tries {
	others := slices.DeleteFunc(slices.Clone(values), func(value string) bool { return value == usual })
	return Words(slices.Concat(slices.Repeat([]string{usual}, 7*len(others)), others)...)
}

// Trying returns the key with other values to try; nil: with none.
func (k Key) Trying(t Tries) Key {
	k.Tries = t
	return k
}

// MakeUp makes up a line about something with these keys: choose is asked for one of the values of each
// key that has some to try, in the order of the keys. There may be no values after what was chosen
// before. What has no effect in the end is left out.
func MakeUp(name string, keys Keys, idle []Idle, choose func(key Key, values []string) string) string {
	s := Settings{values: defaults(keys), typed: make(map[string]bool), stores: keys.store()}
	for _, key := range keys {
		if key.Tries == nil {
			continue
		}
		if value := choose(key, key.Tries(s)); value != "" {
			s.values[key.Name], s.typed[key.Name] = value, true
		}
	}
	words := []string{name}
	for _, key := range keys {
		if s.typed[key.Name] && !s.IsIdle(key.Name, idle) {
			words = append(words, key.Name+"="+s.values[key.Name])
		}
	}
	return strings.Join(words, " ")
}

// IsIdle reports whether a key has no effect, by one of these rules.
func (s Settings) IsIdle(key string, rules []Idle) bool {
	return slices.ContainsFunc(rules, func(rule Idle) bool { return rule.Key == key && rule.If(s) })
}
