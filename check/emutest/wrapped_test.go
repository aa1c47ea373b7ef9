package emutest_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// numbered is a rank that numbers what it sends, as a user may write one.
type numbered struct {
	protocols.Proc
	sent int64
}

func (n *numbered) Send(to int, m mailbox.Message) {
	n.sent++
	m.A = n.sent
	n.Proc.Send(to, m)
}

// Rank 1 is a server, to which the others say how often they have been started. They give up only if the detector says that it
// has failed, so without Life, Linger or Detector there is something to complain about.
func TestARankThatIsWrappedLosesNothing(t *testing.T) {
	var back atomic.Int64
	f := run(t, emutest.Test{
		Machine: machine(3), Detection: emu.Detection{Delay: 10, Hangs: true}, Faults: 2, Rejoins: []clock.Time{50},
		Guarantees: []guarantee.Guarantee{guarantee.NoDeadlock{}},
		New: func() emutest.Instance {
			lives := make([]uint32, 3)
			return emutest.Instance{
				Program: protocols.Program{Main: func(p protocols.Proc) { answered(&numbered{Proc: p}, lives) }},
				Prepare: func() { clear(lives) },
				Check: func(rep *report.Report) error {
					for _, r := range rep.Rejoined {
						back.Add(1)
						if r.Rank != 1 && lives[r.Rank] != 1 && !rep.Ranks[r.Rank].Outcome.Failed() {
							return fmt.Errorf("rank %d has not said that it is back", r.Rank)
						}
					}
					return nil
				},
			}
		},
	})
	require.False(t, f.failed(), f.all())
	require.Positive(t, back.Load())
}

// answered is the program of a server and those who ask it.
func answered(p protocols.Proc, lives []uint32) {
	for p.Rank() == 1 {
		from, m := p.Linger(mailbox.Any)
		if m.A != 1 {
			panic(fmt.Sprintf("request %d of rank %d", m.A, from))
		}
		p.Send(from, mailbox.Message{})
	}
	lives[p.Rank()] = uint32(p.Life())
	p.Detector().Watch(1)
	p.Send(1, mailbox.Message{})
	p.Recv(mailbox.From(1)) // the answer, or the notice
}
