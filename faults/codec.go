package faults

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// mostDecoded is how many faults Decode returns at most.
const mostDecoded = 12

// Decoder makes schedules of bytes, for fuzzers, and says what bytes can mean. Of rejoins, links and messages,
// only kinds that are asked for have bytes, so that what others have stored keeps its meaning.
type Decoder struct {
	Ranks  int
	Steps  []string // at which faults may happen; nil: at none
	Rejoin bool     // ranks may come back
	Cut    bool     // links may be cut
	Mend   bool     // links may be cut one way, and mended
	// Messages may be late, lost, or arrive twice.
	Messages bool
	// Storage says that ranks may fail in what they do with their storage, and keep changes that are not safe.
	Storage bool
	// Scale is how many ticks apart neighbouring times are, for programs that take much longer
	// than 256 ticks. 0 is 1.
	Scale clock.Time
}

// Decode makes a schedule of any bytes: three bytes are one fault of one of the first 256 ranks.
// What is left over at the end, faults beyond the first 12 and repetitions do not count. The schedule is
// valid on a machine of that many ranks, if there is one.
func (d Decoder) Decode(data []byte) Schedule {
	if d.Ranks < 1 {
		return nil
	}
	var s Schedule
	for ; len(data) >= faultBytes && len(s) < mostDecoded; data = data[faultBytes:] {
		if f := d.fault(data); !slices.Contains(s, f) {
			s = append(s, f)
		}
	}
	return s
}

// Encode makes bytes of a schedule that Decode turns back into it. The error lists all faults
// that have no bytes.
func (d Decoder) Encode(s Schedule) ([]byte, error) {
	if d.Ranks < 1 {
		return nil, problems.New("faults", "ranks %d, want 1 or more", d.Ranks)
	}
	var wrong problems.List
	if len(s) > mostDecoded {
		wrong.Add("%d faults, want at most %d", len(s), mostDecoded)
	}
	var data []byte
	for i, f := range s {
		group := d.bytes(f)
		// Whatever does not come back has no bytes, for one reason or another.
		if d.fault(group) != f || slices.Contains(s[:i], f) {
			wrong.Add("%s: cannot be encoded", f)
		}
		data = append(data, group...)
	}
	if err := wrong.Err("faults"); err != nil {
		return nil, fmt.Errorf("%w (%s)", err, d.can())
	}
	return data, nil
}

// can says what has bytes.
func (d Decoder) can() string {
	text := fmt.Sprintf("explicit faults, each once, of ranks below %d; slow-downs by 2, 4 or 16; "+
		"times below %d, %d apart; sends and receives up to %d; up to %d passages of the steps %q",
		min(d.Ranks, mostDecodedRanks), d.ticks(mostDecodedRanks), d.ticks(1), mostDecodedCount, mostDecodedPassages, d.Steps)
	if d.Rejoin {
		text += fmt.Sprintf("; rejoins up to %d", d.ticks(mostDecodedRanks))
	}
	if d.Cut {
		text += fmt.Sprintf("; cuts from all others, of one rank below %d or of the same ones in every %d", oneCutOff, cutPattern)
	}
	if d.Mend {
		text += "; the same one way, from them to others, and mended"
	}
	if d.Messages {
		text += fmt.Sprintf("; messages of sends up to %d, late or twice by %v times %d", mostDecodedCount, decodedDelays, d.ticks(1))
	}
	if d.Storage {
		text += fmt.Sprintf("; writes and syncs up to %d, kept changes %v", mostDecodedCount, decodedKept)
	}
	return text
}
