package broadcast_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// opportunistics are the opportunistic corrections that send that many messages.
func opportunistics(messages int) []correction.Correction {
	var all []correction.Correction
	for _, optimized := range []bool{false, true} {
		for _, way := range []correction.Direction{correction.BothWays, correction.LeftOnly, correction.RightOnly} {
			all = append(all, &correction.Opportunistic{Messages: messages, Direction: way, Optimized: optimized})
		}
	}
	return all
}

// star is a tree of height one: who is down leaves a gap of its own only, so that the gap
// on the ring can be chosen.
func star(ranks int) tree.Tree { return must(tree.NewKary(ranks, max(1, ranks-1), tree.Interleaved)) }

// A rank sends `messages` messages, half of them each way or all one way: that closes gaps
// of as many ranks and no larger ones. The report says who was left out. Optimized, this
// holds one way only: see below.
func TestOpportunisticCorrectionClosesGapsUpToItsMessages(t *testing.T) {
	const ranks = 40
	lab := newLab(t)
	logp := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
	binary := must(tree.NewKary(ranks, 2, tree.InOrder)) // a dead rank and its subtree are one gap
	for messages := range 9 {
		for _, c := range opportunistics(messages) {
			if o := c.(*correction.Opportunistic); o.Optimized && o.Direction == correction.BothWays {
				continue
			}
			o := broadcast.Options{Tree: binary, Correction: c}
			for rank := 1; rank < ranks; rank += thorough.Stride(7) {
				gap := tree.Subtree(binary, rank)
				report := lab.broadcast(logp, o, down(rank))
				missed := []int{}
				for i := 1; i < gap; i++ { // the first of the gap is the dead rank itself
					left, right := i+1, gap-i // places from the ranks on either side of the gap
					if left > reachRight(c) && right > reachLeft(c) {
						missed = append(missed, rank+i)
					}
				}
				require.Equal(t, missed, report.Unreached, "%+v, rank %d down", c, rank)
			}
		}
	}
}

// Section 3.3 says that the optimization preserves nonfaulty liveness, since rank i can be
// sure that j, which it has heard from, sends what i leaves out. That is not so when their
// messages cross: j leaves it out as well, because it has heard from i. It happens when
// correction starts at the same time everywhere. Here ranks 9 and 10 at the edge of a gap
// of seven each leave rank 6 to the other.
func TestSynchronizedOptimizedCorrectionLeavesOutWhatNobodySends(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 31, Latency: 2, Overhead: 1}
	o := broadcast.Options{Tree: must(tree.NewKary(31, 2, tree.InOrder)), Correction: &correction.Opportunistic{Messages: 8}}
	require.Empty(t, lab.broadcast(logp, o, down(2)).Unreached)
	o.Correction = &correction.Opportunistic{Messages: 8, Optimized: true}
	require.Equal(t, []int{6}, lab.broadcast(logp, o, down(2)).Unreached)

	// Interleaved numbering does not help; neither do fewer failures than the tree has children.
	logp = clock.LogP{Ranks: 11, Latency: 1, Overhead: 1, Gap: 2}
	o = broadcast.Options{Tree: must(tree.NewKary(11, 6, tree.Interleaved)), Correction: &correction.Opportunistic{Messages: 5}}
	require.Empty(t, lab.broadcast(logp, o, down(1, 2, 3, 4, 7)).Unreached)
	o.Correction = &correction.Opportunistic{Messages: 5, Optimized: true}
	require.Equal(t, []int{8}, lab.broadcast(logp, o, down(1, 2, 3, 4, 7)).Unreached)
}

// The same with overlapped correction, if the tree is numbered in order: who is beside a gap
// starts at about the same time there, too.
func TestOverlappedOptimizedCorrectionIsForInterleavedTrees(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 13, Latency: 1, Overhead: 3}
	o := broadcast.Options{Tree: must(tree.NewKary(13, 4, tree.InOrder)), Correction: &correction.Opportunistic{Messages: 9}, Overlapped: true}
	require.Empty(t, lab.broadcast(logp, o, down(4)).Unreached)
	o.Correction = &correction.Opportunistic{Messages: 9, Optimized: true}
	require.Equal(t, []int{5}, lab.broadcast(logp, o, down(4)).Unreached)
}

// On interleaved trees, with one rank down, the optimization leaves nobody out whom the plain
// correction reaches.
func TestOverlappedOptimizedCorrectionReachesWhatThePlainOneDoes(t *testing.T) {
	lab := newLab(t)
	for _, logp := range []clock.LogP{{Latency: 2, Overhead: 1}, {Latency: 1, Overhead: 1}, {Latency: 1, Overhead: 2}} {
		for ranks := 5; ranks < 34; ranks += 7 {
			logp.Ranks = ranks
			for _, shape := range forest(logp)[:6] {
				for messages := 2; messages <= 8; messages += 2 {
					for dead := 1; dead < ranks; dead += thorough.Stride(9) {
						plain := broadcast.Options{Tree: shape, Correction: &correction.Opportunistic{Messages: messages}, Overlapped: true}
						if len(lab.broadcast(logp, plain, down(dead)).Unreached) > 0 {
							continue
						}
						plain.Correction = &correction.Opportunistic{Messages: messages, Optimized: true}
						require.Empty(t, lab.broadcast(logp, plain, down(dead)).Unreached, describe(logp, plain, down(dead)))
					}
				}
			}
		}
	}
}

func reachLeft(c correction.Correction) int {
	o := c.(*correction.Opportunistic)
	return []int{o.Messages / 2, o.Messages, 0}[o.Direction]
}

func reachRight(c correction.Correction) int {
	return c.(*correction.Opportunistic).Messages - reachLeft(c)
}

// Section 3.2.1: on a k-ary tree fewer than k failures leave every k-th rank coloured, so
// that k-1 messages reach everybody.
func TestOpportunisticCorrectionToleratesFewerThanKFailuresOnKaryTrees(t *testing.T) {
	lab := newLab(t)
	for _, c := range []struct{ k, ranks int }{{2, 7}, {2, 40}, {3, 13}, {3, 30}, {4, 20}} {
		logp := clock.LogP{Ranks: c.ranks, Latency: 2, Overhead: 1}
		shape := must(tree.NewKary(c.ranks, c.k, tree.Interleaved))
		for _, correct := range opportunistics(c.k - 1) {
			o := broadcast.Options{Tree: shape, Correction: correct}
			sets := subsets(c.ranks, c.k-1)
			for i := 0; i < len(sets); i += thorough.Stride(17) {
				dead := sets[i]
				report := lab.broadcast(logp, o, down(dead...))
				require.Empty(t, report.Unreached, describe(logp, o, down(dead...)))
			}
		}
	}
	// One more failure can cut the root off.
	logp := clock.LogP{Ranks: 13, Latency: 2, Overhead: 1}
	shape := must(tree.NewKary(13, 3, tree.Interleaved))
	o := broadcast.Options{Tree: shape, Correction: &correction.Opportunistic{Messages: 2}}
	require.Equal(t, []int{4, 5, 6, 7, 8, 9, 10, 11}, lab.broadcast(logp, o, down(1, 2, 3)).Unreached)
}

// subsets lists all sets of that many ranks, the root not among them.
func subsets(ranks, size int) [][]int {
	var all [][]int
	var extend func(set []int, from int)
	extend = func(set []int, from int) {
		if len(set) == size {
			all = append(all, append([]int(nil), set...))
			return
		}
		for rank := from; rank < ranks; rank++ {
			extend(append(set, rank), rank+1)
		}
	}
	extend(nil, 1)
	return all
}

// The example of section 3.3: rank 19 has heard from 23, eight messages go each way, so it
// sends only what lies beyond 23's reach.
func TestRank19LeavesOutWhatRank23Sends(t *testing.T) {
	optimized := must((&correction.Opportunistic{Messages: 16, Optimized: true}).On(correction.Ring{Size: 64}))
	program := protocols.Program{Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 19:
			p.WaitUntil(50)
			optimized.Run(p, 19, mailbox.Message{})
		case 23:
			p.Send(19, mailbox.Message{Kind: correction.Leftward})
		}
	}}
	report := newLab(t).run(clock.LogP{Ranks: 64, Latency: 2, Overhead: 1}, program, nil)
	require.Equal(t, []int{14, 13, 12, 11}, sends(report, 19))
}

// The example of section 3.1: rank 23 hears from 19 on its left and 28 on its right, and
// stops when it has sent to both.
func TestRank23StopsOnceItHasReachedItsNeighbours(t *testing.T) {
	checked := must(correction.Checked{}.On(correction.Ring{Size: 64}))
	program := protocols.Program{Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 23:
			p.WaitUntil(50) // it has heard from both when it begins
			checked.Run(p, 23, mailbox.Message{})
		case 19, 28:
			checked.Run(p, p.Rank(), mailbox.Message{})
		}
	}}
	report := newLab(t).run(clock.LogP{Ranks: 64, Latency: 2, Overhead: 1}, program, nil)
	require.Equal(t, []int{22, 24, 21, 25, 20, 26, 19, 27, 28}, sends(report, 23))
}

// A chain ends at the root: nothing is sent across, wherever the root is.
func TestNothingCrossesTheRootOfAChain(t *testing.T) {
	lab := newLab(t)
	const ranks, root = 20, 13
	logp := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
	place := func(rank int) int { return (rank - root + ranks) % ranks }
	for _, c := range append(opportunistics(7), correction.Checked{}, correction.NewDelayed(logp, 0)) {
		for _, chain := range []bool{false, true} {
			o := broadcast.Options{Tree: must(tree.WithRoot(star(ranks), root)), Correction: c, Chain: chain}
			report := lab.broadcast(logp, o, down(12, 14))
			crossed := 0
			for _, e := range report.Events {
				switch {
				case e.Msg == correction.Leftward && place(e.Peer) > place(e.Rank),
					e.Msg == correction.Rightward && place(e.Peer) < place(e.Rank):
					if e.Kind.String() == "send" {
						crossed++
					}
				}
			}
			require.Equal(t, chain, crossed == 0, "%+v", c)
		}
	}
}
