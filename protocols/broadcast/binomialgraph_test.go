package broadcast_test

import (
	"context"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/report"
)

func binomialGraph(ranks, root int) *broadcast.BinomialGraph {
	return must(broadcast.NewBinomialGraph(ranks, root))
}

// Corrected Gossip, figure 7: 49,152 messages, and a latency of 60. At 60 the ranks that were
// reached last, at 48, have sent all their messages; the last one is received at 63.
func TestBinomialGraphOfThePaper(t *testing.T) {
	logp := clock.LogP{Ranks: 4096, Latency: 2, Overhead: 1}
	rep := newLab(t).run(logp, binomialGraph(4096, 0).Program(mailbox.Message{}), nil)
	require.Equal(t, cost{messages: 49_152, colouring: 48, quiescence: 63}, costOf(rep))
}

// Erratum: with a fixed order of neighbours, which the paper's words leave open, the printed
// latency is out of reach.
func TestErratumBinomialGraphNeedsACyclicOrder(t *testing.T) {
	logp := clock.LogP{Ranks: 4096, Latency: 2, Overhead: 1}
	fixed := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() != 0 {
			p.Recv(mailbox.Any)
		}
		for x := range 12 {
			p.Send((p.Rank()+1<<x)%4096, mailbox.Message{})
		}
	}}
	require.Equal(t, cost{messages: 49_152, colouring: 114, quiescence: 129}, costOf(newLab(t).run(logp, fixed, nil)))
}

// Without failures and with a power of two, the first messages go down a binomial tree, and a
// rank's last message leaves as many overheads after that.
func TestBinomialGraphTakesWhatABinomialTreeTakes(t *testing.T) {
	lab := newLab(t)
	for n := range 11 {
		for _, logp := range []clock.LogP{{Latency: 2, Overhead: 1}, {Latency: 1, Overhead: 1}, {Latency: 7, Overhead: 1}, {Latency: 5, Overhead: 3}} {
			logp.Ranks = 1 << n
			rep := lab.run(logp, binomialGraph(logp.Ranks, logp.Ranks/3).Program(mailbox.Message{}), nil)
			require.EqualValues(t, n<<n, rep.Messages, "%+v", logp)
			require.Equal(t, logp.Delivery().Times(n), rep.Colouring, "%+v", logp)
			if n > 0 { // nobody waits for a receive port
				last := logp.Overhead.Times(n - 1)
				require.Equal(t, rep.Colouring+last+logp.Delivery(), rep.Quiescence, "%+v", logp)
			}
		}
	}
}

// Whom a rank sends to: all neighbours, the dimension it was reached by last.
func TestBinomialGraphGoesOnWithTheNextDimension(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 16, Latency: 2, Overhead: 1}
	rep := lab.run(logp, binomialGraph(16, 0).Program(mailbox.Message{}), nil)
	require.Equal(t, []int{1, 2, 4, 8}, sends(rep, 0))
	require.Equal(t, []int{3, 5, 9, 2}, sends(rep, 1), "reached over dimension 0")
	require.Equal(t, []int{12, 5, 6, 8}, sends(rep, 4), "reached over dimension 2")
	require.Equal(t, []int{9, 10, 12, 0}, sends(rep, 8), "reached over dimension 3, so 0 is next")

	logp.Ranks = 11
	rep = lab.run(logp, binomialGraph(11, 9).Program(mailbox.Message{}), nil)
	require.Equal(t, []int{10, 0, 2, 6}, sends(rep, 9))
	require.Equal(t, []int{4, 8, 1, 2}, sends(rep, 0), "reached by rank 9 over dimension 1")
	require.EqualValues(t, 44, rep.Messages)
	require.Empty(t, rep.Unreached)
}

// disjointPaths is how many paths from rank 0 to another rank have no rank in common but
// these two: augmenting paths in the graph of halves, in which rank r is left from 2r+1 and
// entered at 2r.
func disjointPaths(ranks, to int) int {
	residual := make([]bool, 4*ranks*ranks)
	edges := make([][]int, 2*ranks)
	edge := func(a, b int) *bool { return &residual[2*ranks*a+b] }
	join := func(a, b int) {
		*edge(a, b) = true
		edges[a], edges[b] = append(edges[a], b), append(edges[b], a)
	}
	for rank := range ranks {
		join(2*rank, 2*rank+1)
		for step := 1; step < ranks; step *= 2 {
			join(2*rank+1, 2*((rank+step)%ranks))
		}
	}
	seen := make([]bool, 2*ranks)
	var augment func(at int) bool
	augment = func(at int) bool {
		if at == 2*to {
			return true
		}
		seen[at] = true
		for _, next := range edges[at] {
			if !seen[next] && *edge(at, next) && augment(next) {
				*edge(at, next), *edge(next, at) = false, true
				return true
			}
		}
		return false
	}
	paths := 0
	for augment(1) {
		paths++
		clear(seen)
	}
	return paths
}

// Corrected Gossip, section IV-B: there are log2 P paths without a rank in common. It says so
// of powers of two; it holds, rounded up, for any P.
func TestBinomialGraphHasAsManyDisjointPathsAsDimensions(t *testing.T) {
	t.Parallel()
	for ranks := 2; ranks <= 90; ranks += thorough.Stride(10) {
		dimensions := bits.Len(uint(ranks - 1))
		require.Equal(t, dimensions-1, binomialGraph(ranks, 0).Tolerates())
		for to := 1; to < ranks; to++ {
			require.Equal(t, dimensions, disjointPaths(ranks, to), "P=%d, to rank %d", ranks, to)
		}
	}
}

// All sets of so many ranks that are down, for powers of two and others.
func TestBinomialGraphReachesEverybodyWhoeverIsDown(t *testing.T) {
	t.Parallel()
	lab := newLab(t)
	for ranks := 1; ranks <= 17; ranks += thorough.Stride(16) {
		logp := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
		root := 5 % ranks
		g := binomialGraph(ranks, root)
		for _, dead := range subsets(ranks, g.Tolerates()) {
			for i := range dead {
				dead[i] = (dead[i] + root) % ranks
			}
			rep := lab.run(logp, g.Program(mailbox.Message{}), down(dead...))
			require.Empty(t, rep.Unreached, "P=%d, down %v", ranks, dead)
			require.Empty(t, rep.Deadlocks, "P=%d, down %v", ranks, dead)
		}
	}
}

// As many failures as dimensions are one too many, from four ranks on: they can be all
// neighbours of the root. Smaller graphs are complete.
func TestOneFailureMoreCutsTheRootOff(t *testing.T) {
	lab := newLab(t)
	for ranks := 2; ranks <= 70; ranks++ {
		logp := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
		g := binomialGraph(ranks, 0)
		var neighbours []int
		for step := 1; step < ranks; step *= 2 {
			neighbours = append(neighbours, step)
		}
		require.Len(t, neighbours, g.Tolerates()+1)
		rep := lab.run(logp, g.Program(mailbox.Message{}), down(neighbours...))
		require.Len(t, rep.Unreached, ranks-1-len(neighbours), "P=%d", ranks)
		require.Equal(t, ranks < 4, len(rep.Unreached) == 0, "P=%d", ranks)
	}
}

// Every crash and hang of up to as many ranks as it tolerates, at every point of their
// programs.
func TestBinomialGraphStandsEveryFailureItTolerates(t *testing.T) {
	t.Parallel()
	for ranks := 3; ranks <= 9; ranks++ {
		g := binomialGraph(ranks, 1)
		trial := search.Trial{
			Program: g.Program(mailbox.Message{}),
			Judge: func(rep *report.Report) []guarantee.Verdict {
				return guarantee.Check(guarantee.Run{Report: rep, Roots: []int{1}}, guarantee.ReachesEveryLiveRank{}, guarantee.NoDeadlock{})
			},
		}
		found, err := search.Explore(t.Context(), &search.Subject{
			Machine: emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 2}}, Roots: []int{1},
			NewTrial: func() (search.Trial, error) { return trial, nil },
		}, search.ExploreOptions{Faults: g.Tolerates(), Every: ranks <= 6})
		require.NoError(t, err)
		require.Empty(t, found.Violations, "P=%d", ranks)
		require.NotZero(t, found.Runs)
	}
}

// On any machine, from any root, whoever is slow: up to as many failures as it tolerates, at
// any points, do no harm.
func TestBinomialGraphReachesEveryLiveRank(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 100)
		root := rapid.IntRange(0, logp.Ranks-1).Draw(t, "root")
		g := binomialGraph(logp.Ranks, root)
		g.Epoch = rapid.Uint32Range(0, 2).Draw(t, "epoch")
		msg := mailbox.Message{A: 7, Payload: "news"}
		delivered := make([]mailbox.Message, logp.Ranks)
		program := g.Program(msg)
		program.Main = func(p protocols.Proc) { delivered[p.Rank()] = g.Run(p, msg) }
		s := points.Failures(t, anyOthers(t, logp.Ranks, root, g.Tolerates()))
		s = append(s, points.Slow(t, logp.Ranks)...)
		rep := lab.run(logp, program, s)
		requireHeld(t, rep, []int{root}, guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{},
			guarantee.NoDuplicates{ByEpoch: true}, guarantee.ReachesEveryLiveRank{}, guarantee.Termination{})
		msg.Kind, msg.Epoch = broadcast.Down, g.Epoch
		for rank, got := range delivered {
			if rep.Ranks[rank].Outcome == report.Finished {
				require.Equal(t, msg, got, "rank %d, faults %v", rank, s)
			}
		}
	})
}

// The neighbours of the root fail, all but one: what is left of the graph still reaches
// everybody, whichever one it is.
func TestBinomialGraphNeedsOneNeighbourOfTheRoot(t *testing.T) {
	lab := newLab(t)
	for _, ranks := range []int{64, 100, 127, 129, 1000, 4096} {
		logp := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
		g := binomialGraph(ranks, 0)
		for left := range g.Tolerates() + 1 {
			var dead []int
			for x := range g.Tolerates() + 1 {
				if x != left {
					dead = append(dead, 1<<x)
				}
			}
			rep := lab.run(logp, g.Program(mailbox.Message{}), down(dead...))
			require.Empty(t, rep.Unreached, "P=%d, down %v", ranks, dead)
		}
	}
}

// Broadcasts in a row, from different roots, are told apart by their epochs.
func TestBinomialGraphsInARowAreToldApart(t *testing.T) {
	const ranks = 21
	var all []*broadcast.BinomialGraph
	for i := range 5 {
		g := binomialGraph(ranks, 4*i)
		g.Epoch = uint32(i)
		all = append(all, g)
	}
	got := make([][]int64, ranks)
	program := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		for i, g := range all {
			got[p.Rank()] = append(got[p.Rank()], g.Run(p, mailbox.Message{A: int64(100*i + p.Rank())}).A)
		}
	}}
	s := faults.MustParse("crash:7,crash:5@send3,slow:9x5,slow:3x20@t9")
	rep := newLab(t).run(clock.LogP{Ranks: ranks, Latency: 3, Overhead: 1}, program, s)
	require.Empty(t, rep.Deadlocks)
	for rank, values := range got {
		if !rep.Ranks[rank].Outcome.Failed() {
			require.Equal(t, []int64{0, 104, 208, 312, 416}, values, "rank %d", rank)
		}
	}
}

func TestBinomialGraphsAreDeterministic(t *testing.T) {
	logp := clock.LogP{Ranks: 300, Latency: 2, Overhead: 1}
	var hashes []report.Hash
	for _, workers := range []int{1, 2, 7} {
		machine := must(emu.New(emu.Config{LogP: logp, Trace: emu.TraceHash, Workers: workers}))
		rep, err := machine.Run(context.Background(), binomialGraph(300, 77).Program(mailbox.Message{}),
			emu.Options{Faults: faults.MustParse("crash:78@t3,crash:100@send4,hang:200@t20")})
		require.NoError(t, err)
		hashes = append(hashes, rep.Hash)
	}
	require.Len(t, slices.Compact(hashes), 1)
}

func TestNewBinomialGraphRefusesWhatDoesNotFit(t *testing.T) {
	for want, c := range map[string][2]int{
		"broadcast: binomial graph of 0 ranks, want 1 to 2147483647":          {0, 0},
		"broadcast: binomial graph of 2147483648 ranks, want 1 to 2147483647": {clock.MaxRanks + 1, 0},
		"broadcast: root 9, want 0 to 8":                                      {9, 9},
		"broadcast: root -1, want 0 to 8":                                     {9, -1},
	} {
		_, err := broadcast.NewBinomialGraph(c[0], c[1])
		require.EqualError(t, err, want)
	}
}
