package launch

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// JoinOptions describe one process of a job that has no launcher: somebody else starts its
// processes, each with the same line and the same list of addresses.
type JoinOptions struct {
	Job       wire.Job
	Process   int
	Addresses []string // of all processes
	Pace      tcp.Pace
	Encrypt   bool
	Patience  time.Duration // as in Options
	Timeout   time.Duration // as in Options, and for all processes to come
	Record    bool          // as in Options; process 0 decides for all
	Log       func(line string)
}

// Join takes part in a job. In process 0 it returns how the run went, in others nil. Ranks do not
// come back, since nobody starts their processes again.
func Join(ctx context.Context, run *scenarios.Run, o JoinOptions) (*scenarios.Outcome, error) {
	schedule, err := run.Schedule()
	if err != nil {
		return nil, line.Refuse(err)
	}
	if err := o.check(run, schedule); err != nil {
		return nil, err
	}
	cfg := tcp.Config{
		Job:     jobOf(run, o.Job, schedule, Options{Processes: len(o.Addresses), Pace: o.Pace, Encrypt: o.Encrypt}),
		Process: o.Process, Listen: o.Addresses[o.Process], Anywhere: true, Hosts: o.Process == 0, Log: o.Log,
	}
	cfg.Signals = signals(cfg.Job)
	ctx, cancel := limited(ctx, cmp.Or(o.Timeout, usualTimeout))
	defer cancel()
	node, err := tcp.Listen(cfg)
	if err != nil {
		return nil, line.Refuse(err)
	}
	defer node.Close()
	work := func(ctx context.Context) error {
		if err := node.JoinList(ctx, o.Addresses); err != nil {
			return err
		}
		return workOn(ctx, node, run)
	}
	if o.Process != 0 {
		return nil, reason(ctx, work(ctx))
	}
	outcome, err := hosting{len(o.Addresses), o.Patience, o.Record}.run(ctx, node, run, work)
	return outcome, reason(ctx, err)
}

// reason is why something has failed: if time was up, that is, though it may have shown elsewhere first, such as in a
// connection that the other side of this very process has given up.
func reason(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// check says what is wrong with a process that is to join.
func (o *JoinOptions) check(run *scenarios.Run, schedule faults.Schedule) error {
	if o.Process < 0 || o.Process >= len(o.Addresses) {
		return line.Refuse(fmt.Errorf("process %d, want 0 to %d: one for each address", o.Process, len(o.Addresses)-1))
	}
	for _, f := range schedule {
		if len(o.Addresses) != run.Config().Ranks {
			break // ranks fail without their processes
		}
		if f.Kind == faults.Rejoin || f.Kind == faults.Hang {
			return refuseUnwatched(f)
		}
	}
	return check(run, Options{Processes: len(o.Addresses)})
}

// hosting is what process 0 does in addition: it is the host of the coordinator.
type hosting struct {
	processes int
	patience  time.Duration
	record    bool
}

func (h hosting) run(ctx context.Context, node *tcp.Node, run *scenarios.Run, work func(context.Context) error) (*scenarios.Outcome, error) {
	c, err := node.Host(detectionOf(run, h.patience), run.Experiment().Program.Initiators)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if h.record {
		c.Record()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		if err := work(ctx); err != nil {
			cancel(err) // the coordinator waits for nothing then
		}
	}()
	defer func() { // before the node is closed
		cancel(nil)
		<-worked
	}()
	if err = c.Start(ctx, delayOf(h.processes)); err != nil {
		return nil, err
	}
	res, err := c.Wait(ctx)
	if err != nil {
		return nil, err
	}
	return judge(run, h.processes, res)
}
