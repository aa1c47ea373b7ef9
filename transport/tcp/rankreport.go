package tcp

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// What processes tell the coordinator about their ranks.

// rankReport is how one life of a rank went.
type rankReport struct {
	Rank int
	report.RankResult
	Sends      int64
	Quiescence clock.Time // when it last sent or received
	Late       clock.Time // how far it was behind the model, at most
	History    faults.History

	// Order is that of its links, for its next life.
	Order linkOrder `json:",omitempty"`
	// Losses are messages that it has sent in vain.
	Losses report.Losses `json:",omitempty"`
	// Wait is what it still waited in when the run was over.
	Wait *report.Wait `json:",omitempty"`
	// State is what the program has left, as far as the caller of Run says.
	State []byte `json:",omitempty"`
}

// Panic is a program that panicked.
type Panic struct {
	Rank  int
	Time  clock.Time
	Value string
	Stack string
}

func (p *Panic) Error() string {
	return fmt.Sprintf("tcp: rank %d panicked at t=%d: %s\n%s", p.Rank, p.Time, p.Value, p.Stack)
}

// report says how the rank is. The caller holds the lock of the rank.
func (r *rank) report() rankReport {
	s := &r.status
	first, last := r.box.span()
	return rankReport{
		Rank:       r.id,
		RankResult: report.RankResult{Outcome: s.outcome, Coloured: first, Exit: s.exit},
		Sends:      s.sends, Quiescence: max(s.lastSend, last), Late: r.late.most(), History: r.faults.history(), Losses: s.lost, Order: s.order,
	}
}

// finalReport says how the rank has ended, now that the run is over.
func (r *rank) finalReport(name func(mailbox.Kind) string) rankReport {
	r.mu.Lock()
	defer r.mu.Unlock()
	costs := r.node.costs
	if r.node.cfg.Pace != Model {
		costs = clock.Costs{}
	}
	w := r.box.receiveAll(&costs)
	rep := r.report()
	switch {
	case rep.Outcome != report.Deadlocked:
	case w.call == lingering:
		rep.Outcome, rep.Exit = report.Finished, w.since
	default:
		wait := report.WaitIn(w.call, r.id, w.want, name, w.since)
		rep.Wait = &wait
	}
	return rep
}

// check says what is wrong with the report of a rank that has not failed, as far as is known.
func (r *rankReport) check() error {
	w, waits := r.Wait, r.Outcome == report.Deadlocked
	switch {
	case r.Outcome.Failed():
		return fmt.Errorf("report about rank %d, which has %s without having said so", r.Rank, r.Outcome)
	case waits && w == nil:
		return fmt.Errorf("report about rank %d, which has %s and waits in nothing", r.Rank, r.Outcome)
	case w != nil && (!waits || w.Rank != r.Rank || w.From < report.Anyone):
		return fmt.Errorf("report about rank %d, which has %s and waits in %+v", r.Rank, r.Outcome, *w)
	}
	return nil
}
