package broadcast_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/guarantee"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Integrity (Corrected Trees, 2.1; Corrected Gossip, claim 1): whatever the broadcast and
// whoever fails, what arrives was sent before, only coloured ranks send, and whoever delivers
// something delivers the root's message.
func TestEveryBroadcastKeepsIntegrity(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		msg := mailbox.Message{A: 7, Payload: "news"}
		program, delivered := anyProgram(t, lab, logp, msg)
		report := lab.run(logp, program, anySchedule(t, logp.Ranks))
		requireHeld(t, report, program.Initiators, guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{})
		msg.Kind = broadcast.Down
		for rank, got := range delivered {
			if report.Ranks[rank].Outcome == emu.Finished {
				require.Equal(t, msg, got, "rank %d", rank)
			}
		}
	})
}

// No duplicates (Corrected Trees, 2.1; Corrected Gossip, claim 1): whatever the broadcast and
// whoever fails, no rank delivers twice.
func TestNoRankIsColouredTwice(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		program, _ := anyProgram(t, lab, logp, mailbox.Message{})
		report := lab.run(logp, program, anySchedule(t, logp.Ranks))
		requireHeld(t, report, program.Initiators, guarantee.NoDuplicates{ByEpoch: true})
	})
}

func requireHeld(t *rapid.T, report *emu.Report, roots []int, all ...guarantee.Guarantee) {
	t.Helper()
	for _, g := range all {
		verdict := g.Check(guarantee.Run{Report: report, Roots: roots})
		require.True(t, verdict.Held, "%s: %s; faults %v", verdict.Name, verdict.Evidence, report.Faults)
	}
}

// Nonfaulty liveness (Corrected Trees, 2.1, 3.1 and 3.3; Corrected Gossip, claims 3 and 4):
// whoever has failed before the broadcast, if the root lives all live ranks are reached. They
// also have done in time.
func TestFailuresBeforeTheBroadcastDoNoHarm(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		shape := anyTree(t, logp)
		o := anyArrangement(t, shape, anyReliable(t, logp))
		dead := anyDown(t, shape, logp.Ranks)
		report := lab.broadcast(logp, o, dead)
		require.Empty(t, report.Unreached, describe(logp, o, dead))
		require.Empty(t, report.Deadlocks, describe(logp, o, dead))
		longest := lab.make(logp, o).Longest()
		require.LessOrEqual(t, max(report.Exit, report.Quiescence), longest, describe(logp, o, dead))
	})
}

// Whether a rank is reached depends on nobody's speed: slow ranks on top do no harm either,
// synchronized or not. No delay, patience or timeout has to be long enough (Corrected Trees,
// 3.3: delayed correction "does not introduce a failure detector").
func TestSlowRanksDoNoHarm(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		shape := anyTree(t, logp)
		o := anyArrangement(t, shape, anyReliable(t, logp))
		s := append(anyDown(t, shape, logp.Ranks), points.Slow(t, logp.Ranks)...)
		report := lab.broadcast(logp, o, s)
		require.Empty(t, report.Unreached, describe(logp, o, s))
		require.Empty(t, report.Deadlocks, describe(logp, o, s))
	})
}

// Faulty liveness (Corrected Gossip, claim 4): f ranks, the root included, fail at any point,
// and any number of others before. Either all live ranks are reached or none, and whoever is
// reached comes to an end.
func TestFailureProofCorrectionIsAllOrNothing(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		f := rapid.IntRange(0, 4).Draw(t, "f")
		logp := draw.Machine(t, 1, 30)
		shape := anyTree(t, logp)
		o := anyArrangement(t, shape, must(correction.NewFailureProof(logp, f)))
		failing := draw.Some(t, "failing", logp.Ranks, f)
		s := slices.DeleteFunc(anyDown(t, shape, logp.Ranks), func(f faults.Fault) bool { return slices.Contains(failing, f.Rank) })
		s = append(s, points.Failures(t, failing)...)
		report := lab.broadcast(logp, o, s)
		requireHeld(t, report, []int{shape.Root()}, guarantee.ReachesEveryLiveRank{})
		require.Empty(t, reachedDeadlocks(report), describe(logp, o, s))
	})
}

// Corrected Trees, 3.1: plain opportunistic correction reaches exactly whom it sends to, and
// so closes every gap of as many ranks as it has messages.
func TestOpportunisticCorrectionReachesWhoIsNearEnough(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		c := anyOpportunistic(t, false)
		o := anyArrangement(t, anyTree(t, logp), c)
		dead := anyDown(t, o.Tree, logp.Ranks)
		report := lab.broadcast(logp, o, dead)
		if o.EarlyRest { // it depends on who is early: see below
			return
		}
		near := nearEnough(o, rankSet(dead))
		for rank, r := range report.Ranks {
			if !r.Outcome.Failed() {
				require.Equal(t, near[rank], r.Coloured != clock.Never, "rank %d: %s", rank, describe(logp, o, dead))
			}
		}
		if !o.Chain && largestGap(o.Tree, rankSet(dead)) <= c.Messages {
			require.Empty(t, report.Unreached, describe(logp, o, dead))
		}
	})
}

// rankSet is the ranks of a schedule.
func rankSet(s faults.Schedule) map[int]bool {
	set := make(map[int]bool)
	for _, f := range s {
		set[f.Rank] = true
	}
	return set
}

// nearEnough is who is reached by the tree and by plain opportunistic correction. Overlapped,
// those reached by correction send as well; synchronized, they do not.
func nearEnough(o broadcast.Options, dead map[int]bool) []bool {
	reached := make([]bool, o.Tree.Size())
	var reach func(rank int)
	reach = func(rank int) {
		if dead[rank] || reached[rank] {
			return
		}
		reached[rank] = true
		for i := 0; ; i++ {
			child, ok := o.Tree.Child(rank, i)
			if !ok {
				break
			}
			reach(child)
		}
		if o.Overlapped {
			for _, neighbour := range neighbours(o, rank) {
				reach(neighbour)
			}
		}
	}
	reach(o.Tree.Root())
	for rank, byTree := range slices.Clone(reached) {
		if byTree {
			for _, neighbour := range neighbours(o, rank) {
				reached[neighbour] = true
			}
		}
	}
	return reached
}

// neighbours is whom a rank sends to in plain opportunistic correction.
func neighbours(o broadcast.Options, rank int) []int {
	size, root := o.Tree.Size(), o.Tree.Root()
	place := (rank - root + size) % size
	var all []int
	for to := place - reachLeft(o.Correction); to <= place+reachRight(o.Correction); to++ {
		if !o.Chain || 0 <= to && to < size {
			all = append(all, ((root+to)%size+size)%size)
		}
	}
	return all
}

// The gap is closed only if all take part that the tree would reach. Here rank 12 is reached
// early, by the root, and rests; rank 11, whom the dead rank 3 should have reached, gets
// nothing from either side.
func TestEarlyRestOpensGapsForOpportunisticCorrection(t *testing.T) {
	logp := clock.LogP{Ranks: 13, Latency: 1, Overhead: 1}
	o := broadcast.Options{Tree: tree.Binomial{Ranks: 13}, Correction: &correction.Opportunistic{Messages: 2}, Overlapped: true}
	dead := down(2, 3)
	require.Equal(t, 2, largestGap(o.Tree, rankSet(dead)))
	require.Empty(t, newLab(t).broadcast(logp, o, dead).Unreached)
	o.EarlyRest = true
	require.Equal(t, []int{11}, newLab(t).broadcast(logp, o, dead).Unreached)
}

// Corrected Trees, 3.3: nobody sends more correction messages than opportunistic correction
// has, and with the optimization never more in all. If nobody has failed, everybody is
// reached; otherwise at least those whom the tree reaches, at most those whom the plain
// correction does.
func TestOptimizationOnlySavesMessages(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		shape := anyTree(t, logp)
		plain := anyOpportunistic(t, false)
		o := anyArrangement(t, shape, plain)
		dead := anyDown(t, shape, logp.Ranks)
		before := lab.broadcast(logp, o, dead)
		optimized := *plain
		optimized.Optimized = true
		o.Correction = &optimized
		after := lab.broadcast(logp, o, dead)
		for _, report := range []*emu.Report{before, after} {
			require.LessOrEqual(t, slices.Max(corrections(report)), plain.Messages, describe(logp, o, dead))
			for _, rank := range disseminated(lab, logp, shape, dead) {
				require.NotContains(t, report.Unreached, rank, describe(logp, o, dead))
			}
		}
		if !o.EarlyRest { // with it, fewer early ranks mean more that correct: see below
			require.LessOrEqual(t, after.Messages, before.Messages, describe(logp, o, dead))
			require.Subset(t, after.Unreached, before.Unreached, describe(logp, o, dead))
		}
	})
}

// corrections counts the correction messages of each rank.
func corrections(report *emu.Report) []int {
	sent := make([]int, len(report.Ranks))
	for _, e := range report.Events {
		if e.Kind == emu.EventSend && correction.IsCorrection(e.Msg) {
			sent[e.Rank]++
		}
	}
	return sent
}

// Where early ranks rest, the optimization can cost messages: whom it does not send to is not
// early, and corrects later.
func TestOptimizationCanCostMessagesIfEarlyRanksRest(t *testing.T) {
	logp := clock.LogP{Ranks: 11, Latency: 1, Overhead: 1}
	c := correction.Opportunistic{Messages: 8, Direction: correction.LeftOnly}
	o := broadcast.Options{Tree: must(tree.NewKary(11, 1, tree.Interleaved)), Correction: &c, Overlapped: true, EarlyRest: true}
	plain := newLab(t).broadcast(logp, o, nil).Messages
	c.Optimized = true
	require.EqualValues(t, 42, plain)
	require.EqualValues(t, 46, newLab(t).broadcast(logp, o, nil).Messages)
}

// Corrected Trees, 3.3, says that the optimization preserves nonfaulty liveness, and 4.2 that
// d >= k messages each way tolerate k-1 failures on a k-ary tree. In the paper's own setting,
// overlapped on interleaved trees, two failures are enough to break both. Neighbours on one
// level begin at about the same time; their messages cross, and each leaves what it has not
// yet sent to the other. In the second case ranks 14 and 15 leave 18 to each other, and so do
// ranks 0 and 1. All gaps here are smaller than 2d, so that the plain correction closes them.
func TestErratumOverlappedOptimizedCorrectionCanLeaveRanksOut(t *testing.T) {
	lab := newLab(t)
	fast, papers := clock.LogP{Latency: 1, Overhead: 1}, clock.LogP{Latency: 2, Overhead: 1}
	kary := func(k int) func(clock.LogP) tree.Tree {
		return func(logp clock.LogP) tree.Tree { return must(tree.NewKary(logp.Ranks, k, tree.Interleaved)) }
	}
	optimal := func(logp clock.LogP) tree.Tree { return must(tree.NewOptimal(logp, tree.Interleaved)) }
	for _, c := range []struct {
		logp      clock.LogP
		ranks     int
		tree      func(clock.LogP) tree.Tree
		d         int
		dead      []int
		unreached int
	}{
		{fast, 13, kary(6), 5, []int{4, 5}, 11},          // the smallest found with two failures
		{papers, 21, optimal, 4, []int{2, 3, 4, 19}, 18}, // with all parameters of the paper's evaluation
		{fast, 14, kary(6), 6, []int{4, 5}, 11},          // d >= k, fewer than k failures
		{papers, 12, kary(5), 5, []int{2, 3, 6, 9}, 8},
		{papers, 21, kary(6), 6, []int{3, 4, 5}, 17},
	} {
		c.logp.Ranks = c.ranks
		opportunistic := correction.Opportunistic{Messages: 2 * c.d}
		o := broadcast.Options{Tree: c.tree(c.logp), Correction: &opportunistic, Overlapped: true}
		require.Empty(t, lab.broadcast(c.logp, o, down(c.dead...)).Unreached)
		opportunistic.Optimized = true
		require.Equal(t, []int{c.unreached}, lab.broadcast(c.logp, o, down(c.dead...)).Unreached)
		opportunistic.Cautious = true
		require.Empty(t, lab.broadcast(c.logp, o, down(c.dead...)).Unreached)
	}
}

// The mended optimization: whoever heeds only those before it, counted from the root, leaves out
// nothing. Exactly those are reached whom the plain correction reaches, with at most as many
// messages, however tree and correction go together.
func TestCautiousCorrectionReachesWhomThePlainOneReaches(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		shape := anyTree(t, logp)
		plain := anyOpportunistic(t, false)
		o := anyArrangement(t, shape, plain)
		if o.EarlyRest { // it depends on who is early: see above
			return
		}
		dead := anyDown(t, shape, logp.Ranks)
		before := lab.broadcast(logp, o, dead)
		o.Correction = cautious(*plain)
		after := lab.broadcast(logp, o, dead)
		require.Equal(t, before.Unreached, after.Unreached, describe(logp, o, dead))
		require.LessOrEqual(t, after.Messages, before.Messages, describe(logp, o, dead))
	})
}

func cautious(plain correction.Opportunistic) *correction.Opportunistic {
	plain.Optimized, plain.Cautious = true, true
	return &plain
}

// Corrected Trees, 4.2: on an interleaved k-ary tree fewer than k failures leave every k-th
// rank coloured, so that k-1 messages in all are enough; overlapped, too, and optimized.
func TestOpportunisticCorrectionStandsFewerThanKFailuresOnKaryTrees(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		k := rapid.IntRange(2, 6).Draw(t, "k")
		shape := anyRoot(t, must(tree.NewKary(logp.Ranks, k, tree.Interleaved)))
		o := broadcast.Options{
			Tree: shape, Overlapped: rapid.Bool().Draw(t, "overlapped"),
			Correction: &correction.Opportunistic{
				Messages: k - 1, Direction: anyDirection(t), Optimized: rapid.Bool().Draw(t, "optimized"),
			},
		}
		dead := anyDown(t, shape, k-1)
		require.Empty(t, lab.broadcast(logp, o, dead).Unreached, describe(logp, o, dead))
	})
}

// Corrected Trees, lemma 2 and corollary 1, with L/o rounded up: for every tree and root, and
// for every ring with as many ranks as a rank sends messages.
func TestLemma2HoldsForEveryTree(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.PaperMachine(t, 1, 60)
		perRank := 3 + int(ceiling(logp))
		logp.Ranks = max(logp.Ranks, perRank)
		shape := anyTree(t, logp)
		report := lab.broadcast(logp, checkedOn(shape), nil)
		require.Equal(t, lemma2(logp), correctionTime(report, shape), "%+v %v", logp, shape)
		for rank, sent := range corrections(report) {
			require.Equal(t, perRank, sent, "rank %d: %+v %v", rank, logp, shape)
		}
	})
}

// Corrected Trees, lemma 3, with lemma 2 rounded up: for every tree and root, as long as the
// largest gap is at most an eighth of the ring.
func TestLemma3HoldsForEveryTree(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.PaperMachine(t, 16, 60)
		shape := anyTree(t, logp)
		o, dead := checkedOn(shape), anyDown(t, shape, 8)
		gap := clock.Time(largestGap(shape, rankSet(dead)))
		if gap > clock.Time(logp.Ranks)/8 {
			t.Skip("the gap is too large")
		}
		took := correctionTime(lab.broadcast(logp, o, dead), shape)
		require.GreaterOrEqual(t, took, lemma2(logp)+gap*logp.Overhead, describe(logp, o, dead))
		require.LessOrEqual(t, took, lemma2(logp)+(2*gap+1)*logp.Overhead, describe(logp, o, dead))
	})
}

// Corrected Trees, 3.3: if nobody has failed and the delay is long enough, delayed correction
// costs one message a rank.
func TestDelayedCorrectionCostsOneMessageEach(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.PaperMachine(t, 2, 60)
		delay := correction.UsualDelay(logp) + draw.Ticks(t, "longer", 0, 9)
		o := broadcast.Options{Tree: anyTree(t, logp), Correction: correction.NewDelayed(logp, delay)}
		for rank, sent := range corrections(lab.broadcast(logp, o, nil)) {
			require.Equal(t, 1, sent, "rank %d: %s", rank, describe(logp, o, nil))
		}
	})
}

// With g > o the usual delay can be too short, because a port may still be busy with the last
// message of the tree when the correction begins. It costs a message, nothing else.
func TestUsualDelayIsForGapsUpToTheOverhead(t *testing.T) {
	logp := clock.LogP{Ranks: 2, Latency: 1, Overhead: 1, Gap: 4}
	usual := correction.UsualDelay(logp)
	o := broadcast.Options{Tree: tree.Binomial{Ranks: 2}, Correction: correction.NewDelayed(logp, usual)}
	report := newLab(t).broadcast(logp, o, nil)
	require.Equal(t, []int{2, 2}, corrections(report))
	require.Empty(t, report.Deadlocks)
}

// Corrected Trees, 4.1: "Optimized opportunistic correction sends at most as many messages as
// checked correction." That is so with the parameters of the evaluation: L=2, o=1, d=4,
// overlapped optimized against synchronized checked, interleaved trees, nobody fails.
func TestOptimizedCorrectionSendsAtMostAsManyMessagesAsChecked(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := clock.LogP{Ranks: draw.Number(t, "P", 1, 150), Latency: 2, Overhead: 1}
		shape := anyRoot(t, anyShape(t, logp, tree.Interleaved))
		optimized, checked := optimizedAndChecked(lab, logp, shape, 4)
		require.LessOrEqual(t, optimized, checked, "%+v %v", logp, shape)
	})
}

func optimizedAndChecked(lab *lab, logp clock.LogP, shape tree.Tree, d int) (optimized, checked int64) {
	o := broadcast.Options{Tree: shape, Correction: &correction.Opportunistic{Messages: 2 * d, Optimized: true}, Overlapped: true}
	return lab.broadcast(logp, o, nil).Messages, lab.broadcast(logp, checkedOn(shape), nil).Messages
}

// With other parameters it is not always so: on small rings, because the two sides of
// opportunistic correction do not notice that they have met; on larger ones by a message or
// two.
func TestErratumOptimizedCorrectionCanSendMoreThanChecked(t *testing.T) {
	lab := newLab(t)
	small := clock.LogP{Ranks: 3, Latency: 1, Overhead: 1}
	optimized, checked := optimizedAndChecked(lab, small, tree.Binomial{Ranks: 3}, 2)
	require.Equal(t, []int64{12, 11}, []int64{optimized, checked})

	farther := clock.LogP{Ranks: 10, Latency: 1, Overhead: 1}
	optimized, checked = optimizedAndChecked(lab, farther, tree.Binomial{Ranks: 10}, 5)
	require.Equal(t, []int64{50, 49}, []int64{optimized, checked})

	large := clock.LogP{Ranks: 35, Latency: 2, Overhead: 3}
	optimized, checked = optimizedAndChecked(lab, large, must(tree.NewOptimal(large, tree.Interleaved)), 4)
	require.Equal(t, []int64{175, 174}, []int64{optimized, checked})
}

// Corrected Trees, 5: d trees stand d-1 failures, of any ranks but the root, at any point.
// How fast ranks are does not matter.
func TestMultiTreeStandsFewerFailuresThanTreesAtAnyPoint(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		m := anyMultiTree(t, logp.Ranks)
		program := m.Program(mailbox.Message{})
		s := points.Failures(t, anyOthers(t, logp.Ranks, program.Initiators[0], m.Tolerates()))
		s = append(s, points.Slow(t, logp.Ranks)...)
		report := lab.run(logp, program, s)
		require.Empty(t, report.Unreached, "faults %v", s)
		require.Empty(t, report.Deadlocks, "faults %v", s)
	})
}

// Corrected Trees, 4.1: "A process sends an acknowledgment to the parent after receiving all
// acknowledgments from the immediate children." If nobody fails, however slow, every rank gets
// one from each child, and the root ends last.
func TestEveryChildAcknowledgesOnceAndTheRootEndsLast(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		o := anyArrangement(t, anyTree(t, logp), broadcast.Acknowledge{})
		s := points.Slow(t, logp.Ranks)
		report := lab.broadcast(logp, o, s)
		require.Empty(t, report.Deadlocks, describe(logp, o, s))
		root := o.Tree.Root()
		acks := acknowledgements(report)
		for rank, r := range report.Ranks {
			parent, ok := o.Tree.Parent(rank)
			if !ok {
				require.Empty(t, acks[rank], describe(logp, o, s))
				continue
			}
			require.Equal(t, []int{parent}, acks[rank], "rank %d: %s", rank, describe(logp, o, s))
			require.Less(t, r.Exit, report.Ranks[root].Exit, "rank %d: %s", rank, describe(logp, o, s))
		}
	})
}

// acknowledgements lists who has taken each rank's acknowledgements.
func acknowledgements(report *emu.Report) [][]int {
	by := make([][]int, len(report.Ranks))
	for _, e := range report.Events {
		if e.Kind == emu.EventTake && e.Msg == broadcast.Ack {
			by[e.Peer] = append(by[e.Peer], e.Rank)
		}
	}
	return by
}

// Without a failure detector, whoever waits for a failed rank waits for ever: those above it
// for its acknowledgement, those below it for the message, and nobody else.
func TestAcknowledgementsWaitForTheFailedAndForNobodyElse(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		o := anyArrangement(t, anyTree(t, logp), broadcast.Acknowledge{})
		dead := anyDown(t, o.Tree, logp.Ranks)
		report := lab.broadcast(logp, o, dead)
		failed, waits := rankSet(dead), make(map[int]bool)
		for rank := range logp.Ranks {
			for above, ok := o.Tree.Parent(rank); ok; above, ok = o.Tree.Parent(above) {
				waits[rank] = waits[rank] || failed[above]
				waits[above] = waits[above] || failed[rank]
			}
		}
		for rank, r := range report.Ranks {
			if !r.Outcome.Failed() {
				require.Equal(t, waits[rank], r.Outcome == emu.Deadlocked, "rank %d: %s", rank, describe(logp, o, dead))
			}
		}
	})
}

// Overlapped broadcasts in a row, of any trees and roots and without pause, whoever is down or
// slow: every live rank gets every message, in order, and none for another.
func TestBroadcastsInARowAreToldApart(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 30)
		c := anyReliable(t, logp)
		first := rapid.Uint32Range(0, 3).Draw(t, "first epoch")
		var all []*broadcast.Broadcast
		roots, want := make(map[int]bool), ""
		for i := range rapid.IntRange(1, 8).Draw(t, "broadcasts") {
			o := anyArrangement(t, anyTree(t, logp), c)
			o.Overlapped, o.Epoch = true, first+uint32(i)
			all = append(all, lab.make(logp, o))
			roots[o.Tree.Root()] = true
			want += fmt.Sprintf("%d by %d,", i, o.Tree.Root())
		}
		s := down(slices.DeleteFunc(draw.Some(t, "down", logp.Ranks, logp.Ranks), func(rank int) bool { return roots[rank] })...)
		s = append(s, points.Slow(t, logp.Ranks)...)
		got := make([]string, logp.Ranks)
		report := lab.run(logp, protocols.Program{Initiators: []int{all[0].Tree.Root()}, Main: func(p protocols.Proc) {
			for i, b := range all {
				m, _ := b.Run(p, mailbox.Message{Payload: fmt.Sprintf("%d by %d,", i, p.Rank())})
				got[p.Rank()] += m.Payload
			}
		}}, s)
		require.Empty(t, report.Deadlocks, "%v, faults %v", c, s)
		for rank, text := range got {
			if !report.Ranks[rank].Outcome.Failed() {
				require.Equal(t, want, text, "rank %d: %v, faults %v", rank, c, s)
			}
		}
	})
}

// A series, overlapped with any period or synchronized with one that is long enough, reaches
// every live rank every time, and nobody is late.
func TestSeriesReachesEveryLiveRankEveryTime(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 30)
		o := anyArrangement(t, anyTree(t, logp), anyReliable(t, logp))
		b := lab.make(logp, o)
		period := b.Longest()
		if o.Overlapped {
			period = draw.Ticks(t, "period", 0, 40)
		}
		count := rapid.IntRange(1, 6).Draw(t, "count")
		dead := anyDown(t, o.Tree, logp.Ranks)
		coloured, late := make([]int, count*logp.Ranks), make([]int, count*logp.Ranks)
		series := must(broadcast.NewSeries(b, count, period))
		lab.run(logp, series.Program(mailbox.Message{}, broadcast.Watch{
			Coloured: func(i, rank int, _ clock.Time) { coloured[i*logp.Ranks+rank]++ },
			Late:     func(i, rank int, _ clock.Time) { late[i*logp.Ranks+rank]++ },
		}), dead)
		for i := range coloured {
			want := 1
			if rankSet(dead)[i%logp.Ranks] {
				want = 0
			}
			require.Equal(t, want, coloured[i], "rank %d: %s", i%logp.Ranks, describe(logp, o, dead))
			require.Zero(t, late[i], "rank %d: %s", i%logp.Ranks, describe(logp, o, dead))
		}
	})
}

// A run is determined by program, machine and schedule. The number of workers changes nothing.
func TestEveryBroadcastIsDeterministic(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		program, _ := anyProgram(t, lab, logp, mailbox.Message{Payload: "news"})
		s := anySchedule(t, logp.Ranks)
		want := lab.run(logp, program, s).Hash
		require.NotZero(t, want)
		require.Equal(t, want, lab.run(logp, program, s).Hash, "again")
		for _, workers := range []int{1, 2, 7} {
			machine := must(emu.New(emu.Config{LogP: logp, Trace: emu.TraceHash, Workers: workers}))
			report, err := machine.Run(context.Background(), program, emu.Options{Faults: s})
			require.NoError(t, err)
			require.Equal(t, want, report.Hash, "%d workers", workers)
		}
	})
}

// Any rank can be the root: if those that are down are turned round the ring as well, every
// rank is reached at the same instant, at the same cost. That is, unless what a rank does
// depends on which of two messages it hears first: see below.
func TestTurningTheRingChangesNothing(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		corrections := []correction.Correction{correction.None{}, broadcast.Acknowledge{}, anyOpportunistic(t, false)}
		o := anyArrangement(t, anyTree(t, logp), rapid.SampledFrom(corrections).Draw(t, "correction"))
		o.EarlyRest = false
		dead := anyDown(t, o.Tree, logp.Ranks)
		before := lab.broadcast(logp, o, dead)
		by := rapid.IntRange(0, logp.Ranks-1).Draw(t, "turn by")
		o.Tree = must(tree.WithRoot(o.Tree, (o.Tree.Root()+by)%logp.Ranks))
		for i := range dead {
			dead[i].Rank = (dead[i].Rank + by) % logp.Ranks
		}
		after := lab.broadcast(logp, o, dead)
		require.Equal(t, costOf(before), costOf(after), describe(logp, o, dead))
		for rank, r := range before.Ranks {
			require.Equal(t, r, after.Ranks[(rank+by)%logp.Ranks], "rank %d before: %s", rank, describe(logp, o, dead))
		}
	})
}

// Messages that arrive at the same instant are received in the order of their senders' ranks,
// which is another one once the ring is turned. For a correction that listens this can decide
// whether one more message is sent.
func TestTurningTheRingCanChangeWhoIsHeardFirst(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 7, Latency: 1, Overhead: 1}
	shape := must(tree.NewKary(7, 3, tree.Interleaved))
	turned := must(tree.WithRoot(shape, 2))
	require.Equal(t, cost{messages: 31, colouring: 11, quiescence: 16}, costOf(lab.broadcast(logp, checkedOn(shape), down(1))))
	require.Equal(t, cost{messages: 32, colouring: 11, quiescence: 17}, costOf(lab.broadcast(logp, checkedOn(turned), down(3))))
}
