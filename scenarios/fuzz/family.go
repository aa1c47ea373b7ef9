package fuzz

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/faults"
)

// family is a protocol, what bytes may choose about it, and what it promises.
type family struct {
	protocol string
	fields   []field
	steps    []string // at which ranks may fail
	// quiet are the steps that a rank passes before it sends anything that others take for
	// a sign of life in a broadcast.
	quiet []string
	// decoder says what else bytes may mean: ranks that come back, cuts, times further apart.
	// Ranks and steps are filled in.
	decoder faults.Decoder
	// traced says that promises are about the events of a run, too. To record them makes a run
	// two or three times as expensive.
	traced   bool
	promises []promise
}

// field is a key of the run line that has a byte of its own.
type field struct {
	key string
	// values are what there is to choose from after the fields before it; nil if the key
	// does not matter or is not allowed then. Its byte is skipped in this case, so that a
	// change of one byte leaves the meaning of the others alone.
	values func(choices) []string
}

// choices are the values of keys.
type choices map[string]string

// number returns a value that is a number.
func (c choices) number(key string) int {
	n, err := strconv.Atoi(c[key])
	if err != nil {
		panic("fuzz: no number " + key + "=" + c[key])
	}
	return n
}

// is reports whether a key has one of these values.
func (c choices) is(key string, values ...string) bool { return slices.Contains(values, c[key]) }

// modeTwice is the bit of the first byte that asks for a second run, to compare.
const modeTwice = 1

// headerBytes is how many bytes stand before the schedule.
func (f *family) headerBytes() int { return 1 + len(f.fields) }

// decode makes parameters and a schedule of any bytes.
func (f *family) decode(data []byte) (chosen choices, schedule faults.Schedule, twice bool) {
	header := make([]byte, f.headerBytes())
	rest := data[copy(header, data):]
	chosen = make(choices)
	for i, field := range f.fields {
		if values := field.values(chosen); len(values) > 0 {
			chosen[field.key] = values[int(header[1+i])%len(values)]
		}
	}
	return chosen, f.decoderFor(chosen).Decode(rest), header[0]&modeTwice != 0
}

// decoderFor is how schedules are read with these parameters.
func (f *family) decoderFor(chosen choices) faults.Decoder {
	d := f.decoder
	d.Ranks, d.Steps = chosen.number("P"), f.steps
	return d
}

// line returns the run line of parameters and a schedule.
func (f *family) line(chosen choices, schedule faults.Schedule) string {
	words := []string{f.protocol}
	for _, field := range f.fields {
		if value, ok := chosen[field.key]; ok {
			words = append(words, field.key+"="+value)
		}
	}
	if len(schedule) > 0 {
		words = append(words, "faults="+schedule.String())
	}
	return strings.Join(words, " ")
}
