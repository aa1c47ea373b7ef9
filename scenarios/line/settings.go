package line

import (
	"fmt"
	"strconv"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// Settings are the values of all keys of a line, defaults filled in. Each has passed the
// Check of its key.
type Settings struct {
	values map[string]string
	typed  map[string]bool   // keys that stand on the line, and whether their value is valid
	file   map[string]string // what the file of the machine says, if there is one
	stores bool              // the line has keys for how long operations of stable storage take
}

// Typed reports whether a key stands on the line, and is not just left at its default or at what the
// file of the machine says.
func (s Settings) Typed(key string) bool { return s.typed[key] }

// Valid reports whether what the line says about these keys can be used; also if it says nothing.
func (s Settings) Valid(keys ...string) bool {
	for _, key := range keys {
		if good, set := s.typed[key]; set && !good {
			return false
		}
	}
	return true
}

// Int returns the value of a NumberKey that fits into an int.
func (s Settings) Int(key string) int { return int(s.Number(key)) }

// Lookup returns the value of a key as it was typed; ok is false if the protocol has no such key.
func (s Settings) Lookup(key string) (value string, ok bool) {
	value, ok = s.values[key]
	return value, ok
}

// Text returns the value of a key as it was typed. The key must be one of the protocol's
// or a common one.
func (s Settings) Text(key string) string {
	value, ok := s.values[key]
	if !ok {
		panic(fmt.Sprintf("line: the protocol has no key %q", key))
	}
	return value
}

// Ticks returns the value of a TimeKey.
func (s Settings) Ticks(key string) clock.Time { return clock.Time(s.Number(key)) }

// Number returns the value of a NumberKey, or that of a TimeKey in ticks.
func (s Settings) Number(key string) uint64 {
	return Parsed(s, key, func(text string) (uint64, error) {
		if isTime(text) {
			return s.Unit().ticks(text)
		}
		return strconv.ParseUint(text, 10, 64)
	})
}

// Parsed is what a function reads in the value of a key whose Check is that it can.
func Parsed[T any](s Settings, key string, parse func(text string) (T, error)) T {
	value, err := parse(s.Text(key))
	if err != nil {
		panic(fmt.Sprintf("line: %s=%s has passed its check: %v", key, s.Text(key), err))
	}
	return value
}

// LogP returns the parameters that protocols reckon with. The latency is the longest on the network of the line, that of a
// message that need not wait, with as much jitter as there can be. Where jitter has no bound it does not count. The overhead is
// the larger one of those inside a node and between nodes.
func (s Settings) LogP() clock.LogP {
	p := s.Machine()
	_, p.Overhead = clock.Overheads(p, s.Network())
	if jitter := s.Jitter(); jitter != nil {
		longest, _ := jitter.Max()
		p.Latency += longest
	}
	return p
}

// Machine returns the parameters of the machine itself. The latency is the longest on its network, jitter aside.
func (s Settings) Machine() clock.LogP {
	return clock.LogP{
		Ranks:    s.Int("P"),
		Latency:  s.longestLatency(),
		Overhead: s.Ticks("o"),
		Gap:      s.Ticks("g"),
		PerByte:  s.Ticks("G"),

		ManyReceives: receives.Of(s, "receive"),
	}
}

// Seed returns the seed of the run.
func (s Settings) Seed() uint64 { return s.Number("seed") }

// Faults returns the schedule as it was typed: ranks are still to be drawn.
func (s Settings) Faults() faults.Schedule { return faults.MustParse(s.Text(faultsKey.Name)) }

// FaultsWord shows the schedule in a message.
func (s Settings) FaultsWord() string { return Quote(faultsKey.Name + "=" + s.Text(faultsKey.Name)) }
