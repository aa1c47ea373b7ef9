package scenarios

import (
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
	Details    []Detail      // results of the protocol's own
	Latencies  []float64     // of the operations of a series, in ticks
	Completion Completion    // of a computation
	Correction *Correction   // nil if it has no beginning that all have in common
	Costs      []TeamCost    // if they were asked for
	Notes      []string      // what the line says without effect
	Network    clock.Network // nil if it is uniform
	Unit       line.Unit     // what a tick stands for
	Reduction  bool          // nothing is spread, so nobody is coloured
	Checked    bool          // the line was run twice, and the same happened
	Processes  int           // that it was run on; 0: on the emulator
	Late       clock.Time    // how far these were behind the model, at most
}

// Held reports whether all guarantees did. Nothing else counts: ranks that wait for ever are
// excused if the guarantee about deadlocks excuses them.
func (o *Outcome) Held() bool { return len(guarantee.Broken(o.Guarantees)) == 0 }

// Judge says how a run went that is over: whether it kept its guarantees, and with which results.
// What ranks have left behind must be there, see [State].
func (r *Run) Judge(rep *report.Report) *Outcome {
	x := &r.experiment
	return &Outcome{
		Line:       r.String(),
		Report:     rep,
		Guarantees: r.protocol.check(x, rep),
		Details:    tell(x.Measures.Details, rep),
		Latencies:  tell(x.Measures.Latencies, rep),
		Completion: tell(x.Measures.Completion, rep),
		Correction: correctionFrom(x.Measures.CorrectionStart, rep),
		Notes:      r.Notes(),
		Network:    r.config.Network,
		Unit:       r.Settings().Unit(),
		Reduction:  x.Reduction,
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
