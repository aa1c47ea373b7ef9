package scenarios

import (
	"context"
	"fmt"
	"reflect"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Options say how to execute. They have no influence on what happens in a run.
type Options struct {
	// Trace says what to record. There is always a hash, since it is what shows that a
	// run was repeated; so TraceOff means the same as TraceHash. Guarantees that need events
	// are checked with TraceEvents only, which lines have whose promises need them, unless [Protocol].EventsIfAsked.
	Trace emu.TraceLevel
	// Workers is the number of goroutines that drive the ranks; 0: one for each processor.
	Workers int
	// Keep lets an executor's ranks rest between runs, which makes many runs of a large machine
	// faster. The executor must be closed then.
	Keep bool
	// Part is what this process has in common with others that run the same lines together; nil: there are none. Part 0 has the
	// outcomes. The others have them as well, each with the results of its own ranks, unless somebody looks at events or at what single ranks have left:
	// then they have no more than what is the same for all, see [Outcome].
	Part parts.Group
}

// Execute runs the line on a machine of its own.
func (r *Run) Execute(ctx context.Context, opts Options) (*Outcome, error) {
	return NewExecutor(opts).Run(ctx, r)
}

// Executor runs one line after the other. It keeps its machine as long as the lines ask
// for the same machine and network, which saves most of the cost of a short run.
type Executor struct {
	opts    Options
	machine *emu.Machine
}

// NewExecutor returns an Executor that has no machine yet.
func NewExecutor(opts Options) *Executor {
	opts.Trace = max(opts.Trace, emu.TraceHash)
	return &Executor{opts: opts}
}

// Run runs a line and checks the guarantees of its protocol. There is no outcome if
// there is an error.
func (e *Executor) Run(ctx context.Context, r *Run) (*Outcome, error) {
	if ctx.Err() != nil && e.alone() {
		return nil, context.Cause(ctx)
	}
	schedule, err := r.Schedule()
	if err != nil {
		return nil, line.Refuse(err)
	}
	if err := e.prepare(r.config, r.trace(e.opts.Trace), r.apart()); err != nil {
		return nil, line.Refuse(err)
	}
	r.Prepare()
	rep, err := e.machine.Run(ctx, r.experiment.Program, emu.Options{Faults: schedule, Seed: r.Settings().Seed()})
	if err != nil {
		return nil, err
	}
	return e.judge(r, rep)
}

// alone reports whether nobody else runs the same lines. Others must be told that a run is not to be, which the machine does.
func (e *Executor) alone() bool { return e.opts.Part == nil || e.opts.Part.Count() == 1 }

// Prepare forgets an earlier run. Execute does so by itself.
func (r *Run) Prepare() { r.experiment.reset() }

// sameMachine reports whether a machine is as it is wanted.
func sameMachine(have, want emu.Config) bool {
	if want.Network == nil {
		want.Network = clock.Uniform(want.Latency)
	}
	return have.LogP == want.LogP && have.Disk == want.Disk && have.Detection == want.Detection && have.Unordered == want.Unordered &&
		same(have.Network, want.Network) && sameText(have.Jitter, want.Jitter) && sameText(have.Noise, want.Noise)
}

// same reports whether two networks are. Of some nobody can tell: they may be any.
func same(have, want clock.Network) bool {
	return reflect.TypeOf(want).Comparable() && have == want
}

// sameText reports whether two of what varies are, whose text says all of it; nil: nothing varies.
func sameText(have, want fmt.Stringer) bool {
	return fmt.Sprint(have) == fmt.Sprint(want)
}

// prepare makes such a machine, unless the last one will do.
func (e *Executor) prepare(c emu.Config, trace emu.TraceLevel, apart bool) error {
	apart = apart && e.opts.Part != nil && e.opts.Part.Count() > 1
	if e.machine != nil && sameMachine(e.machine.Config(), c) && e.machine.Config().Apart == apart && e.machine.Config().Trace == trace {
		return nil
	}
	if err := e.Close(); err != nil { // its memory may be needed
		return err
	}
	c.Trace, c.Workers, c.Part, c.Apart = trace, e.opts.Workers, e.opts.Part, apart
	m, err := emu.New(c)
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
