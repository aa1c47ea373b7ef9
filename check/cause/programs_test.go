package cause_test

import (
	"context"
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// tried is a program with what it promises.
type tried struct {
	ranks     int
	program   protocols.Program
	promises  []guarantee.Guarantee
	check     func(*report.Report) guarantee.Verdict // optional
	detection emu.Detection
}

// explain plays a schedule and explains it.
func (x tried) explain(t require.TestingT, schedule string) *cause.Explanation {
	found, err := cause.Explain(context.Background(), x.asked(t, faults.MustParse(schedule)))
	require.NoError(t, err)
	return found
}

func (x tried) asked(t require.TestingT, s faults.Schedule) cause.Case {
	return cause.Case{Schedule: s, KindName: x.program.KindName, Play: x.player(t)}
}

func (x tried) player(t require.TestingT) func(context.Context, faults.Schedule, bool) (cause.Played, error) {
	return func(ctx context.Context, s faults.Schedule, events bool) (cause.Played, error) {
		cfg := emu.Config{
			LogP: clock.LogP{Ranks: x.ranks, Latency: 2, Overhead: 1}, Disk: clock.Disk{Write: 1, Sync: 5}, Workers: 1, Trace: emu.TraceHash, Detection: x.detection,
		}
		if events {
			cfg.Trace = emu.TraceDecisions
		}
		machine, err := emu.New(cfg)
		require.NoError(t, err)
		rep, err := machine.Run(ctx, x.program, emu.Options{Faults: s})
		if broken, program := search.Blame(err); program {
			return cause.Played{Verdicts: []guarantee.Verdict{broken}}, nil
		}
		if err != nil {
			return cause.Played{}, err
		}
		p := cause.Played{Report: rep, Verdicts: guarantee.Check(guarantee.Run{Report: rep}, x.promises...)}
		if x.check != nil {
			p.Verdicts = append(p.Verdicts, x.check(rep))
		}
		return p, nil
	}
}

// Kinds of messages of the programs below.
const (
	token mailbox.Kind = iota
	vote
	result
)

func named(k mailbox.Kind) string { return [...]string{"token", "vote", "result"}[k] }

// relay passes a token from each rank to the next.
func relay(ranks int) tried {
	return tried{
		ranks: ranks, promises: []guarantee.Guarantee{guarantee.NoDeadlock{}},
		program: protocols.Program{KindName: named, Main: func(p protocols.Proc) {
			if p.Rank() > 0 {
				p.Recv(mailbox.From(p.Rank() - 1))
			}
			if next := p.Rank() + 1; next < p.Size() {
				p.Send(next, mailbox.Message{Kind: token})
			}
		}},
	}
}

// poll has rank 0 count the votes that the others send it in time, and tell them the result.
func poll(ranks int) tried {
	counted := make([]int64, ranks)
	return tried{
		ranks: ranks,
		program: protocols.Program{KindName: named, Main: func(p protocols.Proc) {
			counted[p.Rank()] = 0
			if p.Rank() > 0 {
				p.Send(0, mailbox.Message{Kind: vote})
				if _, m, ok := p.RecvUntil(mailbox.OfKind(result), 40); ok {
					counted[p.Rank()] = m.A
				}
				return
			}
			n := int64(0)
			for deadline := p.Now() + 12; ; n++ {
				if _, _, ok := p.RecvUntil(mailbox.OfKind(vote), deadline); !ok {
					break
				}
			}
			counted[0] = n
			for other := 1; other < p.Size(); other++ {
				p.Send(other, mailbox.Message{Kind: result, A: n})
			}
		}},
		check: func(rep *report.Report) guarantee.Verdict {
			v := guarantee.Verdict{Name: "all votes are counted", Value: guarantee.Held}
			for rank := range rep.Live() {
				if counted[rank] != int64(ranks-1) {
					v.Value, v.Evidence = guarantee.Broken, fmt.Sprintf("rank %d has %d votes", rank, counted[rank])
				}
			}
			return v
		},
	}
}

// keeper has rank 0 number what it is asked for, and keep the last number in its storage, which it should make safe before it answers. The number is
// where events show it, or where they do not.
func keeper(shown bool) tried {
	var got []int64
	return tried{
		ranks: 2,
		program: protocols.Program{KindName: named, Main: func(p protocols.Proc) {
			if p.Rank() == 1 {
				got = nil
				for range 3 {
					p.Send(0, mailbox.Message{Kind: vote})
					if _, m, ok := p.RecvUntil(mailbox.Any, p.Now()+20); ok {
						got = append(got, m.A+int64(len(m.Payload)))
					}
				}
				return
			}
			disk := p.Storage()
			for {
				from, _ := p.Linger(mailbox.Any)
				last, _ := disk.Read("last")
				disk.Write("last", last+"i")
				if shown {
					p.Send(from, mailbox.Message{Kind: result, A: int64(len(last))})
				} else {
					p.Send(from, mailbox.Message{Kind: result, Payload: last})
				}
			}
		}},
		check: func(*report.Report) guarantee.Verdict {
			for i := 1; i < len(got); i++ {
				if got[i] <= got[i-1] {
					return guarantee.Verdict{Name: "numbers ascend", Evidence: fmt.Sprintf("rank 1 got %d", got)}
				}
			}
			return guarantee.Verdict{Name: "numbers ascend", Value: guarantee.Held}
		},
	}
}
