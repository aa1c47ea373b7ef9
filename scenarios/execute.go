package scenarios

import (
	"context"
	"reflect"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Options say how to execute. They have no influence on what happens in a run.
type Options struct {
	// Trace says what to record. There is always a hash, since it is what shows that a
	// run was repeated; so TraceOff means the same as TraceHash. Guarantees that need events
	// are checked with TraceEvents only.
	Trace emu.TraceLevel
	// Workers is the number of goroutines that drive the ranks; 0: one for each processor.
	Workers int
	// Keep lets an executor's ranks rest between runs, which makes many runs of a large machine
	// faster. The executor must be closed then.
	Keep bool
}

// Outcome is how a run went.
type Outcome struct {
	Line       string // the line that was run
	Report     *report.Report
	Guarantees []Guarantee
	Figures    []Figure      // results of the protocol's own
	Latencies  []float64     // of the operations of a series, in ticks
	Completion Completion    // of a computation
	Correction *Correction   // nil if it has no beginning that all have in common
	Costs      []TeamCost    // if they were asked for, see Run.Costs
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
func (o *Outcome) Held() bool {
	for _, g := range o.Guarantees {
		if !g.Held {
			return false
		}
	}
	return true
}

// Execute runs the line on a machine of its own.
func (r *Run) Execute(ctx context.Context, opts Options) (*Outcome, error) {
	return NewExecutor(opts).Execute(ctx, r)
}

// Executor runs one line after the other. It keeps its machine as long as the lines ask
// for the same P, L, o, g, G and network, which saves most of the cost of a short run.
type Executor struct {
	opts    Options
	machine *emu.Machine
}

// NewExecutor returns an Executor that has no machine yet.
func NewExecutor(opts Options) *Executor {
	opts.Trace = max(opts.Trace, emu.TraceHash)
	return &Executor{opts: opts}
}

// Execute runs a line and checks the guarantees of its protocol. There is no outcome if
// there is an error.
func (e *Executor) Execute(ctx context.Context, r *Run) (*Outcome, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	schedule, err := r.Schedule()
	if err != nil {
		return nil, &line.InputError{Problems: []string{err.Error()}}
	}
	if err := e.prepare(&r.experiment); err != nil {
		return nil, &line.InputError{Problems: []string{err.Error()}}
	}
	r.Prepare()
	rep, err := e.machine.Run(ctx, r.experiment.Program, emu.Options{Faults: schedule, Seed: r.Settings().Seed()})
	if err != nil {
		return nil, err
	}
	return r.Judge(rep), nil
}

// Prepare forgets an earlier run. Execute does so by itself.
func (r *Run) Prepare() {
	if r.experiment.Prepare != nil {
		r.experiment.Prepare()
	}
}

// Judge says how a run went that is over: whether it kept its guarantees, and with which results.
// What ranks have left behind must be there, see [State].
func (r *Run) Judge(rep *report.Report) *Outcome {
	return &Outcome{
		Line:       r.String(),
		Report:     rep,
		Guarantees: r.experiment.check(rep),
		Figures:    r.experiment.figures(rep),
		Latencies:  r.experiment.latencies(rep),
		Completion: r.experiment.completion(rep),
		Correction: r.experiment.correction(rep),
		Notes:      r.experiment.Notes,
		Network:    r.experiment.Network,
		Unit:       r.Settings().Unit(),
		Reduction:  r.experiment.Reduction,
	}
}

// runsOn reports whether such a machine is that of the experiment.
func (x *Experiment) runsOn(c emu.Config) bool {
	network := x.Network
	if network == nil {
		network = clock.Uniform(x.Machine.Latency)
	}
	return c.LogP == x.Machine && c.Detection == x.Detection &&
		reflect.TypeOf(network).Comparable() && c.Network == network // others may be any
}

// prepare makes a machine for the experiment, unless the last one will do.
func (e *Executor) prepare(x *Experiment) error {
	if e.machine != nil && x.runsOn(e.machine.Config()) {
		return nil
	}
	if err := e.Close(); err != nil { // its memory may be needed
		return err
	}
	m, err := emu.New(emu.Config{LogP: x.Machine, Network: x.Network, Detection: x.Detection, Trace: e.opts.Trace, Workers: e.opts.Workers})
	if err != nil {
		return err
	}
	if e.opts.Keep {
		m.Keep()
	}
	e.machine = m
	return nil
}

// Close ends what rests between runs. The executor can be used again.
func (e *Executor) Close() error {
	m := e.machine
	e.machine = nil
	if m == nil {
		return nil
	}
	return m.Close()
}
