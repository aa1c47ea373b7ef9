package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// ErrTimeout says that a run was not over in time.
var ErrTimeout = errors.New("launch: the run is not over")

// limited is a context for what must not take longer.
func limited(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, timeout, errNotOver(timeout))
}

// errNotOver says after how long a run was not over.
func errNotOver(timeout time.Duration) error { return fmt.Errorf("%w after %s", ErrTimeout, timeout) }

// Launch runs a line on processes, and judges it.
func Launch(ctx context.Context, run *scenarios.Run, o Options) (*scenarios.Outcome, error) {
	l, err := newLauncher(run, o)
	if err != nil {
		return nil, err
	}
	defer l.close()
	result, err := l.run(ctx)
	if err != nil {
		return nil, err
	}
	return judge(l.line, l.job.Processes, result)
}

// launcher is one run on processes.
type launcher struct {
	options     Options
	line        *scenarios.Run
	job         tcp.Job
	spec        processSpec // what all processes have in common
	coordinator *tcp.Coordinator
	starters    []starter // one, or one for each host

	whole      context.Context // of all that is done
	fail       context.CancelCauseFunc
	starting   context.Context // until the run begins
	failStart  context.CancelCauseFunc
	background sync.WaitGroup
}

func newLauncher(run *scenarios.Run, o Options) (*launcher, error) {
	o.Processes = cmp.Or(o.Processes, run.Config().Ranks)
	if o.Stderr == nil {
		o.Stderr = io.Discard
	}
	o.Stderr = serialized(o.Stderr)
	if err := check(run, o); err != nil {
		return nil, err
	}
	schedule, err := run.Schedule()
	if err != nil {
		return nil, line.Refuse(err)
	}
	l := &launcher{options: o, line: run, job: jobOf(run, wire.NewJob(), schedule, o)}
	l.whole, l.fail = context.WithCancelCause(context.Background())
	l.starting, l.failStart = context.WithCancelCause(l.whole)
	l.coordinator, err = tcp.NewCoordinator(tcp.CoordinatorConfig{
		Job: l.job, Detection: detectionOf(run, o.Patience), Initiators: run.Experiment().Program.Initiators, Listen: o.Listen, Anywhere: o.Listen != "",
		Log: l.log, Fence: func(process int) { l.starter(process).kill(process) },
	})
	if err != nil {
		return nil, refuse(err)
	}
	if o.Record || run.RecordsEvents() {
		l.coordinator.Record()
	}
	l.spec = processSpec{
		Key: l.job.Key(), Coordinator: l.coordinator.Address(), Line: run.Spelled(), Faults: schedule.String(),
		Processes: o.Processes, Pace: o.Pace, Encrypt: o.Encrypt, Eager: o.Eager, Keeps: run.Protocol().Stores, Storage: o.Storage,
	}
	if err := l.openStarters(); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// log passes on what the coordinator says, as long as the run goes on: that processes are gone when they
// have been killed is nothing unusual.
func (l *launcher) log(line string) {
	if l.whole.Err() == nil {
		fmt.Fprintln(l.options.Stderr, line)
	}
}

// openStarters makes what starts processes.
func (l *launcher) openStarters() error {
	if len(l.options.Hosts) == 0 {
		command := l.options.Command
		if command == nil {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			command = []string{self, "worker"}
		}
		here := newLocal(command, l.options.Stderr, l.processEnded)
		l.starters = []starter{here}
		var err error
		here.folder, err = openEmpty(l.spec.Storage, l.spec.Keeps)
		l.spec.Storage = here.folder.path
		return err
	}
	for _, host := range l.options.Hosts {
		s, err := newRemote(host, l.options, l.processEnded, l.fail)
		if err != nil {
			return err
		}
		l.starters = append(l.starters, s)
	}
	return nil
}

// starter is the one of a process.
func (l *launcher) starter(process int) starter { return l.starters[process%len(l.starters)] }

// start starts a process.
func (l *launcher) start(process, life int) error {
	spec := l.spec
	spec.Process, spec.Life = process, life
	if len(l.options.Hosts) > 0 {
		spec.Listen = net.JoinHostPort(l.options.Hosts[process%len(l.options.Hosts)].Address, "0")
	}
	return l.starter(process).start(spec)
}

// processEnded hears how a process ended. One that has not joined keeps the run from beginning; of others the
// coordinator hears, too, and knows what to make of it.
func (l *launcher) processEnded(e ending) {
	l.coordinator.GiveUp(e.Process, e.Life)
	err := fmt.Errorf("launch: process %d ended before the run began", e.Process)
	if e.Problem != "" {
		err = fmt.Errorf("%w: %s", err, e.Problem)
	}
	l.failStart(err)
}

// run starts all processes and waits for their reports.
func (l *launcher) run(ctx context.Context) (*tcp.Result, error) {
	defer context.AfterFunc(ctx, func() { l.fail(context.Cause(ctx)) })()
	for process := range l.job.Processes {
		if l.downFromStart(process) {
			l.coordinator.Absent(process)
		} else if err := l.start(process, 0); err != nil {
			return nil, cmp.Or(context.Cause(l.whole), err)
		}
	}
	release := l.coordinator.Hold() // until it is known who comes back
	if err := l.begin(); err != nil {
		return nil, err
	}
	timed, cancel := limited(l.whole, cmp.Or(l.options.Timeout, usualTimeout))
	defer cancel()
	l.restartFailed(timed)
	release()
	return result(timed, l.coordinator)
}

// result waits for that of a run. If time is up, the error says how far everybody is.
func result(ctx context.Context, c *tcp.Coordinator) (*tcp.Result, error) {
	res, err := c.Wait(ctx)
	if errors.Is(err, ErrTimeout) {
		err = fmt.Errorf("%w%s", err, c.Describe())
	}
	return res, err
}

// begin waits until all processes have joined.
func (l *launcher) begin() error {
	ctx, cancel := limited(l.starting, joinTimeout)
	defer cancel()
	return reason(l.starting, l.coordinator.Start(ctx, delayOf(l.job.Processes)))
}

// downFromStart says whether a process need not be started, because its only rank is down before the
// run.
func (l *launcher) downFromStart(process int) bool {
	if !signals(l.job) {
		return false
	}
	t := faults.NewTracker(l.job.Faults, process)
	return t != nil && t.DeadAt() == 0
}

// close ends all processes and leaves nothing of them.
func (l *launcher) close() {
	l.fail(errClosed)
	l.background.Wait() // nobody starts processes any more
	for _, s := range l.starters {
		s.close()
	}
	l.coordinator.Close()
}
