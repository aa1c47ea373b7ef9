package scale

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/benchmark"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Constants are in time of processors, as the machine may have more to do than this.

// inTwoParts runs a program on two parts with one worker each, and returns the processor time at the end of each window.
func inTwoParts(b *testing.B, ranks int, program protocols.Program) (at []time.Duration) {
	groups := make([]*timed, 2)
	errs := parts.Together(context.Background(), 2, func(part parts.Mail) error {
		group := &timed{Group: part}
		groups[part.Index()] = group
		machine, err := emu.New(emu.Config{LogP: benchmark.LogP(ranks), Workers: 1, Part: group})
		if err != nil {
			return err
		}
		_, err = machine.Run(context.Background(), program, emu.Options{})
		return err
	})
	require.NoError(b, errors.Join(errs...))
	return groups[0].at
}

// timed notes the processor time whenever all have come to the end of a window.
type timed struct {
	parts.Group
	at   []time.Duration
	more bool // mail of the same window is to come
}

// Exchange knows from the first byte of what each part gives that it has more, for another exchange.
func (g *timed) Exchange(out [][]byte) ([][]byte, error) {
	if _, err := g.Min(0); err != nil {
		return nil, err
	}
	if !g.more {
		g.at = append(g.at, benchmark.ProcessorTime())
	}
	in, err := g.Group.Exchange(out)
	g.more = slices.ContainsFunc(in, func(batch []byte) bool { return len(batch) > 0 && batch[0] == 1 })
	return in, err
}

// BenchmarkPhases measures Costs.Tree and Costs.Correction, in a process that has done nothing before.
func BenchmarkPhases(b *testing.B) {
	levels := 18
	if testing.Short() {
		levels = 12
	}
	ranks := 1 << levels
	benchmark.Fresh(b, func(b *testing.B) {
		var first, second time.Duration
		program := benchmark.CheckedBroadcast(b, ranks, tree.Binomial{Ranks: ranks})
		for b.Loop() {
			at := inTwoParts(b, ranks, program)
			require.Len(b, at, 1+windows(levels)+3, "the beginning, all windows, and three exchanges for the report")
			first += at[levels] - at[0]
			second += at[windows(levels)] - at[levels]
		}
		b.ReportMetric(float64(first.Nanoseconds())/float64(ranks*b.N), "tree-ns/rank")
		b.ReportMetric(float64(second.Nanoseconds())/float64(ranks*b.N), "correction-ns/rank")
	})
}

// BenchmarkLetter measures Costs.Letter: how much more a message costs that goes to another part, by turns with messages that do not.
func BenchmarkLetter(b *testing.B) {
	const ranks, each = 1 << 10, 200
	var near, far time.Duration
	for b.Loop() {
		near += processorTime(b, ranks, sendTo(each, func(rank int) bool { return rank%2 == 0 }, 1))
		far += processorTime(b, ranks, sendTo(each, func(rank int) bool { return rank < ranks/2 }, ranks/2))
	}
	b.ReportMetric(float64((far-near).Nanoseconds())/float64(ranks/2*each*b.N), "letter-ns")
	b.ReportMetric(float64(near.Nanoseconds())/float64(ranks/2*each*b.N), "message-ns")
}

func processorTime(b *testing.B, ranks int, program protocols.Program) time.Duration {
	at := inTwoParts(b, ranks, program)
	return at[len(at)-1] - at[0]
}

// sendTo has each sender send messages to the rank so far away, which receives them.
func sendTo(each int, sends func(rank int) bool, distance int) protocols.Program {
	return protocols.Program{Main: func(p protocols.Proc) {
		for range each {
			if sends(p.Rank()) {
				p.Send(p.Rank()+distance, mailbox.Message{})
			} else {
				p.Recv(mailbox.Any)
			}
		}
	}}
}
