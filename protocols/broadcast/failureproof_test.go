package broadcast_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// distress counts SOS messages.
func distress(rep *report.Report) int {
	n := 0
	for _, e := range rep.Events {
		if e.Kind == report.EventSend && e.Msg == correction.SOS {
			n++
		}
	}
	return n
}

// disseminated lists the live ranks that the tree reaches when these are down from the start.
func disseminated(lab *lab, logp clock.LogP, t tree.Tree, dead faults.Schedule) []int {
	rep := lab.broadcast(logp, broadcast.Options{Tree: t, Correction: correction.None{}}, dead)
	var reached []int
	for rank, r := range rep.Ranks {
		if r.Coloured != clock.Never && !r.Outcome.Failed() {
			reached = append(reached, rank)
		}
	}
	return reached
}

// Claim 5 of Corrected Gossip: SOS is not needed if the dissemination has reached at least
// f*f+f+1 ranks, and up to f of them crash meanwhile.
func TestSOSIsNotNeededWithEnoughRanks(t *testing.T) {
	lab := newLab(t)
	tried := 0
	for seed := uint64(0); tried < thorough.Times(1000); seed++ {
		random := rand.New(rand.NewPCG(seed, 5))
		logp := someMachine(random, 28)
		f := 1 + random.IntN(3)
		forest := forest(logp)
		o := broadcast.Options{Tree: forest[random.IntN(len(forest))], Correction: must(correction.NewFailureProof(logp, f))}
		dead := someDown(random, logp.Ranks, 0, random.IntN(1+logp.Ranks/3))
		reached := disseminated(lab, logp, o.Tree, dead)
		if len(reached) < f*f+f+1 {
			continue
		}
		tried++
		start := tree.Latency(o.Tree, logp)
		random.Shuffle(len(reached), func(i, j int) { reached[i], reached[j] = reached[j], reached[i] })
		for _, rank := range reached[:random.IntN(f+1)] {
			at := start + clock.Time(random.IntN(40))
			dead = append(dead, faults.Fault{Kind: faults.Crash, Rank: rank, At: faults.OnTime(at)})
		}
		rep := lab.broadcast(logp, o, dead)
		require.Zero(t, distress(rep), "seed %d: %s", seed, describe(logp, o, dead))
		require.Empty(t, rep.Unreached, "seed %d: %s", seed, describe(logp, o, dead))
		require.Empty(t, rep.Deadlocks, "seed %d: %s", seed, describe(logp, o, dead))
	}
}

// Without failures, a rank passes f+1 ranks on both sides in its final round, and knows f of
// them before it begins that round.
func TestFailureProofRanksPassOneMoreThanMayFail(t *testing.T) {
	lab := newLab(t)
	for f := range 5 {
		logp := clock.LogP{Ranks: 64, Latency: 2, Overhead: 1}
		o := broadcast.Options{Tree: star(64), Correction: must(correction.NewFailureProof(logp, f))}
		rep := lab.broadcast(logp, o, nil)
		require.Zero(t, distress(rep))
		for rank := range 64 {
			targets := sends(rep, rank)
			if rank == 0 {
				targets = targets[63:] // the root's messages down the tree come first
			}
			rounds := 2
			if f == 0 {
				rounds = 1 // the first round is the final one
			}
			require.Equal(t, rounds, count(targets, (rank+1)%64), "f=%d, rank %d", f, rank)
			require.Equal(t, rounds, count(targets, (rank+63)%64), "f=%d, rank %d", f, rank)
			for d := 1; d <= f+1; d++ {
				require.Contains(t, targets, (rank+d)%64, "f=%d, rank %d, %d to the right", f, rank, d)
				require.Contains(t, targets, (rank+64-d)%64, "f=%d, rank %d, %d to the left", f, rank, d)
			}
		}
	}
}

func count(all []int, value int) int {
	n := 0
	for _, v := range all {
		if v == value {
			n++
		}
	}
	return n
}

// A rank that correction has reached leaves as soon as it knows f+1 others, and not before.
func TestReachedRanksWaitUntilTheyKnowEnough(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 40, Latency: 2, Overhead: 1}
	for f := range 4 {
		o := broadcast.Options{Tree: star(40), Correction: must(correction.NewFailureProof(logp, f))}
		shape := must(tree.NewKary(40, 2, tree.InOrder)) // rank 33 has a subtree of its own
		o.Tree = shape
		dead := down(33)
		inGap := tree.Subtree(shape, 33)
		require.Greater(t, inGap, 1)
		rep := lab.broadcast(logp, o, dead)
		require.Zero(t, distress(rep))
		for rank := 34; rank < 33+inGap; rank++ {
			exit := rep.Ranks[rank].Exit
			require.Equal(t, f == 0, exit == rep.Ranks[rank].Coloured, "f=%d: one rank is enough for f=0 only", f)
			require.GreaterOrEqual(t, len(senders(rep, rank, exit)), min(2, f+1))
		}
	}
}

// senders lists who has reached a rank until an instant.
func senders(rep *report.Report, rank int, until clock.Time) []int {
	var all []int
	for _, e := range rep.Events {
		if e.Kind == report.EventReceive && e.Rank == rank && e.Time <= until {
			all = append(all, e.Peer)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
