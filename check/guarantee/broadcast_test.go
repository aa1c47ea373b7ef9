package guarantee_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

func machine(ranks int) clock.LogP { return clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1} }

// checked is the broadcast with synchronized checked correction.
func checked(ranks int) protocols.Program {
	b := must(broadcast.New(machine(ranks), broadcast.Options{Tree: tree.Binomial{Ranks: ranks}, Correction: correction.Checked{}}))
	return b.Program(mailbox.Message{A: 42})
}

// everything is what so many broadcasts in a row promise, over by some instant.
func everything(broadcasts int, by clock.Time) []guarantee.Guarantee {
	return []guarantee.Guarantee{
		guarantee.Integrity{},
		guarantee.OnlyColouredRanksSend{},
		guarantee.NoDuplicates{Step: broadcast.StepColoured, Operations: broadcasts, ByEpoch: true},
		guarantee.NonfaultyLiveness(guarantee.Strong),
		guarantee.NonfaultyLiveness(guarantee.Weak),
		guarantee.FaultyLiveness(guarantee.Strong),
		guarantee.ReachesEveryLiveRank{},
		guarantee.Termination{By: by},
		guarantee.NoDeadlock{},
	}
}

// someDown draws ranks other than the root that are down before the run.
func someDown(random *rand.Rand, ranks, root int) faults.Schedule {
	var down faults.Schedule
	for _, rank := range random.Perm(ranks)[:random.IntN(ranks)] {
		if rank != root {
			down = append(down, faults.Fault{Kind: faults.Crash, Rank: rank})
		}
	}
	return down
}

// Checked correction keeps all guarantees whoever is down before the run, one broadcast or
// several in a row, synchronized or overlapped.
func TestCheckedBroadcastsKeepAllGuarantees(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 0))
		logp := clock.LogP{Ranks: 2 + random.IntN(60), Latency: 1 + clock.Time(random.IntN(4)), Overhead: 1 + clock.Time(random.IntN(3))}
		root, count := random.IntN(logp.Ranks), 1+random.IntN(3)
		b := must(broadcast.New(logp, broadcast.Options{
			Tree:       must(tree.WithRoot(tree.Binomial{Ranks: logp.Ranks}, root)),
			Correction: correction.Checked{},
			Overlapped: random.IntN(2) == 0,
		}))
		series := must(broadcast.NewSeries(b, count, b.Longest()))
		down := someDown(random, logp.Ranks, root)

		m := must(emu.New(emu.Config{LogP: logp, Trace: emu.TraceEvents}))
		report, err := m.Run(context.Background(), series.Program(mailbox.Message{A: 42}, broadcast.Watch{}), emu.Options{Faults: down})
		require.NoError(t, err)
		verdicts := guarantee.Check(guarantee.Run{Report: report, Roots: []int{root}}, everything(count, b.Longest().Times(count))...)
		require.Len(t, verdicts, 9)
		require.Empty(t, guarantee.OnlyBroken(verdicts), "seed %d, %+v, %d broadcasts from %d, faults %v", seed, logp, count, root, down)
	}
}

// Failure-proof correction keeps its promises under its premise: every crash of one rank
// at every instant, the root's included. A root that is down from the start leaves nothing to look at.
func TestFailureProofBroadcastsKeepAllGuaranteesUnderTheirPremise(t *testing.T) {
	const ranks = 7
	b := must(broadcast.New(machine(ranks), broadcast.Options{
		Tree:       tree.Binomial{Ranks: ranks},
		Correction: must(correction.NewFailureProof(machine(ranks), 1)),
	}))
	promises := guarantee.When(guarantee.AtMostFailuresMeanwhile(1), guarantee.All("failure-proof",
		guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{}, guarantee.NoDuplicates{}, guarantee.ReachesEveryLiveRank{},
		guarantee.When(guarantee.RootsLive, guarantee.Termination{})))
	for rank := range ranks {
		for at := range 60 {
			schedule := fmt.Sprintf("crash:%d@t%d", rank, at)
			verdict := promises.Check(run(t, ranks, b.Program(mailbox.Message{}), schedule))
			want := held
			if rank == 0 && at == 0 {
				want = unclaimed
			}
			require.Equal(t, want, verdict.Value, "%s: %s", schedule, verdict.Evidence)
		}
	}
}

// Three crashes, two of them during the correction, are too many for checked correction. Under its
// premise nothing is claimed then.
func TestCheckedCorrectionClaimsNothingForCrashesMeanwhile(t *testing.T) {
	b := must(broadcast.New(machine(16), broadcast.Options{
		Tree: must(tree.NewBinomial(16, tree.InOrder)), Correction: correction.Checked{},
	}))
	crashes := run(t, 16, b.Program(mailbox.Message{}), "crash:4,crash:3@t17,crash:8@t18")
	requireVerdict(t, crashes, guarantee.ReachesEveryLiveRank{}, broken, "rank 5 never reached")
	requireVerdict(t, crashes, guarantee.When(guarantee.NoFailureMeanwhile, guarantee.ReachesEveryLiveRank{}), unclaimed,
		"nobody fails after t=0 (2 ranks failed)")
}
