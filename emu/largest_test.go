package emu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// crowd is a group of many parts, of which the first and the last two are there. The last but one, whose ranks have nothing to do, stands for all others.
type crowd struct {
	parts.Group // of those three
	count       int
}

const there = 3

func (c crowd) Count() int { return c.count }

func (c crowd) Index() int {
	if c.Group.Index() == 0 {
		return 0
	}
	return c.count - there + c.Group.Index()
}

func (c crowd) Exchange(out [][]byte) ([][]byte, error) {
	in, err := c.Group.Exchange([][]byte{out[0], out[c.count-2], out[c.count-1]})
	if err != nil {
		return nil, err
	}
	all := make([][]byte, c.count)
	for i := range all {
		all[i] = in[1]
	}
	all[0], all[c.count-1] = in[0], in[2]
	return all, nil
}

// The last rank and the first one, and neighbours of both, talk to each other on the largest machine: numbers of ranks do not overflow.
func TestTheLastRankOfTheLargestMachineIsARankLikeOthers(t *testing.T) {
	const (
		last  = clock.MaxRanks - 1
		count = 1 << 15
		word  = mailbox.Kind(3)
	)
	program := protocols.Program{
		Initiators: []int{last},
		Main: func(p protocols.Proc) {
			switch p.Rank() {
			case last:
				for _, to := range []int{last - 1, last - 2, 0} {
					p.Send(to, mailbox.Message{Kind: word, A: int64(to)})
				}
				for _, from := range []int{0, last - 2} { // the rank between has crashed
					_, m := p.Recv(mailbox.From(from).OfKind(word))
					if m.A != int64(from)+1 {
						panic(m.A)
					}
				}
			default:
				from, m := p.Recv(mailbox.Any)
				if from != last || m.A != int64(p.Rank()) {
					panic(from)
				}
				p.Send(from, mailbox.Message{Kind: word, A: m.A + 1})
			}
		},
	}
	cfg := emu.Config{LogP: clock.LogP{Ranks: clock.MaxRanks, Latency: 2, Overhead: 1}, Workers: 1, Trace: emu.TraceHash, Apart: true}
	opts := emu.Options{Faults: faults.MustParse("crash:2147483645@t1,slow:2147483646x2")}
	reports := make([]*report.Report, there)
	errs := parts.Together(t.Context(), there, func(part parts.Mail) error {
		cfg := cfg
		cfg.Part = crowd{part, count}
		m, err := emu.New(cfg)
		if err == nil {
			reports[part.Index()], err = m.Run(t.Context(), program, opts)
		}
		return err
	})
	for i, rep := range reports {
		require.NoError(t, errs[i])
		require.EqualValues(t, 5, rep.Messages)
		require.Equal(t, []report.Failure{{Rank: last - 1, Outcome: report.Crashed, Time: 1}}, rep.Failed)
		require.Equal(t, reports[0].Hash, rep.Hash)
	}
	end := reports[2].Ranks
	require.Equal(t, last, reports[2].Share.First+len(end)-1)
	require.Equal(t, report.Finished, end[len(end)-1].Outcome)
	require.Equal(t, report.Crashed, end[len(end)-2].Outcome)
	require.EqualValues(t, 2*2+2+1, end[len(end)-3].Coloured, "the second message of a slow rank")
	require.Equal(t, report.Finished, reports[0].Ranks[0].Outcome)
}
