package commit

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Messages of three-phase commit. All but ask are states of a rank: a coordinator sends the state that others are to take on, and they answer with theirs.
const (
	ask       mailbox.Kind = iota
	ready                  // I can commit
	aborted                // final
	prepared               // I know that all can commit, and will unless I am told otherwise
	committed              // final
	states
)

// round is how long a rank coordinates: it asks, prepares, and tells what is decided.
const round = 3 * phase

// ThreePhase is three-phase commit with its termination protocol (Skeen, "Nonblocking Commit Protocols", 1981). Ranks take turns as coordinators, each for a round, until there
// is a decision. Whoever hears of it passes it on, so that nobody depends on a coordinator who fails while telling it. Arguments are those of TwoPhase.
func ThreePhase(can []bool, decided []Outcome) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			r := rank{p, ready, &decided[p.Rank()]}
			if !can[p.Rank()] {
				r.take(aborted)
			}
			for coordinator := range p.Rank() {
				r.follow(clock.Time(coordinator+1) * round)
			}
			if *r.decided == Undecided {
				r.lead()
			}
			tellOthers(p, r.state)
		},
		KindName: func(k mailbox.Kind) string {
			return [...]string{"ask", "ready", "aborted", "prepared", "committed"}[k]
		},
	}
}

// rank is one of those that agree.
type rank struct {
	protocols.Proc
	state   mailbox.Kind
	decided *Outcome
}

// take has the rank take on a state. If it is final, there is no way back.
func (r *rank) take(state mailbox.Kind) {
	r.state = state
	switch state {
	case aborted:
		*r.decided = Aborted
	case committed:
		*r.decided = Committed
	}
}

// follow does what a coordinator says until its round is over, or there is a decision.
func (r *rank) follow(end clock.Time) {
	for *r.decided == Undecided {
		from, m, ok := r.RecvUntil(mailbox.Any, end)
		if !ok {
			return
		}
		if m.Kind != ask {
			r.take(m.Kind)
		}
		if *r.decided == Undecided {
			r.Send(from, mailbox.Message{Kind: r.state})
		}
	}
}

// lead decides. Nobody commits before all who live are prepared to. So who takes over is prepared itself if anybody may have committed, and if nobody it
// hears of is prepared, nobody has.
func (r *rank) lead() {
	known := r.tell(ask)
	switch {
	case known[prepared] > 0 && inAHurry:
		r.take(committed)
	case known[prepared] > 0 || known[ready] == r.Size():
		r.take(prepared)
		r.tell(prepared)
		r.take(committed)
	default:
		r.take(aborted)
	}
}

// tell sends a message to all others and counts the states of those who answer within a phase, and its own.
func (r *rank) tell(kind mailbox.Kind) (known [states]int) {
	known[r.state]++
	end := r.Now() + phase
	tellOthers(r, kind)
	for range r.Size() - 1 {
		_, m, ok := r.RecvUntil(mailbox.OfKinds(ready, committed), end)
		if !ok {
			break
		}
		known[m.Kind]++
	}
	return known
}
