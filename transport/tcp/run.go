package tcp

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Run runs the program on all ranks of this process, from the instant on that the coordinator has
// chosen and until it says that the run is over, and reports to it. What the program has left on a
// rank goes with that, if save is not nil.
func (n *Node) Run(ctx context.Context, program protocols.Program, save func(rank int) ([]byte, error)) error {
	if n.coordinator == nil {
		return errors.New("tcp: Run before Join")
	}
	n.program = program
	if err := n.runRanks(ctx); err != nil {
		return err
	}
	var reports []rankReport
	for i := range n.ranks {
		r := n.ranks[i].Load()
		own := r.finalReport(program.KindName)
		if save != nil {
			var err error
			if own.State, err = save(r.id); err != nil {
				return err
			}
		}
		reports = append(reports, own)
	}
	return n.coordinator.deliver(ctx, reports)
}

// runRanks runs the program until the run is over.
func (n *Node) runRanks(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { n.finish(context.Cause(ctx)) })()
	n.watch.allowed = n.mayWatch(n.coordinator.start.Peers)
	n.active.Add(int64(len(n.ranks)))
	for i := range n.ranks {
		r := n.ranks[i].Load()
		r.status.order = n.coordinator.start.Order
		n.launch(r, n.cfg.follow(r.id, n.coordinator.start.History), nil)
	}
	if n.held != nil {
		n.programs.Go(n.held.run)
	}
	n.armRejoins() // when all are set up: one may be due at once
	n.background(n.coordinator.listen)
	n.background(n.coordinator.inform)
	<-n.over
	for _, l := range n.others {
		l.stopWaiting()
	}
	n.programs.Wait()
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.failed
}

// launch lets a rank begin, as soon as the program of its former life, if there was one, does nothing any more. That may take a while after it has failed, since only calls
// of its Proc end it, and what a program knows of a rank both lives have.
func (n *Node) launch(r *rank, tracker *faults.Tracker, former *rank) {
	n.armFaults(r, tracker)
	n.programs.Go(func() {
		if former != nil {
			<-former.quiet
		}
		n.run(r)
	})
}

// run runs the program of one rank.
func (n *Node) run(r *rank) {
	returned := false
	defer func() {
		if v := recover(); v != nil {
			n.coordinator.tell(control{Panic: &Panic{r.id, n.now(), fmt.Sprint(v), string(debug.Stack())}})
		} else if returned {
			r.finished(n.now())
		} else if !r.hasEnded() && !n.isOver() {
			n.coordinator.tell(control{Panic: &Panic{r.id, n.now(), "the program ended its goroutine with runtime.Goexit", ""}})
		}
		r.retire()
		r.rest()
	}()
	r.failAtStart()
	r.sleepUntilStart()
	n.program.Main(r)
	returned = true
}

// finished notes that the program has returned.
func (r *rank) finished(t clock.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.status.outcome.Failed() {
		r.status.outcome, r.status.exit = report.Finished, max(t, r.now)
		r.recording.note(report.EventExit, r.status.exit)
		r.box.abandon()
	}
}

func (r *rank) hasEnded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status.outcome != report.Deadlocked
}
