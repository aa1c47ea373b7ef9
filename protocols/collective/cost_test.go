package collective

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

// costly are operations and how many messages they take without failures, and how many operations
// they are made of.
var costly = []struct {
	name     string
	calls    int
	run      func(*Team) error
	messages func(ranks int) int
}{
	{"broadcast", 1, func(t *Team) error { _, err := Broadcast(t, 0, ofBytes(1)); return err }, edges},
	{"scatter", 1, func(t *Team) error { _, err := Scatter(t, 0, ofBlocks(t.Tasks(), 1)); return err }, edges},
	{"gather", 1, func(t *Team) error { _, err := Gather(t, 0, ofBytes(1)); return err }, edges},
	{"reduce", 1, func(t *Team) error { _, err := Reduce(t, 0, ofBytes(1), Elementwise(xor)); return err }, edges},
	{"alltoall", 1, func(t *Team) error { _, err := AllToAll(t, ofBlocks(t.Tasks(), 1)); return err },
		func(ranks int) int { return ranks * (ranks - 1) }},
	{"alltoallv", 1, func(t *Team) error { _, err := AllToAllV(t, ofBlocks(t.Tasks(), 1)); return err },
		func(ranks int) int { return ranks * (ranks - 1) }},
	{"allgather", 2, func(t *Team) error { _, err := AllGather(t, ofBytes(1)); return err },
		func(ranks int) int { return 2 * edges(ranks) }},
	{"allreduce", 2, func(t *Team) error { _, err := AllReduce(t, ofBytes(1), Elementwise(xor)); return err },
		func(ranks int) int { return 2 * edges(ranks) }},
	{"barrier", 2, Barrier, func(ranks int) int { return 2 * edges(ranks) }},
}

// edges are those of a tree.
func edges(ranks int) int { return ranks - 1 }

func xor(a, b byte) byte { return a ^ b }

func ofBytes(length int) Input[[]byte] {
	return Given(func(int) []byte { return make([]byte, length) })
}

func ofBlocks(tasks, length int) Input[[][]byte] {
	return Given(func(int) [][]byte {
		all := make([][]byte, tasks)
		for i := range all {
			all[i] = make([]byte, length)
		}
		return all
	})
}

// messages is what an operation takes on a machine of that size, without failures.
func messages(t *testing.T, ranks int, options Options, run func(*Team) error) int {
	machine := simple
	machine.Ranks = ranks
	r := trace(t, machine, options, "none", func(team *Team) {
		if err := run(team); err != nil {
			panic(err)
		}
	})
	return int(r.Messages)
}

// An agreement goes up and down a tree.
func TestMessagesWithoutFailures(t *testing.T) {
	for _, c := range costly {
		for ranks := 1; ranks <= 17; ranks++ {
			t.Run(fmt.Sprintf("%s/P=%d", c.name, ranks), func(t *testing.T) {
				plain, agreement := c.messages(ranks), 2*edges(ranks)
				require.Equal(t, plain, messages(t, ranks, Options{Strategy: Plain}, c.run))
				require.Equal(t, plain+2*agreement*c.calls, messages(t, ranks, Options{}, c.run))
				require.Equal(t, plain+agreement*c.calls, messages(t, ranks, Options{Strategy: Optimistic}, c.run))
			})
		}
	}
}

// "This backup strategy is adding twice the amount of needed communications" (section 3.5): every
// value is answered.
func TestBackupsCostAMessageForEachValue(t *testing.T) {
	reduce := costly[3].run
	for ranks := 1; ranks <= 17; ranks++ {
		without := messages(t, ranks, Options{}, reduce)
		require.Equal(t, without+edges(ranks), messages(t, ranks, Options{Backup: AllBackups}, reduce))
		for _, s := range []Strategy{Plain, Optimistic} { // no failure, no backups
			require.Equal(t, messages(t, ranks, Options{Strategy: s}, reduce), messages(t, ranks, Options{Strategy: s, Backup: AllBackups}, reduce))
		}
	}
}

// LogGP with P=4, binomial trees 0-2-3 and 0-1: the longest way is over two edges, and the port of the
// root is free again before it matters.
func TestTimeGrowsWithTheSizeOfBlocks(t *testing.T) {
	machine := clock.LogP{Ranks: 4, Latency: 20, Overhead: 3, PerByte: 2}
	way := func(bytes int) clock.Time { return 2*3 + 20 + 2*clock.Time(bytes-1) }
	last := func(main func(*Team) error) (latest clock.Time) {
		r := trace(t, machine, Options{Strategy: Plain}, "none", func(team *Team) {
			if err := main(team); err != nil {
				panic(err)
			}
		})
		for _, at := range r.returned {
			latest = max(latest, at)
		}
		return latest
	}
	for _, bytes := range []int{1, 10, 100} {
		require.Equal(t, 2*way(bytes), last(func(t *Team) error { _, err := Broadcast(t, 0, ofBytes(bytes)); return err }))
		require.Equal(t, 2*way(bytes), last(func(t *Team) error { _, err := Reduce(t, 0, ofBytes(bytes), Elementwise(xor)); return err }))
		// Blocks go with their lengths, a byte each: two blocks over one edge, one over the other.
		both := way(2*(bytes+1)) + way(bytes+1)
		require.Equal(t, both, last(func(t *Team) error { _, err := Scatter(t, 0, ofBlocks(4, bytes)); return err }))
		require.Equal(t, both, last(func(t *Team) error { _, err := Gather(t, 0, ofBytes(bytes)); return err }))
		// In each of three rounds everybody waits for the partner of the round.
		require.Equal(t, 3*way(bytes), last(func(t *Team) error { _, err := AllToAll(t, ofBlocks(4, bytes)); return err }))
	}
}

func TestCombiningTakesTime(t *testing.T) {
	machine := simple
	machine.Ranks = 8
	options := Options{Strategy: Plain, Combine: func(elements int) clock.Time { return clock.Time(10 * elements) }}
	r := trace(t, machine, options, "none", func(team *Team) {
		_, _ = Reduce(team, 0, ofBytes(5), Elementwise(xor))
	})
	require.Equal(t, 3*(machine.Delivery()+50), r.returned[0], "three levels, each a message and a combination")
}
