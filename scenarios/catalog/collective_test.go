package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// function is a*x+b as the operator has it.
func function(a, b int64) []int64 { return []int64{a<<32 | b} }

// Combining is to do the second function first, modulo a prime. Results are compared with what the same operator makes of the same numbers,
// so only this looks at the operator itself.
func TestCombiningIsToDoTheSecondFirst(t *testing.T) {
	const prime = 1<<31 - 1
	for _, c := range []struct{ f, g, want []int64 }{
		{function(3, 5), function(7, 11), function(21, 3*11+5)},
		{function(7, 11), function(3, 5), function(21, 7*5+11)},
		{function(1, 0), function(9, 8), function(9, 8)},
		{function(9, 8), function(1, 0), function(9, 8)},
		{function(prime-1, 0), function(2, 0), function(prime-2, 0)},
		{function(prime, prime), function(5, 6), function(0, 0)},
		{function(prime+2, prime+1), function(1, prime), function(2, 1)},
		{function(1, prime-1), function(1, 3), function(1, 2)},
	} {
		require.Equal(t, c.want, composition(c.f, c.g))
	}
}

// Numbers say where they come from and where they go, and no two of a line are the same.
func TestBlocksSayWhereTheyComeFrom(t *testing.T) {
	in := collectiveInput{tasks: 3, root: 1, n: 2}
	number := func(from, to, i int64) int64 { return from<<40 | to<<20 | i }
	require.Equal(t, []int64{number(1, 3, 1), number(1, 3, 2)}, in.block(0, 2))
	require.Equal(t, in.block(2, 2), in.own(2))
	for to, want := range [][]int64{
		{number(3, 1, 1), number(3, 1, 2)},
		{number(3, 2, 1), number(3, 2, 2), number(3, 2, 1)},
		{number(3, 3, 1), number(3, 3, 2), number(3, 3, 1), number(3, 3, 2)},
		{},
		{number(3, 5, 1)},
	} {
		require.Equal(t, want, in.appendUneven([]int64{}, 2, to))
	}
	require.Equal(t, [][]int64{in.block(2, 0), in.block(2, 1), in.block(2, 2)}, in.lists(2))
	for to := range 3 {
		require.Equal(t, in.block(2, to), in.even(2).Of(to))
		require.Equal(t, in.appendUneven(nil, 2, to), in.uneven(2).Of(to))
	}
	require.Equal(t, append(append(in.block(0, 1), in.block(1, 1)...), in.block(2, 1)...), in.received(1, in.appendBlock))
	require.Equal(t, composition(composition(in.own(1), in.own(2)), in.own(0)), in.combined(1))
}

// One rank, which the seed chooses, comes to a barrier later than all others can have got through.
func TestOneRankComesToABarrierLast(t *testing.T) {
	chosen := make(map[int]bool)
	for _, seed := range []string{"0", "1", "2", "3", "4", "5", "6", "7"} {
		in := collectiveInputOf(mustParse(t, "collective P=4 op=barrier L=9 n=5 root=2 seed="+seed).Settings())
		require.Equal(t, &collectiveInput{tasks: 4, root: 2, n: 5, last: in.last, lateness: 4 * (1 + 3) * 11}, in)
		chosen[in.last] = true
	}
	require.Len(t, chosen, 4, "any of them")
	long := collectiveInputOf(mustParse(t, "collective P=4 op=barrier L=1000000000000").Settings())
	require.Equal(t, clock.MaxCost, long.lateness)
}

// Backups are kept from that risk on from which they are cheaper, which depends on everything that they cost and save.
func TestBackupsAreKeptFromACertainRiskOn(t *testing.T) {
	var all strings.Builder
	for _, text := range []string{
		"collective P=8 op=reduce combine=5 restore=400", "collective P=8 op=reduce combine=6 restore=400", "collective P=8 op=reduce combine=5 restore=401", "collective P=8 op=reduce combine=5 restore=400 n=2 G=1",
		"collective P=8 op=allreduce combine=5 restore=900 o=3 L=7 g=4", "tpch-q3 P=8 sf=0.001 generate=90", "tpch-q3 P=8 sf=0.001 work=90 generate=90", "tpch-q3 P=8 sf=0.001 restore=200 G=1", "tpch-q3 P=6 sf=0.002 generate=33",
	} {
		messages := func(words string) int64 { return mustExecute(t, text+words, scenarios.Options{}).Report.Messages }
		all.WriteString(text + ": ")
		if with := messages(" backup=all"); messages(" backup=auto risk=1") == with {
			low, high := 0.0, 1.0
			for range 20 {
				if middle := (low + high) / 2; messages(fmt.Sprintf(" backup=auto risk=%.9f", middle)) == with {
					high = middle
				} else {
					low = middle
				}
			}
			fmt.Fprintf(&all, "from %.5f on\n", high)
		} else {
			all.WriteString("never\n")
		}
	}
	requireGolden(t, "testdata/backups.golden", all.String())
}
