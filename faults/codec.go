package faults

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// MostDecoded is how many faults Decode returns at most.
const MostDecoded = 12

// faultBytes is how many bytes make one fault:
//
//	first   what happens, and the anchor of its point
//	second  the rank
//	third   the time, or which send, receive or passage of which step
//
// Each of them is taken modulo the number of choices there are. So every byte means
// something, a change of one byte changes one fault, and bytes cut off take faults away.
const faultBytes = 3

// Numbers above these would seldom be reached on the few ranks that fuzzers use.
const (
	mostDecodedCount    = 64 // sends and receives
	mostDecodedPassages = 4  // of a step
)

// deed is what a byte may do to a rank.
type deed struct {
	kind   Kind
	factor int
}

var deeds = []deed{{Crash, 0}, {Hang, 0}, {Slow, 2}, {Slow, 4}, {Slow, 16}}

// Decode makes a schedule of any bytes, for fuzzers: three bytes are one fault of one of
// the first 256 ranks. What is left over at the end, faults beyond [MostDecoded] and
// repetitions do not count. The schedule is valid on a machine of that many ranks, if there
// is one. Faults happen at one of the given steps only if there are any.
func Decode(data []byte, ranks int, steps ...string) Schedule {
	if ranks < 1 {
		return nil
	}
	var s Schedule
	for ; len(data) >= faultBytes && len(s) < MostDecoded; data = data[faultBytes:] {
		if f := decodeFault(data, ranks, steps); !slices.Contains(s, f) {
			s = append(s, f)
		}
	}
	return s
}

// Encode makes bytes of a schedule that [Decode], with the same steps, turns back into it.
// The error lists all faults that have no bytes.
func Encode(s Schedule, steps ...string) ([]byte, error) {
	var wrong problems
	if len(s) > MostDecoded {
		wrong.add("%d faults, want at most %d", len(s), MostDecoded)
	}
	var data []byte
	for i, f := range s {
		group := encodeFault(f, steps)
		// Whatever does not come back has no bytes, for one reason or another.
		if decodeFault(group, 256, steps) != f || slices.Contains(s[:i], f) {
			wrong.add("%s: cannot be encoded", f)
		}
		data = append(data, group...)
	}
	if err := wrong.err(); err != nil {
		return nil, fmt.Errorf("%w (explicit faults, each once, of ranks below 256; slow-downs by 2, 4 or 16; "+
			"times below 256; sends and receives up to %d; up to %d passages of the steps %q)",
			err, mostDecodedCount, mostDecodedPassages, steps)
	}
	return data, nil
}

// decodeFault reads one group of bytes.
func decodeFault(group []byte, ranks int, steps []string) Fault {
	what := int(group[0])
	d := deeds[what%len(deeds)]
	anchor := Anchor(what / len(deeds) % anchorsWith(steps))
	return Fault{
		Kind:   d.kind,
		Rank:   int(group[1]) % ranks,
		Factor: d.factor,
		At:     decodePoint(anchor, int(group[2]), steps),
	}
}

// anchorsWith is how many anchors there are to choose from. AtStep is the last one.
func anchorsWith(steps []string) int {
	if len(steps) == 0 {
		return int(AtStep)
	}
	return int(AtStep) + 1
}

func decodePoint(anchor Anchor, number int, steps []string) Point {
	switch anchor {
	case AtTime:
		return OnTime(clock.Time(number))
	case AtStep:
		return OnStep(steps[number%len(steps)], 1+number/len(steps)%mostDecodedPassages)
	}
	return Point{Anchor: anchor, N: 1 + number%mostDecodedCount}
}

// encodeFault returns the only bytes that can stand for a fault, or any others if there are
// none.
func encodeFault(f Fault, steps []string) []byte {
	doing := max(0, slices.Index(deeds, deed{f.Kind, f.Factor}))
	number := f.At.N - 1
	switch f.At.Anchor {
	case AtTime:
		number = int(f.At.Time)
	case AtStep:
		number = max(0, slices.Index(steps, f.At.Step)) + len(steps)*(f.At.N-1)
	}
	return []byte{byte(doing + len(deeds)*int(f.At.Anchor)), byte(f.Rank), byte(number)}
}
