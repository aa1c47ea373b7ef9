package launch

import (
	"cmp"
	"context"
	"errors"
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
	Storage   string        // as in Options, but others may be at work in the same folder
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
	folder, err := openFolder(o.Storage, run.Protocol().Stores)
	if err != nil {
		return nil, err
	}
	defer folder.close()
	cfg := tcp.Config{
		Storage: folder.path,
		Job:     jobOf(run, o.Job, schedule, Options{Processes: len(o.Addresses), Pace: o.Pace, Encrypt: o.Encrypt}),
		Process: o.Process, Listen: o.Addresses[o.Process], Anywhere: true, Hosts: o.Process == 0, Log: o.Log,
	}
	cfg.Signals = signals(cfg.Job)
	node, err := tcp.Listen(cfg)
	if err != nil {
		return nil, refuse(err)
	}
	defer node.Close()
	work := func(ctx context.Context) error {
		if err := node.JoinList(ctx, o.Addresses); err != nil {
			return err
		}
		return workOn(ctx, node, run)
	}
	timeout := cmp.Or(o.Timeout, usualTimeout)
	if o.Process == 0 {
		return hosting{len(o.Addresses), o.Patience, o.Record, timeout}.run(ctx, node, run, work)
	}
	ctx, cancel := outlasting(ctx, timeout)
	defer cancel()
	return nil, reason(ctx, work(ctx))
}

// outlasting is for all processes but the first one, which knows best when time is up.
func outlasting(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, timeout+lastQuestion, errNotOver(timeout))
}

// lastQuestion is how much longer all others stay than process 0, which asks them how they are when time is up.
const lastQuestion = 3 * time.Second

// refuse is about what is wrong with an input, unless it is an address at which nobody can listen: then the line is right.
func refuse(err error) error {
	if taken := (*tcp.AddressError)(nil); errors.As(err, &taken) {
		return err
	}
	return line.Refuse(err)
}

// reason is why something has failed: if time was up, that is, though it may have shown elsewhere first, such as in a
// connection that the other side of this very process has given up.
func reason(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if err == nil || cause == nil || errors.Is(cause, ErrTimeout) && errors.Is(err, cause) { // it says more then
		return err
	}
	return cause
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
	return check(run, Options{Processes: len(o.Addresses), Storage: o.Storage})
}

// hosting is what process 0 does in addition: it is the host of the coordinator. Time is up for that before it is for its ranks.
type hosting struct {
	processes int
	patience  time.Duration
	record    bool
	timeout   time.Duration
}

func (h hosting) run(ctx context.Context, node *tcp.Node, run *scenarios.Run, work func(context.Context) error) (*scenarios.Outcome, error) {
	c, err := node.Host(detectionOf(run, h.patience), run.Experiment().Program.Initiators)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if h.record || run.RecordsEvents() {
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
	timed, stop := limited(ctx, h.timeout)
	defer stop()
	if err = c.Start(timed, delayOf(h.processes)); err != nil {
		return nil, reason(timed, err)
	}
	res, err := result(timed, c)
	if err != nil {
		return nil, reason(timed, err)
	}
	return judge(run, h.processes, res)
}
