package broadcast_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// lone is one rank of the largest machine. It has got one message, and its sends are noted.
type lone struct {
	protocols.Proc
	rank, from int
	got        mailbox.Message
	most       int // sends, before the test has seen enough
	sent       []int
}

type enough struct{}

func (p *lone) Rank() int                                               { return p.rank }
func (p *lone) Size() int                                               { return clock.MaxRanks }
func (p *lone) Step(string)                                             {}
func (p *lone) Now() clock.Time                                         { return 0 }
func (p *lone) WaitUntil(clock.Time)                                    {}
func (p *lone) Recv(mailbox.Want) (int, mailbox.Message)                { return p.from, p.got }
func (p *lone) Poll(mailbox.Want) (from int, m mailbox.Message, _ bool) { return 0, m, false }

func (p *lone) Send(to int, _ mailbox.Message) {
	if p.sent = append(p.sent, to); len(p.sent) == p.most {
		panic(enough{})
	}
}

// targets are whom a rank sends to that got a message from another one, at most so many.
func targets(program protocols.Program, rank, from int, kind mailbox.Kind, most int) (all []int) {
	p := &lone{rank: rank, from: from, got: mailbox.Message{Kind: kind}, most: most}
	defer func() {
		if why := recover(); why != nil && why != (enough{}) {
			panic(why)
		}
		all = p.sent
	}()
	program.Main(p)
	return p.sent
}

const last = clock.MaxRanks - 1

// Neighbours of the last ranks are the first ones, at powers of two.
func TestBinomialGraphOfTheLargestMachine(t *testing.T) {
	graph := binomialGraph(clock.MaxRanks, 0)
	require.Equal(t, 30, graph.Tolerates())
	for _, rank := range []int{1, 1 << 30, last - 1, last} {
		from := rank - 1
		got := targets(graph.Program(mailbox.Message{}), rank, from, broadcast.Down, 0)
		require.Len(t, got, 31)
		for i, to := range got {
			power := (1 + i) % 31 // it was reached over dimension 0
			require.Equal(t, (rank+1<<power)%clock.MaxRanks, to, "rank %d, send %d", rank, i)
		}
	}
	require.Equal(t, 1<<30-1, targets(graph.Program(mailbox.Message{}), last, last-1<<29, broadcast.Down, 0)[0])
}

// Children are ranks that there are, and come later in the heap.
func TestMultiTreeOfTheLargestMachine(t *testing.T) {
	const root = last
	trees := must(broadcast.NewMultiTree(clock.MaxRanks, 2, 2, root))
	reached := 0
	for _, rank := range []int{0, 1, 2, 1 << 20, 1<<29 - 1} {
		for _, child := range targets(trees.Program(mailbox.Message{}), rank, root, broadcast.Down, 0) {
			require.Greater(t, child, rank)
			require.Less(t, child, clock.MaxRanks)
			require.NotEqual(t, root, child)
			reached++
		}
	}
	require.Equal(t, 10, reached)
	require.Equal(t, []int{last - 2}, targets(trees.Program(mailbox.Message{}), last-1, root, broadcast.Down, 0), "the last place of the second tree")
}

// Corrections go round the end of the ring.
func TestCorrectionOnTheRingOfTheLargestMachine(t *testing.T) {
	for name, c := range map[string]struct {
		correction correction.Correction
		want       []int
	}{
		"checked":       {correction.Checked{}, []int{last - 1, 0, last - 2, 1, last - 3, 2}},
		"opportunistic": {&correction.Opportunistic{Messages: 6}, []int{0, last - 1, 1, last - 2, 2, last - 3}},
		"optimized":     {&correction.Opportunistic{Messages: 6, Optimized: true}, []int{0, last - 1, 1, last - 2, 2, last - 3}},
		"failure-proof": {must(correction.NewFailureProof(clock.LogP{Ranks: clock.MaxRanks, Latency: 2, Overhead: 1}, 1)), []int{last - 1, 0, last - 2, 1, last - 3, 2}},
	} {
		b := must(broadcast.New(clock.LogP{Ranks: clock.MaxRanks, Latency: 2, Overhead: 1}, broadcast.Options{
			Tree: tree.Binomial{Ranks: clock.MaxRanks}, Correction: c.correction,
		}))
		parent, _ := b.Tree.Parent(last)
		require.Equal(t, c.want, targets(b.Program(mailbox.Message{}), last, parent, broadcast.Down, 6), name)
	}
}

// A rank sends to its children, whoever is the root.
func TestBroadcastOnTheLargestMachine(t *testing.T) {
	logp := clock.LogP{Ranks: clock.MaxRanks, Latency: 2, Overhead: 1}
	for _, root := range []int{0, 5, last} {
		turned := must(tree.WithRoot(tree.Binomial{Ranks: clock.MaxRanks}, root))
		b := must(broadcast.New(logp, broadcast.Options{Tree: turned, Correction: correction.None{}}))
		for _, rank := range []int{1, 2, 77, 1 << 29, last - 1} {
			if parent, ok := turned.Parent(rank); ok {
				require.Equal(t, slices.Collect(tree.Children(turned, rank)), targets(b.Program(mailbox.Message{}), rank, parent, broadcast.Down, 0))
			}
		}
	}
}
