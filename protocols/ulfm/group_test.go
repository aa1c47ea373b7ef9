package ulfm

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// some draws some of the numbers from 0 to size-1, in ascending order.
func some(t *rapid.T, size int, label string) (chosen []int) {
	for i, yes := range rapid.SliceOfN(rapid.Bool(), size, size).Draw(t, label) {
		if yes {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

func TestAGroupIsTheListOfItsMembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 30).Draw(t, "size")
		g, list := wholeGroup(size), make([]int, size)
		for i := range list {
			list[i] = i
		}
		for range rapid.IntRange(0, 5).Draw(t, "changes") {
			chosen := some(t, len(list), "chosen")
			if rapid.Bool().Draw(t, "without") {
				g = g.without(listed(chosen))
				for i := len(chosen) - 1; i >= 0; i-- {
					list = slices.Delete(slices.Clone(list), chosen[i], chosen[i]+1)
				}
			} else {
				chosen = rapid.Permutation(chosen).Draw(t, "order")
				g = g.only(chosen)
				var kept []int
				for _, i := range chosen {
					kept = append(kept, list[i])
				}
				list = kept
			}
			requireGroup(t, g, list, size)
		}
	})
}

// requireGroup compares a group of some of so many ranks with the plain list.
func requireGroup(t *rapid.T, g group, list []int, ranks int) {
	require.Equal(t, len(list), g.len())
	for member, machineRank := range list {
		require.Equal(t, machineRank, g.machineRank(member))
	}
	for machineRank := -2; machineRank < ranks+2; machineRank++ {
		member, ok := g.member(machineRank)
		want := slices.Index(list, machineRank)
		require.Equal(t, want >= 0, ok, "rank %d of the machine", machineRank)
		if ok {
			require.Equal(t, want, member)
		}
	}
}

func TestAGroupStaysWhenOthersAreMadeOfIt(t *testing.T) {
	whole := wholeGroup(6)
	g := whole.without(listed([]int{1}))
	g.without(listed([]int{0, 3}))
	g.only([]int{1, 2})
	require.Equal(t, 5, g.len())
	for member, machineRank := range []int{0, 2, 3, 4, 5} {
		require.Equal(t, machineRank, g.machineRank(member))
	}
}
