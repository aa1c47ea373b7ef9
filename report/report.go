package report

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// Report says how a run went. On the emulator, all of it but Wall and BytesPerRank is the same
// each time the run is repeated.
type Report struct {
	LogP   clock.LogP      `json:"machine"`
	Disk   clock.Disk      `json:"disk,omitzero"` // how long operations of storage took
	Seed   uint64          `json:"seed"`
	Faults faults.Schedule `json:"faults"`

	// Network says how long messages were under way; nil if that is not known, or LogP's latency for all. Jitter and Noise are how
	// the machine varied; nil if it did not. What else happened to messages on their way are faults, see [Report.Fired].
	Network clock.Network `json:"-"`
	Jitter  clock.Jitter  `json:"-"`
	Noise   *clock.Noise  `json:"-"`

	Messages   int64      `json:"messages"`   // sends completed
	Colouring  clock.Time `json:"colouring"`  // when the last rank was coloured
	Quiescence clock.Time `json:"quiescence"` // the last instant of any send, flight or receive
	Exit       clock.Time `json:"exit"`       // when the last program returned

	Ranks     []RankResult    `json:"ranks"`              // of all ranks, see Share
	Failed    []Failure       `json:"failed"`             // at the end, ordered by rank; see NobodyFailed
	Unreached []int           `json:"unreached"`          // live ranks never coloured; see Missed
	Deadlocks []Deadlock      `json:"deadlocks"`          // ordered by rank; see Waiting
	Unlisted  Unlisted        `json:"unlisted,omitzero"`  // what these two leave out
	Rejoined  []Rejoin        `json:"rejoined,omitempty"` // ranks that were started again, ordered by time
	Unfired   faults.Schedule `json:"unfired"`            // faults whose point was never reached

	// Stopped are the faults of the schedule that have stopped ranks, in the order of the schedule; only if events were asked for, and of those
	// by the clock not the ones that came when the program had returned.
	Stopped []Stopped `json:"-"`

	Windows int64   `json:"windows"`
	Wakes   int64   `json:"wakes"` // how often a rank was started or woken
	Hash    Hash    `json:"hash"`  // of all events; 0 unless traced
	Events  []Event `json:"-"`     // empty unless asked for

	Share *Share `json:"-"` // nil: the report has the results of all ranks

	// Processes says that ranks were in real processes, whose messages took as long as they did. Nobody has counted windows and wakes there,
	// hashed events or measured memory, and what failed ranks had noted is lost with them.
	Processes bool `json:"-"`
	// ClockError is by how much the clocks of two processes may have differed at most, which is how wrong times are that go from one
	// process to another. 0 on the emulator, where all ranks have one clock.
	ClockError time.Duration `json:"clock_error_ns,omitempty"`

	Wall         time.Duration `json:"wall_ns"`
	BytesPerRank int64         `json:"bytes_per_rank"` // memory the process took on for this machine
}

// Stopped is a fault that has stopped a rank, by its place in the schedule, and when.
type Stopped = faults.Happening

// Outcome is how a rank ended.
type Outcome uint8

const (
	Finished   Outcome = iota // its program returned
	Crashed                   // it crashed on schedule
	Hung                      // it hung on schedule
	Deadlocked                // it would have waited for ever
)

var outcomeNames = [...]string{"finished", "crashed", "hung", "deadlocked"}

// String names the outcome in one word.
func (o Outcome) String() string { return outcomeNames[o] }

// Failed reports whether the rank crashed or hung.
func (o Outcome) Failed() bool { return o == Crashed || o == Hung }

// MarshalText lets JSON show the word.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (o *Outcome) UnmarshalText(text []byte) error {
	i := slices.Index(outcomeNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("report: outcome %q, want one of %s", text, strings.Join(outcomeNames[:], ", "))
	}
	*o = Outcome(i)
	return nil
}

// RankResult is how a run went for one rank.
type RankResult struct {
	Outcome  Outcome    `json:"outcome"`
	Coloured clock.Time `json:"coloured"` // end of its first receive; 0 for an initiator, or clock.Never
	Exit     clock.Time `json:"exit"`     // when its program returned or it failed, or clock.Never
}

// Failure is a rank that crashed or hung.
type Failure struct {
	Rank    int        `json:"rank"`
	Outcome Outcome    `json:"outcome"`
	Time    clock.Time `json:"time"`
}

// String reads like "rank 7 crashed at t=12".
func (f Failure) String() string {
	return fmt.Sprintf("rank %d %s at t=%d", f.Rank, f.Outcome, f.Time)
}

// Live goes through the ranks that have not failed, of those whose results are in the report.
func (r *Report) Live() iter.Seq[int] {
	return func(yield func(rank int) bool) {
		for rank := range r.Ranks {
			if !r.Ranks[rank].Outcome.Failed() && !yield(rank) {
				return
			}
		}
	}
}

// FailureOf is how a rank failed, if it did.
func (r *Report) FailureOf(rank int) (f Failure, failed bool) {
	i, failed := slices.BinarySearchFunc(r.Failed, rank, func(f Failure, rank int) int { return cmp.Compare(f.Rank, rank) })
	if failed {
		f = r.Failed[i]
	}
	return f, failed
}

// Rejoin is a failed rank that was started again.
type Rejoin struct {
	Rank int        `json:"rank"`
	Time clock.Time `json:"time"`
}

// String reads like "rank 7 began again at t=90".
func (j Rejoin) String() string { return fmt.Sprintf("rank %d began again at t=%d", j.Rank, j.Time) }

// Hash identifies what happened in a run.
type Hash uint64

// String prints 16 hexadecimal digits.
func (h Hash) String() string { return fmt.Sprintf("%016x", uint64(h)) }

// MarshalText lets JSON show the digits: numbers there have only 53 bits.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (h *Hash) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil || len(text) != 16 {
		return fmt.Errorf("report: hash %q, want 16 hexadecimal digits", text)
	}
	*h = Hash(n)
	return nil
}
