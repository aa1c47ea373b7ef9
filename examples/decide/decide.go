// Package decide lets ranks agree on whether to commit.
package decide

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

const Commit, Abort = "commit", "abort" // what a rank can decide

const (
	ready    mailbox.Kind = iota // to rank 0: I can commit
	decision                     // from rank 0: this is what we do
)

const round = 20 // ticks: ample time to send to all others and be heard

// Round has all ranks decide: to commit if all are ready, else to abort. Each leaves its
// decision in its element of the slice.
func Round(decisions []string) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				decisions[0] = coordinate(p)
			} else {
				decisions[p.Rank()] = follow(p)
			}
		},
		KindName: func(k mailbox.Kind) string { return [...]string{"ready", "decision"}[k] },
	}
}

// coordinate waits for all others to be ready, but not longer than a round.
func coordinate(p protocols.Proc) string {
	outcome := Commit
	for range p.Size() - 1 {
		if _, _, ok := p.RecvUntil(mailbox.OfKind(ready), round); !ok {
			outcome = Abort
		}
	}
	tellOthers(p, outcome)
	return outcome
}

// follow says that it is ready and does what it is told. No news is bad news.
func follow(p protocols.Proc) string {
	p.Send(0, mailbox.Message{Kind: ready})
	_, m, ok := p.RecvUntil(mailbox.OfKind(decision), 3*round)
	if !ok {
		return Abort
	}
	tellOthers(p, m.Payload)
	return m.Payload
}

func tellOthers(p protocols.Proc, outcome string) {
	for rank := range p.Size() {
		if rank != p.Rank() {
			p.Send(rank, mailbox.Message{Kind: decision, Payload: outcome})
		}
	}
}
