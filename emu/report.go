package emu

import (
	"fmt"
	"strconv"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/hugepages"
)

// Report says how a run went. All of it but Wall and BytesPerRank is the same each time
// the run is repeated.
type Report struct {
	LogP   clock.LogP      `json:"machine"`
	Seed   uint64          `json:"seed"`
	Faults faults.Schedule `json:"faults"`

	Messages   int64      `json:"messages"`   // sends completed
	Coloring   clock.Time `json:"coloring"`   // when the last rank was coloured
	Quiescence clock.Time `json:"quiescence"` // the last instant of any send, flight or receive
	Exit       clock.Time `json:"exit"`       // when the last program returned

	Ranks     []RankResult    `json:"ranks"`
	Failed    []Failure       `json:"failed"`             // ordered by rank
	Unreached []int           `json:"unreached"`          // live ranks never coloured
	Deadlocks []Deadlock      `json:"deadlocks"`          // ordered by rank
	Rejoined  []Rejoin        `json:"rejoined,omitempty"` // ranks that were started again, ordered by time
	Unfired   faults.Schedule `json:"unfired"`            // faults whose point was never reached

	Windows int64   `json:"windows"`
	Wakes   int64   `json:"wakes"` // how often a rank was started or woken
	Hash    Hash    `json:"hash"`  // of all events; 0 unless traced
	Events  []Event `json:"-"`     // empty unless asked for

	Wall         time.Duration `json:"wall_ns"`
	BytesPerRank int64         `json:"bytes_per_rank"` // memory the process took on for this machine
}

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
	if f.Outcome == Hung {
		return fmt.Sprintf("rank %d hung at t=%d", f.Rank, f.Time)
	}
	return fmt.Sprintf("rank %d crashed at t=%d", f.Rank, f.Time)
}

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
		return fmt.Errorf("emu: hash %q, want 16 hexadecimal digits", text)
	}
	*h = Hash(n)
	return nil
}

// reset empties the report for a run of that many ranks.
func (rep *Report) reset(ranks int) {
	if cap(rep.Ranks) < ranks {
		rep.Ranks = make([]RankResult, ranks)
		hugepages.Advise(rep.Ranks)
	}
	*rep = Report{
		Ranks:     rep.Ranks[:ranks],
		Failed:    append([]Failure{}, rep.Failed[:0]...),
		Unreached: append([]int{}, rep.Unreached[:0]...),
		Deadlocks: append([]Deadlock{}, rep.Deadlocks[:0]...),
		Unfired:   append(faults.Schedule{}, rep.Unfired[:0]...),
	}
}

// report gathers the results of a run that is over.
func (m *Machine) report(rep *Report, opts Options) {
	rep.LogP, rep.Seed, rep.Faults = m.cfg.LogP, opts.Seed, opts.Faults
	rep.Windows = m.windows
	for i := range m.workers {
		rep.Quiescence = max(rep.Quiescence, m.workers[i].quiet)
		rep.Wakes += m.workers[i].wakes
	}
	if len(m.schedule) > 0 {
		m.reportFaults(rep)
	}
	waiting := m.tally(rep)
	m.diagnose(rep, waiting)
	if m.cfg.Trace == TraceEvents {
		rep.Events = m.events()
	}
	rep.BytesPerRank = m.bytesPerRank()
}

// reportFaults settles what the ranks with faults have received and lost, and says which
// faults took no effect.
func (m *Machine) reportFaults(rep *Report) {
	m.settleFaulty(rep)
	last := max(rep.Quiescence, m.lastExit())
	m.applyLateCrashes(last)
	for i := range m.schedule {
		if s := &m.schedule[i]; !m.fired(s, last) {
			rep.Unfired = append(rep.Unfired, s.Fault)
		}
	}
}

// settleFaulty counts what the ranks with faults have received and lost.
func (m *Machine) settleFaulty(rep *Report) {
	rep.Quiescence = max(rep.Quiescence, clock.Time(m.links.quiet.Load()))
	rep.Rejoined = m.rejoins.done
	for r := range m.faultyRanks() {
		f := r.extra.faults
		r.settle(f.deadAt)
		rep.Quiescence = max(rep.Quiescence, f.quiet)
	}
}

// lastExit is when the last program returned or failed.
func (m *Machine) lastExit() clock.Time {
	last := clock.Time(0)
	for i := range m.results {
		if t := m.results[i].Exit; t != clock.Never {
			last = max(last, t)
		}
	}
	return last
}

// applyLateCrashes lets ranks count as crashed whose crash was due after their program
// had returned or hung, but before the run was over.
func (m *Machine) applyLateCrashes(last clock.Time) {
	for r := range m.faultyRanks() {
		f := r.extra.faults
		if (r.state == finished || r.state == hung) && f.deadAt <= last {
			r.state = crashed
			m.results[r.id].Exit = f.deadAt
			if m.tracing {
				r.record(EventCrash, f.deadAt, noPeer, nil)
			}
		}
	}
}

// fired reports whether a fault took effect.
func (m *Machine) fired(s *scheduled, last clock.Time) bool {
	switch {
	case s.fired || s.At.Anchor != faults.AtTime || s.Kind == faults.Rejoin:
		return s.fired
	case s.Kind == faults.Cut:
		return s.At.Time <= last
	}
	r := &m.ranks[s.Rank]
	f := r.extra.faults
	switch s.Kind {
	case faults.Crash:
		return r.state == crashed && f.deadAt == s.At.Time
	case faults.Hang:
		return f.stoppedAt == s.At.Time && f.deadAt > s.At.Time
	}
	return s.At.Time <= min(f.deadAt, last)
}
