package broadcast_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Every rank returns the root's message, payload included, however it was reached.
func TestEveryRankReturnsTheRootsMessage(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 50, Latency: 3, Overhead: 2}
	proof := must(correction.NewFailureProof(logp, 2))
	for _, c := range []correction.Correction{correction.Checked{}, proof} {
		for _, overlapped := range []bool{false, true} {
			b := lab.make(logp, broadcast.Options{
				Tree: must(tree.WithRoot(tree.Binomial{Ranks: logp.Ranks}, 3)), Correction: c, Overlapped: overlapped, Epoch: 7,
			})
			got := make([]mailbox.Message, logp.Ranks)
			at := make([]clock.Time, logp.Ranks)
			program := b.Program(mailbox.Message{})
			program.Main = func(p protocols.Proc) {
				got[p.Rank()], at[p.Rank()] = b.Run(p, mailbox.Message{Kind: 9, A: int64(100 + p.Rank()), Payload: "hello"})
			}
			report := lab.run(logp, program, faults.MustParse("crash:1,crash:2,crash:9@t0"))
			for rank, m := range got {
				if rank == 1 || rank == 2 || rank == 9 {
					require.Zero(t, m, "rank %d is down", rank)
					continue
				}
				require.Equal(t, mailbox.Message{Kind: broadcast.Down, Epoch: 7, A: 103, Payload: "hello"}, m, "rank %d, %v", rank, c)
				require.Equal(t, report.Ranks[rank].Coloured, at[rank], "rank %d", rank)
			}
		}
	}
}

func TestNewRefusesWhatDoesNotFit(t *testing.T) {
	logp := clock.LogP{Ranks: 8, Latency: 2, Overhead: 1}
	_, err := broadcast.New(logp, checkedOn(tree.Binomial{Ranks: 9}))
	require.EqualError(t, err, "broadcast: the tree has 9 ranks, the machine 8")
	_, err = broadcast.New(logp, broadcast.Options{})
	require.EqualError(t, err, "broadcast: want a tree and a correction")
	proof := must(correction.NewFailureProof(logp, 1))
	_, err = broadcast.New(logp, broadcast.Options{Tree: tree.Binomial{Ranks: 8}, Correction: proof, Chain: true})
	require.ErrorContains(t, err, "failure-proof correction on a chain, want a ring")
	for want, o := range map[string]broadcast.Options{
		"broadcast: begins at t=-4, want 0 to 1152921504606846975":                                     {Correction: correction.Checked{}, Begin: -4},
		"correction: -3 messages in direction 0, want 0 or more in direction 0 to 2":                   {Correction: &correction.Opportunistic{Messages: -3}},
		"correction: 3 messages in direction 9, want 0 or more in direction 0 to 2":                    {Correction: &correction.Opportunistic{Messages: 3, Direction: 9}},
		"correction: delay = -5 and patience = 16 ticks, want 0 or more":                               {Correction: correction.NewDelayed(logp, -5)},
		"correction: tolerates f = 1 failures with a timeout of 0 ticks, want 0 or more and 1 or more": {Correction: &correction.FailureProof{Failures: 1}},
	} {
		o.Tree = tree.Binomial{Ranks: 8}
		_, err = broadcast.New(logp, o)
		require.EqualError(t, err, want)
	}
	_, err = broadcast.New(clock.LogP{Ranks: 8}, checkedOn(tree.Binomial{Ranks: 8}))
	require.ErrorContains(t, err, "broadcast: clock: latency L = 0 ticks, want 1")
	slow := clock.LogP{Ranks: clock.MaxRanks, Latency: clock.MaxCost, Overhead: clock.MaxCost}
	_, err = broadcast.New(slow, checkedOn(must(tree.NewKary(slow.Ranks, 1, tree.Interleaved))))
	require.ErrorContains(t, err, "the tree takes 1152921504606846976 ticks or more")
	_, err = broadcast.Acknowledge{}.On(correction.Ring{Size: 8})
	require.ErrorContains(t, err, "not round a ring")
	_, err = correction.NewFailureProof(logp, -1)
	require.EqualError(t, err, "correction: tolerates f = -1 failures, want 0 to 2147483646")
}

func TestKindsHaveNames(t *testing.T) {
	for kind, name := range map[mailbox.Kind]string{
		broadcast.Down: "tree", broadcast.Ack: "ack", correction.Leftward: "left",
		correction.Rightward: "right", correction.SOS: "sos", 9: "",
	} {
		require.Equal(t, name, broadcast.KindName(kind))
	}
}

// A broadcast leaves alone what others say meanwhile, and goes through whatever kind of
// message the root is given.
func TestCorrectionLeavesOtherMessagesAlone(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}
	b := lab.make(logp, checkedOn(tree.Binomial{Ranks: 4}))
	const other mailbox.Kind = 7
	report := lab.run(logp, protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Kind: other})
		}
		b.Run(p, mailbox.Message{Kind: correction.Leftward})
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Kind: other})
		}
		if p.Rank() == 1 {
			p.Recv(mailbox.OfKind(other))
			p.Recv(mailbox.OfKind(other))
		}
	}}, nil)
	require.Empty(t, report.Deadlocks)
	require.Empty(t, report.Unreached)
}

// Acknowledgements take twice as long as the way down: messages may have to wait for one another on the way up.
func TestHowLongAcknowledgementsTake(t *testing.T) {
	logp := clock.LogP{Ranks: 20, Latency: 3, Overhead: 2}
	shape := tree.Binomial{Ranks: logp.Ranks}
	plain := must(broadcast.New(logp, broadcast.Options{Tree: shape, Correction: correction.None{}}))
	acknowledged := must(broadcast.New(logp, broadcast.Options{Tree: shape, Correction: broadcast.Acknowledge{}}))
	require.Equal(t, 2*tree.Latency(shape, logp), acknowledged.Longest()-plain.Longest())
}
