package election

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Messages of the ring.
const (
	candidacy mailbox.Kind = iota // A is who stands
	elected                       // A is who leads
)

// Ring is the algorithm of Chang and Roberts ("An Improved Algorithm for Decentralized Extrema-Finding in Circular Configurations of Processes", 1979).
// Ranks know their own number and who is next on the ring. Each says to the next one that it stands, and passes on only who is above itself, so that
// none but the highest gets around. It leaves the number of the leader in its element of leaders. No two numbers are the same.
func Ring(numbers, leaders []int) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			own, next := int64(numbers[p.Rank()]), (p.Rank()+1)%p.Size()
			p.Send(next, mailbox.Message{Kind: candidacy, A: own})
			for leaders[p.Rank()] == Nobody {
				_, m := p.Recv(mailbox.Any)
				switch {
				case m.Kind == elected:
					leaders[p.Rank()] = int(m.A)
					if m.A != own {
						p.Send(next, m)
					}
				case m.A == own:
					p.Send(next, mailbox.Message{Kind: elected, A: own})
				case m.A > own:
					p.Send(next, m)
				}
			}
		},
		KindName: func(k mailbox.Kind) string { return [...]string{"candidacy", "elected"}[k] },
	}
}
