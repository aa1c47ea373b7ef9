package linearizable_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/check/linearizable"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Messages of a register of which each rank has a copy.
const (
	update mailbox.Kind = iota // to a copy
	done                       // from it
	fetch
	fetched
)

var machine = clock.LogP{Ranks: 3, Latency: 2, Overhead: 1}

// copied is a register that rank 0 writes. It goes on when all others have the new value. The others read four times each: their own copy, or what rank 0 has.
func copied(h *history.History[request, int], own bool) protocols.Program {
	writer := func(p protocols.Proc) {
		value := int64(0)
		for next := range int64(2) {
			call := h.Invoke(p, request{"x", true, int(next + 1)})
			for rank := 1; rank < p.Size(); rank++ {
				p.Send(rank, mailbox.Message{Kind: update, A: next + 1})
			}
			for missing := p.Size() - 1; missing > 0; {
				from, m := p.Recv(mailbox.Any)
				if m.Kind == fetch {
					p.Send(from, mailbox.Message{Kind: fetched, A: value})
				} else {
					missing--
				}
			}
			value = next + 1
			call.Return(p, 0)
		}
		for {
			from, _ := p.Linger(mailbox.OfKind(fetch))
			p.Send(from, mailbox.Message{Kind: fetched, A: value})
		}
	}
	reader := func(p protocols.Proc) {
		value := 0
		for reads := 0; ; {
			from, m, ok := p.RecvUntil(mailbox.OfKind(update), p.Now()+3)
			switch {
			case ok:
				value = int(m.A)
				p.Send(from, mailbox.Message{Kind: done})
			case reads == 4:
				for {
					from, _ := p.Linger(mailbox.OfKind(update))
					p.Send(from, mailbox.Message{Kind: done})
				}
			default:
				call := h.Invoke(p, request{name: "x"})
				if !own {
					p.Send(0, mailbox.Message{Kind: fetch})
					_, m := p.Recv(mailbox.OfKind(fetched))
					value = int(m.A)
				}
				call.Return(p, value)
				reads++
			}
		}
	}
	return protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			writer(p)
		}
		reader(p)
	}}
}

func testOf(own bool) emutest.Test {
	return emutest.Test{
		Machine: machine,
		New: func() emutest.Instance {
			h := history.New[request, int](machine.Ranks)
			return emutest.Instance{
				Program:    copied(h, own),
				Prepare:    h.Reset,
				Guarantees: []guarantee.Guarantee{linearizable.Check(h, registers), history.SequentiallyConsistent(h, registers)},
			}
		},
		Faults: 1, Random: 300,
	}
}

// Who asks the writer sees what is linearizable, whoever fails and however late messages are.
func TestWhatOneRankAnswersIsLinearizable(t *testing.T) { emutest.Run(t, testOf(false)) }

// Copies that are read without asking are sequentially consistent, and no more: one rank sees the new value while another one, later, sees the old.
func TestWhatCopiesAnswerIsSequentiallyConsistentOnly(t *testing.T) {
	result, err := emutest.Check(t.Context(), testOf(true))
	require.NoError(t, err)
	for _, violation := range result.Violations {
		for _, v := range violation.Broken {
			require.Equal(t, "linearizable", v.Name, "%v: %v", violation.Schedule, v)
			require.Contains(t, v.Evidence, "fits nowhere beside")
		}
	}
	require.NotEmpty(t, result.Violations)
	t.Log(result.Violations[0].Schedule, result.Violations[0].Broken)
}
