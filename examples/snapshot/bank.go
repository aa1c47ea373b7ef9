package snapshot

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

const (
	deposit   = 100 // what each rank has at first
	transfers = 3   // that each rank makes
	pause     = 30  // ticks, that it rests before one at most
)

// Bank has every rank send amounts to others at random. After its first transfer, rank 0 takes a snapshot. Each rank leaves its part of it in its element of parts.
func Bank(parts []Recorded) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			b := branch{recorder{Proc: p, part: &parts[p.Rank()]}, deposit}
			for n := range transfers {
				if p.Rank() == 0 && n == 1 {
					b.begin(b.balance)
				}
				b.serve(p.Now() + clock.Time(p.Rand().IntN(pause)))
				b.transfer()
			}
			for {
				b.take(b.Linger(mailbox.Any))
			}
		},
		KindName: func(k mailbox.Kind) string { return [...]string{"money", "marker"}[k] },
	}
}

// branch is a rank that has money.
type branch struct {
	recorder
	balance int64
}

// transfer sends some of the balance to somebody else.
func (b *branch) transfer() {
	amount := 1 + b.Rand().Int64N(b.balance/2)
	to := (b.Rank() + 1 + b.Rand().IntN(b.Size()-1)) % b.Size()
	b.balance -= amount
	b.Send(to, mailbox.Message{Kind: money, A: amount})
}

// serve takes what comes until some instant.
func (b *branch) serve(until clock.Time) {
	for {
		from, m, ok := b.RecvUntil(mailbox.Any, until)
		if !ok {
			return
		}
		b.take(from, m)
	}
}

func (b *branch) take(from int, m mailbox.Message) {
	if m.Kind == marker {
		b.marked(from, b.balance)
		return
	}
	b.received(from, m.A)
	b.balance += m.A
}
