package tcp

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Run runs the program on all ranks of this process, from the instant on that the coordinator has
// chosen and until it says that the run is over.
func (n *Node) Run(ctx context.Context, program protocols.Program) (*Report, error) {
	if n.boss == nil {
		return nil, errors.New("tcp: Run before Join")
	}
	defer context.AfterFunc(ctx, func() { n.finish(context.Cause(ctx)) })()
	n.active.Add(int64(len(n.ranks)))
	for i := range n.ranks {
		n.launch(n.ranks[i].Load(), n.boss.start.Counts, program)
	}
	n.armRejoins(program) // when all are set up: one may be due at once
	n.background(n.boss.obey)
	n.background(n.boss.inform)
	<-n.over
	n.timers.stop()
	for _, l := range n.links {
		l.release()
	}
	n.programs.Wait()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.failed != nil {
		return nil, n.failed
	}
	return n.report(program), nil
}

// launch lets a rank begin.
func (n *Node) launch(r *rank, counts Counts, program protocols.Program) {
	n.armFaults(r, counts)
	n.programs.Go(func() { n.run(r, program) })
}

// run runs the program of one rank.
func (n *Node) run(r *rank, program protocols.Program) {
	returned := false
	defer func() {
		if v := recover(); v != nil {
			n.boss.tell(control{Panic: &Panic{r.id, n.now(), fmt.Sprint(v), string(debug.Stack())}})
		} else if returned {
			r.finished(n.now())
		} else if !r.hasEnded() && !n.isOver() {
			n.boss.tell(control{Panic: &Panic{r.id, n.now(), "the program ended its goroutine with runtime.Goexit", ""}})
		}
		r.retire()
	}()
	if r.stillborn != nil {
		r.strike(r.stillborn)
	}
	r.sleepUntilStart()
	program.Main(r)
	returned = true
}

// finished notes that the program has returned.
func (r *rank) finished(t clock.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.status.outcome.failed() {
		r.status.outcome, r.status.exit = Finished, max(t, r.now)
		r.box.abandon()
	}
}

func (r *rank) hasEnded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status.outcome != Running
}

// report says how the run went.
func (n *Node) report(program protocols.Program) *Report {
	rep := &Report{}
	for i := range n.ranks {
		rep.Ranks = append(rep.Ranks, n.ranks[i].Load().report(program.KindName))
	}
	return rep
}

func (r *rank) report(name func(mailbox.Kind) string) RankReport {
	r.mu.Lock()
	defer r.mu.Unlock()
	first, last, w := r.box.received(&r.node.costs)
	s := &r.status
	rep := RankReport{
		Rank: r.id, Life: r.life, Outcome: s.outcome, Exit: s.exit, From: -1,
		Traffic: Traffic{s.sends, first, max(s.quiet, last), r.late.most()}, Counts: r.faults.soFar(),
	}
	if s.outcome != Running {
		return rep
	}
	rep.Call, rep.Want, rep.Since, rep.Exit = w.call, w.want.Describe(name), w.since, clock.Never
	if from, named := w.want.Sender(); named {
		rep.From = from
	}
	if w.call == lingering {
		rep.Outcome, rep.Exit = Finished, w.since
	}
	return rep
}
