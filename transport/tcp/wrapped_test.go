package tcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// tallying is a rank that counts its sends, as a user may write one.
type tallying struct {
	protocols.Proc
	sends *int
}

func (c tallying) Send(to int, m mailbox.Message) {
	*c.sends++
	c.Proc.Send(to, m)
}

// Rank 1 is a server. Rank 0 tells it who has failed, and rank 2, which has, that it is back. All of them are wrapped.
func TestARankThatIsWrappedLosesNothing(t *testing.T) {
	t.Parallel()
	job := someJob(3, 3)
	job.Faults = schedule(t, "crash:2@t20,rejoin:2@t90")
	var sends [3]int
	told := make(map[int]int64)
	res := run(t, job, tcp.Detection{Offered: true}, func(p protocols.Proc) {
		p = tallying{p, &sends[p.Rank()]}
		switch {
		case p.Rank() == 1:
			for {
				from, m := p.Linger(mailbox.Any)
				told[from] = m.A
				p.Send(from, mailbox.Message{})
			}
		case p.Rank() == 0:
			p.Detector().WatchNext(0)
			failed, _ := p.Recv(mailbox.OfKind(protocols.Failed))
			p.Send(1, mailbox.Message{A: int64(failed)})
		case p.Life() == 0:
			p.WaitUntil(clock.Never)
		default:
			p.Send(1, mailbox.Message{A: int64(p.Life())})
		}
		p.Recv(mailbox.From(1))
	})
	requireFinished(t, res, res.Ranks)
	require.Equal(t, map[int]int64{0: 2, 2: 1}, told)
	require.Equal(t, [3]int{1, 2, 1}, sends)
}
