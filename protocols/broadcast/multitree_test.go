package broadcast_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/report"
)

func multiTree(ranks, trees, arity, root int) *broadcast.MultiTree {
	return must(broadcast.NewMultiTree(ranks, trees, arity, root))
}

// Every rank gets the message once in each tree, for every number of ranks and trees.
func TestMultiTreeSendsOncePerTree(t *testing.T) {
	lab := newLab(t)
	for ranks := 1; ranks <= 30; ranks++ {
		logp := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
		for trees := 1; trees <= min(5, max(1, ranks-1)); trees++ {
			for arity := trees; arity <= trees+2; arity++ {
				root := (7 * trees) % ranks
				rep := lab.run(logp, multiTree(ranks, trees, arity, root).Program(mailbox.Message{}), nil)
				require.EqualValues(t, trees*(ranks-1), rep.Messages, "P=%d, %d trees of arity %d", ranks, trees, arity)
				received := make([]int, ranks)
				for _, e := range rep.Events {
					if e.Kind == report.EventSend {
						received[e.Peer]++
						require.NotEqual(t, root, e.Peer)
					}
				}
				for rank, n := range received {
					if rank != root {
						require.Equal(t, trees, n, "P=%d, %d trees of arity %d, rank %d", ranks, trees, arity, rank)
					}
				}
			}
		}
	}
}

// d trees: d-1 ranks may crash at any time.
func TestMultiTreeToleratesOneFailureLessThanTrees(t *testing.T) {
	lab := newLab(t)
	for _, c := range []struct{ ranks, trees, arity int }{{9, 2, 2}, {14, 2, 3}, {9, 3, 3}, {12, 3, 3}} {
		logp := clock.LogP{Ranks: c.ranks, Latency: 2, Overhead: 1}
		m := multiTree(c.ranks, c.trees, c.arity, 2)
		program := m.Program(mailbox.Message{})
		quiet := lab.run(logp, program, nil).Quiescence
		require.Equal(t, c.trees-1, m.Tolerates())
		for _, dead := range subsets(c.ranks, m.Tolerates()) {
			for at := range quiet {
				s := faults.Schedule{}
				for _, rank := range dead {
					s = append(s, faults.Fault{Kind: faults.Crash, Rank: (rank + 2) % c.ranks, At: faults.OnTime(at)})
				}
				rep := lab.run(logp, program, s)
				require.Empty(t, rep.Unreached, "%+v, faults %v", c, s)
				require.Empty(t, rep.Deadlocks, "%+v, faults %v", c, s)
			}
		}
	}
	rep := lab.run(clock.LogP{Ranks: 9, Latency: 2, Overhead: 1}, multiTree(9, 2, 2, 0).Program(mailbox.Message{}), down(1, 2))
	require.NotEmpty(t, rep.Unreached, "as many failures as trees cut the root off")
}

func TestNewMultiTreeRefusesWhatDoesNotFit(t *testing.T) {
	for want, c := range map[string][4]int{
		"broadcast: multi-tree of 0 ranks, want 1 to 2147483647": {0, 1, 1, 0},
		"broadcast: 9 trees over 9 ranks, want 1 to 8":           {9, 9, 9, 0},
		"broadcast: arity 1 of 2 trees, want 2 to 2147483647":    {9, 2, 1, 0},
		"broadcast: root 9, want 0 to 8":                         {9, 2, 2, 9},
		"broadcast: 0 trees over 1 ranks, want 1 to 1":           {1, 0, 1, 0},
	} {
		_, err := broadcast.NewMultiTree(c[0], c[1], c[2], c[3])
		require.EqualError(t, err, want)
	}
}
