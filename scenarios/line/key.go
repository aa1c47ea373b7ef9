package line

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// Key is what may stand before the "=" of a word.
type Key struct {
	Name    string
	Default string
	Values  string // the valid values, in words. Optional
	Help    string
	// Alias is another name, for those who do not know the letters of LogP. Optional.
	Alias string
	// Ticks says that values are numbers of ticks. They may also be times, such as 4.6us, if
	// the line says what a tick stands for; Check sees ticks in any case.
	Ticks bool
	// Check says what is wrong with a value; nil if nothing is. Without it any word will do.
	Check func(value string) error
	// Fits says why a value does not go with those of other keys, all of which have passed their
	// Check; nil if it does. Optional.
	Fits func(Settings) error
	// Tries are values for lines that are made up. Optional.
	Tries Tries
	// ofStorage says that it is one of [StorageKeys]: a protocol that stores nothing may have keys of these names.
	ofStorage bool
}

// Refuses says what is wrong with a value; nil if nothing is.
func (k Key) Refuses(value string) error {
	if k.Check == nil {
		return nil
	}
	return k.Check(value)
}

// Valid are the valid values in words.
func (k Key) Valid() string { return cmp.Or(k.Values, "any word") }

// CommonKeys returns the keys that every protocol has. Lines that are made up are about small machines:
// what can go wrong goes wrong on few ranks already, and more of the many schedules can be tried.
func CommonKeys() Keys {
	const maxCost = uint64(clock.MaxCost)
	return Keys{
		NumberKey("P", 1024, 1, clock.MaxRanks, "number of ranks").withAlias("ranks").Trying(Numbers(1, 16)),
		TimeKey("L", 2, 1, maxCost, "network latency, in ticks").withAlias("latency"),
		TimeKey("o", 1, 1, maxCost, "overhead of a message, in ticks").withAlias("overhead").Trying(Numbers(1, 3)),
		TimeKey("g", 0, 0, maxCost, "gap between messages, in ticks").withAlias("gap").Trying(Numbers(0, 4)),
		TimeKey("G", 0, 0, maxCost, "gap per further byte, in ticks").Trying(Numbers(0, 1)),
		networkKey,
		nodesKey,
		insideLatency,
		insideOverhead,
		jitterKey,
		noiseKey,
		linksKey,
		tickKey,
		machineKey,
		receives.Key("receive", "messages that a rank receives at a time"),
		NumberKey("seed", 0, 0, math.MaxUint64, "decides every random choice").Trying(Numbers(0, 255)),
		faultsKey,
	}
}

// receives says whether a rank receives many messages at the same time.
var receives = Choices[bool]{{"one", false}, {"many", true}}

// faultsKey holds the schedule.
var faultsKey = Key{
	Name:    "faults",
	Default: "none",
	Values:  "none, crash:3@send2, ...",
	Help:    "what fails, where and when",
	Check:   Parses(faults.Parse),
}

// Parses is the Check of a key whose values are those that a function reads.
func Parses[T any](parse func(text string) (T, error)) func(value string) error {
	return func(value string) error {
		_, err := parse(value)
		return err
	}
}

// NumberKey returns a key whose values are the whole numbers from low to high.
func NumberKey(name string, usual, low, high uint64, help string) Key {
	return Key{
		Name:    name,
		Default: strconv.FormatUint(usual, 10),
		Values:  fmt.Sprintf("%d to %d", low, high),
		Help:    help,
		Check: func(value string) error {
			n, err := strconv.ParseUint(value, 10, 64)
			if err != nil || n < low || n > high {
				return fmt.Errorf("want a number from %d to %d", low, high)
			}
			if len(value) > 1 && value[0] == '0' {
				return fmt.Errorf("want no leading zeros")
			}
			return nil
		},
		Tries: Numbers(int(low), int(min(high, low+3))),
	}
}

// TimeKey returns a key whose values are times from low to high, in ticks.
func TimeKey(name string, usual, low, high uint64, help string) Key {
	return NumberKey(name, usual, low, high, help).inTicks()
}

func (k Key) inTicks() Key {
	k.Ticks = true
	return k
}

// Fitting returns the key with something that its value must go with.
func (k Key) Fitting(fits func(Settings) error) Key {
	k.Fits = fits
	return k
}

func (k Key) withAlias(name string) Key {
	k.Alias = name
	return k
}

// AutoTimeKey returns a key for a time from low to high, in ticks, or for "auto".
func AutoTimeKey(name string, low, high uint64, help string) Key {
	return AutoKey(name, low, high, help).inTicks()
}

// AutoKey returns a key for a number from low to high, or for "auto".
func AutoKey(name string, low, high uint64, help string) Key {
	k := NumberKey(name, low, low, high, help)
	number := k.Check
	k.Default, k.Values, k.Tries = "auto", "auto, "+k.Values, nil
	k.Check = func(value string) error {
		if value == "auto" {
			return nil
		}
		if err := number(value); err != nil {
			return fmt.Errorf("want auto or a number from %d to %d", low, high)
		}
		return nil
	}
	return k
}

// AutoNumber returns the value of an AutoKey.
func AutoNumber[T ~int | ~int64](s Settings, key string, usual T) T {
	if s.Text(key) == "auto" {
		return usual
	}
	return T(s.Number(key))
}

// Choices is a key's table of values: what each name stands for. The first one is the
// default.
type Choices[T any] []struct {
	Name  string
	Value T
}

// Key returns a key whose values are the names in the table.
func (c Choices[T]) Key(name, help string) Key {
	values := OneOf(c.Names())
	return Key{
		Name:    name,
		Default: c[0].Name,
		Values:  values,
		Help:    help,
		Check: func(value string) error {
			if _, ok := c.Lookup(value); !ok {
				return fmt.Errorf("want %s%s", values, Suggest(value, c.Names()))
			}
			return nil
		},
		Tries: Words(c.Names()...),
	}
}

// Of returns what the value of a key stands for.
func (c Choices[T]) Of(s Settings, key string) T {
	value, ok := c.Lookup(s.Text(key))
	if !ok {
		panic(fmt.Sprintf("line: %s=%s has passed its check and is not in the table", key, s.Text(key)))
	}
	return value
}

// Lookup finds what a name stands for.
func (c Choices[T]) Lookup(name string) (value T, ok bool) {
	for _, choice := range c {
		if choice.Name == name {
			return choice.Value, true
		}
	}
	return value, false
}

// Names lists the values.
func (c Choices[T]) Names() []string {
	var names []string
	for _, choice := range c {
		names = append(names, choice.Name)
	}
	return names
}
