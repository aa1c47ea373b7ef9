package commit

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Messages of two-phase commit.
const (
	prepare mailbox.Kind = iota // from the coordinator: can you commit?
	yes                         // to the coordinator: I can, and will do as you decide
	no                          // to the coordinator: I have aborted
	abort                       // from the coordinator: this is decided
	commit
)

// TwoPhase is two-phase commit, with rank 0 as the coordinator: it asks all others whether they can commit, decides, and tells them. can says for
// each rank whether it can; what it has decided it leaves in its element of decided.
func TwoPhase(can []bool, decided []Outcome) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				coordinate(p, can[0], &decided[0])
			} else {
				decided[p.Rank()] = participate(p, can[p.Rank()])
			}
		},
		KindName: func(k mailbox.Kind) string { return [...]string{"prepare", "yes", "no", "abort", "commit"}[k] },
	}
}

// coordinate decides before it tells anybody, to commit only if it has heard that everybody can. Whoever is not heard in time may be dead.
func coordinate(p protocols.Proc, can bool, decided *Outcome) {
	tellOthers(p, prepare)
	decision, deadline := commit, p.Now()+phase
	for range p.Size() - 1 {
		_, vote, heard := p.RecvUntil(mailbox.OfKinds(yes, no), deadline)
		if !can || !heard || vote.Kind == no {
			decision = abort
			break
		}
	}
	*decided = outcome(decision)
	tellOthers(p, decision)
}

// participate votes. Before that a rank may abort without asking anybody, as nothing is committed without its vote. Afterwards it may not: it is told.
func participate(p protocols.Proc, can bool) Outcome {
	if _, _, asked := p.RecvUntil(mailbox.OfKind(prepare), phase); !asked || !can {
		p.Send(0, mailbox.Message{Kind: no})
		return Aborted
	}
	p.Send(0, mailbox.Message{Kind: yes})
	return outcome(told(p))
}

func outcome(decision mailbox.Kind) Outcome {
	if decision == commit {
		return Committed
	}
	return Aborted
}
