package scenarios

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Outcome is how a run went.
type Outcome struct {
	Line       string // the line that was run
	Report     *report.Report
	Guarantees []guarantee.Verdict
	Details    []Detail           // results of the protocol's own
	Answer     *Answer            // of a query; nil if there is none
	Latencies  []float64          // of the operations of a series, in ticks
	Completion Completion         // of a computation
	Correction *Correction        // nil if it has no beginning that all have in common
	Costs      []TeamCost         // if they were asked for
	Why        *cause.Explanation // if something is broken, and it was asked for; see [Outcome.Explain]
	Notes      []string           // what the line says without effect
	Network    clock.Network      // nil if it is uniform
	Unit       line.Unit          // what a tick stands for
	Reduction  bool               // nothing is spread, so nobody is coloured
	Checked    bool               // the line was run twice, and the same happened
	Processes  int                // that it was run on; 0: on the emulator
	Late       clock.Time         // how far these were behind the model, at most
	Untimed    bool               // lateness is no excuse, see [Timing]
	// Elsewhere says that another part has the outcome. Of the rest here are the line, the hash and the number of messages, verdicts and Completion.
	Elsewhere bool
}

// Verdict is what the guarantees come to, see [guarantee.Overall]. Nothing else counts: ranks that wait for ever
// do no harm if the promise about deadlocks is not claimed for such a run.
func (o *Outcome) Verdict() guarantee.Value { return guarantee.Overall(o.Guarantees) }

// Unjudged says why nothing could be judged; "" if something was.
func (o *Outcome) Unjudged() string {
	switch o.Verdict() {
	case guarantee.TooLate:
		return fmt.Sprintf("too late to judge: processes were up to %s behind the model", o.Unit.Span(o.Late))
	case guarantee.NotClaimed:
		return "not claimed: " + guarantee.Unclaimed(o.Guarantees)
	}
	return ""
}

// ExcuseLateness has a run that was behind the model count as too late to judge, if something is broken in it: messages that come
// later than the model allows are as good as lost to a protocol with deadlines.
func (o *Outcome) ExcuseLateness() {
	if o.Late == 0 || o.Untimed || guarantee.Overall(o.Guarantees) != guarantee.Broken {
		return
	}
	for i := range o.Guarantees {
		if v := &o.Guarantees[i]; v.Value == guarantee.Broken {
			v.Value, v.Beyond = guarantee.TooLate, ""
		}
	}
}

// Judge says how a run went that is over: whether it kept its guarantees, and with which results.
// What ranks have left behind must be there, see [State].
func (r *Run) Judge(rep *report.Report) *Outcome {
	x := &r.experiment
	return &Outcome{
		Line:       r.String(),
		Report:     rep,
		Guarantees: r.protocol.judging(x).check(rep),
		Details:    tell(x.Measures.Details, rep),
		Answer:     tell(x.Measures.Answer, rep),
		Latencies:  tell(x.Measures.Latencies, rep),
		Completion: tell(x.Measures.Completion, rep),
		Correction: correctionFrom(x.Measures.CorrectionStart, rep),
		Notes:      r.Notes(),
		Network:    r.config.Network,
		Unit:       r.Settings().Unit(),
		Reduction:  x.Reduction,
		Untimed:    x.Timing.Untimed,
	}
}

// TeamCost is what a way to compute something costs.
type TeamCost struct {
	Name     string     `json:"name"`
	Line     string     `json:"line"`
	Messages int64      `json:"messages"`
	Time     clock.Time `json:"time"`
	// Done says that there was a result.
	Done bool `json:"done"`
	// TimesMessages and TimesTime say how many times as much that is as without failures and
	// without any tolerance.
	TimesMessages float64 `json:"times_messages"`
	TimesTime     float64 `json:"times_time"`

	Noticed clock.Time `json:"-"` // that of Completion
}
