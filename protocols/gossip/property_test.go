package gossip_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/gossip"
	"github.com/mangrove-emu/mangrove/report"
)

// Claims of Corrected Gossip, on machines, variants and schedules of all kinds.

// Claim 1, and the same part of claims 3 and 4: integrity and no duplicates, whatever fails.
func TestEveryVariantKeepsIntegrityAndMakesNoDuplicates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		logp := anyMachine(t, 1, 40)
		b := anyTrial(t, logp, anyVariant(t, logp))
		failing := draw.Some(t, "failing", logp.Ranks, logp.Ranks)
		b.run(t, append(points.Failures(t, failing), points.Slow(t, logp.Ranks)...))
		b.requireHeld(t, guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{},
			guarantee.NoDuplicates{Step: gossip.StepColoured, Operations: 1})
	})
}

// Claim 3: checked correction reaches all live ranks, or none if the root has told nobody, as
// long as nobody fails once correction has begun.
func TestCheckedGossipIsStronglyConsistent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		logp := anyMachine(t, 1, 60)
		b := anyTrial(t, logp, correction.Checked{RightFirst: true})
		b.run(t, b.anyBeforeCorrection(t))
		b.requireHeld(t, guarantee.ReachesEveryLiveRank{})
		require.Empty(t, b.stuck(), b.String())
	})
}

// anyBeforeCorrection lets any ranks fail while ranks gossip, or before. Those that count rounds
// correct each in its own time, so there it is before only, and the root lives. It also lives where
// ranks correct at T: else all that have the message may have it too late to correct.
func (b *trial) anyBeforeCorrection(t *rapid.T) faults.Schedule {
	until := int(b.correctionStart())
	if b.gossip.Rounds > 0 {
		until = 0
	}
	var s faults.Schedule
	for _, rank := range draw.Some(t, "failing early", b.logp.Ranks, b.logp.Ranks) {
		if rank != b.gossip.Root || until > 0 && !b.gossip.Sharp {
			s = append(s, faults.Fault{Kind: faults.Crash, Rank: rank, At: faults.OnTime(draw.Ticks(t, "early", 0, until))})
		}
	}
	return s
}

// Claim 4, lemmas 2 and 3, corollaries 2 and 3: any number of ranks fail before correction, and
// f more, the root included, at any point. Either all live ranks are reached or none, and all
// that are reached come to an end.
func TestFailureProofGossipIsAllOrNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.IntRange(0, 3).Draw(t, "f")
		logp := anyMachine(t, 1, 30)
		b := anyTrial(t, logp, failureProof(t, logp, f))
		failing := draw.Some(t, "failing", logp.Ranks, f)
		if f > 0 && rapid.Bool().Draw(t, "root fails") {
			failing = []int{b.gossip.Root}
		}
		early := slices.DeleteFunc(b.anyBeforeCorrection(t), func(f faults.Fault) bool { return slices.Contains(failing, f.Rank) })
		b.run(t, append(points.Failures(t, failing), early...))
		b.requireHeld(t, guarantee.ReachesEveryLiveRank{})
		require.Empty(t, b.stuck(), b.String())
	})
}

// Claim 5: if f*f+f+1 g-nodes correct, and up to f of them fail at that, there is no SOS.
func TestFailureProofGossipNeedsNoHelpWithEnoughGNodes(t *testing.T) {
	t.Parallel()
	enough := 0
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.IntRange(0, 2).Draw(t, "f")
		logp := anyMachine(t, 1, 30)
		b := anyTrial(t, logp, failureProof(t, logp, f))
		b.run(t, points.Failures(t, draw.Some(t, "failing", logp.Ranks, f)))
		if len(b.gnodes()) >= f*f+f+1 {
			enough++
			require.Zero(t, b.sends(correction.SOS), b.String())
		}
	})
	require.NotZero(t, enough)
}

// Section III-B: opportunistic correction reaches exactly those g-nodes send to, and gossip that is
// late, if there is any, those it comes to.
func TestOpportunisticGossipReachesTheNeighboursOfGNodes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		logp := anyMachine(t, 1, 60)
		messages := rapid.IntRange(0, 12).Draw(t, "messages")
		b := anyTrial(t, logp, &correction.Opportunistic{Messages: messages})
		b.run(t, nil)
		near := make(map[int]bool)
		for _, rank := range b.gnodes() {
			for to := rank - messages/2; to <= rank+messages-messages/2; to++ {
				near[((to%logp.Ranks)+logp.Ranks)%logp.Ranks] = true
			}
		}
		for _, e := range b.report.Events {
			near[e.Rank] = near[e.Rank] || b.gossip.Sharp && e.Kind == report.EventTake && e.Msg == gossip.Spread
		}
		for rank, r := range b.report.Ranks {
			require.Equal(t, near[rank], r.Coloured != clock.Never, "rank %d: %v", rank, b)
		}
	})
}

// Section III-A: who has the message sends every o ticks until T, or as often as the length of the message
// lets it, nobody later, and correction begins L+o after that, or sharply at T; wherever the root's time begins. The times are exact for
// all g-nodes. Where correction is sharp, these are the ranks that had the message by T.
func TestGossipStopsAtT(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		logp := anyMachine(t, 2, 40)
		logp.PerByte = draw.Ticks(t, "G", 0, 3)
		b := anyTrial(t, logp, anyVariant(t, logp))
		b.gossip.Rounds, b.gossip.Begin = 0, draw.Ticks(t, "begin", 0, 50)
		o := b.gossip.Options
		b.run(t, nil)
		sent, busy := make(map[int]int), make(map[int]clock.Time) // how many gossip messages, and until when
		for rank, r := range b.report.Ranks {
			late := r.Coloured > o.Begin+o.Until
			if o.Sharp {
				require.Equal(t, !late, slices.Contains(b.gnodes(), rank), "rank %d: %v", rank, b)
			}
		}
		for _, e := range b.report.Events {
			switch {
			case e.Kind == report.EventSend && e.Msg == gossip.Spread:
				sent[e.Rank]++
				busy[e.Rank] = e.Time + logp.Overhead
				require.Less(t, e.Time, o.Begin+o.Until, b.String())
				require.EqualValues(t, e.Time-o.Begin, e.A, b.String())
			case e.Kind == report.EventStep && e.Step == gossip.StepCorrection:
				coloured := max(b.report.Ranks[e.Rank].Coloured, o.Begin)
				require.Equal(t, max(coloured, o.Begin+b.correctionStart(), busy[e.Rank]), e.Time, b.String())
				left := max(0, o.Begin+o.Until-coloured)
				every := logp.Costs().Spacing + logp.Costs().Stretch(len(payload))
				require.EqualValues(t, (left+every-1)/every, sent[e.Rank], b.String())
			}
		}
	})
}

// Where correction is sharp, T is the same instant for all: slow ranks do not make those they send to
// gossip longer.
func TestSharpGossipStopsAtTWhoeverIsSlow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		logp := anyMachine(t, 2, 40)
		o := gossip.Options{Correction: correction.Checked{}, Until: draw.Ticks(t, "T", 0, 60), Sharp: true}
		b := newTrial(t, logp, o, rapid.Uint64().Draw(t, "seed"))
		b.run(t, points.Slow(t, logp.Ranks))
		slow := make(map[int]bool) // these may have to wait for their own ports
		for _, f := range b.schedule {
			slow[f.Rank] = true
		}
		for _, e := range b.report.Events {
			if e.Kind == report.EventSend && e.Msg == gossip.Spread && !slow[e.Rank] {
				require.Less(t, e.Time, o.Until, b.String())
			}
		}
		b.requireHeld(t, guarantee.ReachesEveryLiveRank{}, guarantee.NoDeadlock{})
	})
}

func TestOptionsThatDoNotGoTogether(t *testing.T) {
	logp := clock.LogP{Ranks: 8, Latency: 2, Overhead: 1}
	last, end := fmt.Sprint(int64(clock.Forever-1)), fmt.Sprint(int64(clock.Forever))
	for want, o := range map[string]gossip.Options{
		"gossip: correction at T sharp, and 3 rounds, want one of the two":                                           {Correction: correction.Checked{}, Rounds: 3, Sharp: true},
		"gossip: failure-proof correction at T sharp: ranks that gossip reaches later would not wait for the others": {Correction: failureProof(t, logp, 1), Until: 9, Sharp: true},
		"gossip: T = 9 ticks and 3 rounds, want one of the two":                                                      {Correction: correction.Checked{}, Rounds: 3, Until: 9},
		"gossip: want a correction; correction.None corrects nothing":                                                {Until: 9},
		"gossip: root = 8, want 0 to 7":                                                                              {Correction: correction.Checked{}, Root: 8},
		"gossip: root = -1, want 0 to 7":                                                                             {Correction: correction.Checked{}, Root: -1},
		"gossip: T = -1 ticks, want 0 to " + last:                                                                    {Correction: correction.Checked{}, Until: -1},
		"gossip: T = " + end + " ticks, want 0 to " + last:                                                           {Correction: correction.Checked{}, Until: clock.Forever},
		"gossip: -1 rounds, want 0 or more":                                                                          {Correction: correction.Checked{}, Rounds: -1},
		"gossip: begins at t=-1, want 0 to " + last:                                                                  {Correction: correction.Checked{}, Begin: -1},
		"gossip: begins at t=" + end + ", want 0 to " + last:                                                         {Correction: correction.Checked{}, Begin: clock.Forever},
	} {
		_, err := gossip.New(logp, o)
		require.EqualError(t, err, want)
	}
	for _, o := range []gossip.Options{
		{Correction: correction.Checked{}, Root: 7, Until: clock.Forever - 1},
		{Correction: correction.Checked{}, Rounds: 1, Begin: clock.Forever - 1},
		{Correction: correction.Checked{}, Sharp: true},
	} {
		_, err := gossip.New(logp, o)
		require.NoError(t, err, "%+v", o)
	}
	logp.Overhead = 0
	_, err := gossip.New(logp, gossip.Options{Correction: correction.Checked{}})
	require.EqualError(t, err, "gossip: clock: overhead o = 0 ticks, want 1 to 1099511627776")
}

// Corrected Trees, 4.4: a message carries its round, and a rank corrects as soon as it has sent,
// or heard of, the last one.
func TestRoundsAreCounted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		logp := anyMachine(t, 2, 40)
		rounds := rapid.IntRange(1, 12).Draw(t, "rounds")
		b := newTrial(t, logp, gossip.Options{Correction: correction.Checked{}, Rounds: rounds}, rapid.Uint64().Draw(t, "seed"))
		b.run(t, nil)
		round := make([]int64, logp.Ranks) // that each rank knows of
		for _, e := range b.report.Events {
			switch {
			case e.Kind == report.EventTake && e.Msg == gossip.Spread:
				round[e.Rank] = max(round[e.Rank], e.A)
			case e.Kind == report.EventSend && e.Msg == gossip.Spread:
				round[e.Rank]++
				require.Equal(t, round[e.Rank], e.A, b.String())
			case e.Kind == report.EventStep && e.Step == gossip.StepCorrection:
				require.EqualValues(t, rounds, round[e.Rank], b.String())
			}
		}
		b.requireHeld(t, guarantee.ReachesEveryLiveRank{}, guarantee.NoDeadlock{})
	})
}

// Claim 1: broadcasts are told apart. Two in a row, by any variants, in which late messages of
// the first meet the second; every rank delivers each once, with its own payload.
func TestGossipsInARowAreToldApart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		logp := anyMachine(t, 1, 30)
		delivered := make([][]string, logp.Ranks)
		var both []*gossip.Gossip
		for epoch := range uint32(2) {
			var c correction.Correction = correction.Checked{RightFirst: true}
			if rapid.Bool().Draw(t, "failure-proof") {
				c = failureProof(t, logp, 1)
			}
			b := anyTrial(t, logp, c)
			b.gossip.Root, b.gossip.Epoch = 0, epoch
			both = append(both, b.gossip)
		}
		runRow(t, logp, both, delivered, rapid.Uint64().Draw(t, "seed"))
		for rank := range delivered {
			require.Equal(t, []string{"first", "second"}, delivered[rank], "rank %d of %+v", rank, logp)
		}
	})
}

// Figure 7, GOS: everything that a run does is a function of its seed.
func TestPartnersFollowTheSeed(t *testing.T) {
	logp := clock.LogP{Ranks: 64, Latency: 2, Overhead: 1}
	hash := func(partners gossip.Partners, seed uint64) report.Hash {
		return newTrial(t, logp, gossip.Options{Correction: correction.None{}, Until: 20, Partners: partners}, seed).run(t, nil).Hash
	}
	require.Equal(t, hash(nil, 7), hash(nil, 7))
	require.NotEqual(t, hash(nil, 7), hash(nil, 8))
	require.Equal(t, hash(gossip.Fixed, 7), hash(gossip.Fixed, 8))
}

// Partners are the other ranks, all of them about as often.
func TestPartnersAreSpreadEvenly(t *testing.T) {
	logp := clock.LogP{Ranks: 10, Latency: 2, Overhead: 1}
	for name, partners := range map[string]gossip.Partners{"random": gossip.Random, "fixed": gossip.Fixed} {
		b := newTrial(t, logp, gossip.Options{Correction: correction.None{}, Until: 3000, Partners: partners}, 1)
		b.run(t, nil)
		counts := make(map[[2]int]int)
		for _, e := range b.report.Events {
			if e.Kind == report.EventSend {
				counts[[2]int{e.Rank, e.Peer}]++
			}
		}
		require.Len(t, counts, 90, "%s: from each to each other", name)
		for pair, n := range counts {
			require.NotEqual(t, pair[0], pair[1], "%s: nobody sends to itself", name)
			require.InDelta(t, 333, n, 100, "%s: %v", name, pair)
		}
	}
}

// Fixed partners are not the same ones for all ranks.
func TestFixedPartnersDiffer(t *testing.T) {
	b := newTrial(t, clock.LogP{Ranks: 100, Latency: 2, Overhead: 1}, gossip.Options{Correction: correction.None{}, Until: 30, Partners: gossip.Fixed}, 1)
	b.run(t, nil)
	first := make(map[int]int) // partner of each rank
	for _, e := range b.report.Events {
		if _, known := first[e.Rank]; e.Kind == report.EventSend && !known {
			first[e.Rank] = e.Peer
		}
	}
	different := make(map[int]bool)
	for _, partner := range first {
		different[partner] = true
	}
	require.Greater(t, len(different), len(first)/2)
}

// Where messages are far apart, correction still begins L+o after T.
func TestAGapDoesNotDelayCorrection(t *testing.T) {
	logp := clock.LogP{Ranks: 2, Latency: 1, Overhead: 1, Gap: 9}
	b := newTrial(t, logp, gossip.Options{Correction: correction.None{}, Until: 1}, 1)
	require.EqualValues(t, 3, b.run(t, nil).Ranks[0].Exit)
}
