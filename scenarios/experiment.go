package scenarios

import (
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Experiment is what a protocol makes of the settings of a line: what is run, and how that is judged.
// A simple protocol fills in the first four.
type Experiment struct {
	Program protocols.Program
	// Roots are the ranks that random faults spare, and whose failure excuses that nobody
	// is reached.
	Roots []int
	// Cuts says that a promise is about links that are cut: random faults then cut some, if nobody says which kinds they are to have.
	Cuts bool
	// Seeded says that the program, or what it should lead to, depends on the seed other than by the random streams of the ranks.
	Seeded bool
	// Rejoins says that ranks may come back on this line, if the protocol does not let them always ([Protocol].RejoinsWith).
	Rejoins bool
	// Timing says which networks will do.
	Timing Timing
	// Promises are what the protocol promises, each with its premises ([guarantee.Promise]). All that judges runs
	// reads them here.
	Promises []guarantee.Guarantee

	// Detection is how failures are detected, if the protocol needs that.
	Detection emu.Detection
	// Reduction says that ranks are not coloured by a message that spreads: a report then
	// does not say who was reached, and when.
	Reduction bool
	// State is what ranks note on the way, for guarantees and measures to look at.
	State State
	// Measures are what there is to tell of a run besides its report.
	Measures Measures
	// Memory is what the experiment takes besides the usual. Optional.
	Memory Memory
	// Exports are what the program computes with, for others to compute the same. Optional.
	Exports func() []File
	// Chosen are the values of keys that the line leaves open if they depend on its faults: a search that
	// has found others says them in its lines.
	Chosen map[string]string
	// Brief are values of keys that the line leaves open with which a service that goes on does what it does again and again once:
	// there are many more ways in which messages can be late than in which ranks can fail.
	Brief map[string]string
	// Notes tell the user what the line says in vain, besides what [Protocol].Idle says.
	Notes []string
}

// Measures are what an experiment tells of a run besides its report. All are optional.
type Measures struct {
	// Details are results in words.
	Details func(*report.Report) []Detail
	// Answer is what a query has returned; nil if no live rank has it.
	Answer func(*report.Report) *Answer
	// Latencies are those of the operations of a series, in ticks, each from its begin to its end.
	Latencies func(*report.Report) []float64
	// Completion says when the result of a computation was there.
	Completion func(*report.Report) Completion
	// CorrectionStart is when all ranks begin to correct what a first phase has left over; 0 if
	// there is no such instant.
	CorrectionStart clock.Time
}

// Detail is a result of a run, in words.
type Detail struct {
	Name string `json:"name"`
	Text string `json:"text"`
	// Ticks is the time that the text begins with, if it does: for programs.
	Ticks clock.Time `json:"ticks,omitempty"`
}

// Completion is when a computation on a team came to its end.
type Completion struct {
	At       clock.Time // on the last live rank; Never if one has no result
	Ended    clock.Time // the same, also if there is no result
	Noticed  clock.Time // when it was known that a rank had failed on the way; Never if none has
	Attempts int
}

// tell asks a measure, if the experiment has it.
func tell[T any](measure func(*report.Report) T, rep *report.Report) (told T) {
	if measure != nil {
		told = measure(rep)
	}
	return told
}

// reset forgets an earlier run.
func (e *Experiment) reset() {
	if e.State != nil {
		e.State.Reset()
	}
}
