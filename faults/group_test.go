package faults

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestGroupsHaveOneTextEach(t *testing.T) {
	for text, want := range map[string]Group{
		"3":             "3",
		"3-3":           "3",
		"0+1":           "0-1",
		"0+1+2":         "0-2",
		"2+0-1":         "0-2",
		"9+0-3":         "0-3+9",
		"0-3+2-5+4":     "0-5",
		"0-9+3":         "0-9",
		"1+1+1":         "1",
		"0+2+4":         "0+2+4",
		"*":             Others,
		"2147483646":    "2147483646",
		"0-2147483646":  "0-2147483646",
		"5-6+0-1+2-3+8": "0-3+5-6+8",
	} {
		got, err := parseGroup(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestGroupsGiveBackTheirRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.SliceOfN(rapid.IntRange(0, 30), 1, 20).Draw(t, "ranks")
		g := GroupOf(ranks...)
		slices.Sort(ranks)
		ranks = slices.Compact(ranks)
		require.Equal(t, ranks, g.Ranks())
		require.Equal(t, len(ranks), g.Size())
		again, err := parseGroup(string(g))
		require.NoError(t, err)
		require.Equal(t, g, again)
	})
}

func TestGroupsOfNobodyInParticular(t *testing.T) {
	for _, g := range []Group{"", Others, "x", "3-1"} {
		assert.Empty(t, g.Ranks(), g)
		assert.Zero(t, g.Size(), g)
	}
	assert.Empty(t, GroupOf())
	assert.Equal(t, clock.MaxRanks, Group("0-2147483646").Size(), "without a list of all of them")
}

func TestTheFirstRanksOfAGroup(t *testing.T) {
	for most, want := range map[int][]int{0: {}, 1: {1}, 3: {1, 2, 4}, 9: {1, 2, 4, 5}} {
		assert.Equal(t, want, Group("1-2+4-5").First(most))
	}
	assert.Equal(t, []int{0, 7, 8}, Group("0+7-2147483646").First(3), "of more than fit into memory")
}

func TestParseGroupErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":      `rank "", want 0 to 2147483646`,
		"1++2":  `rank "", want 0 to 2147483646`,
		"1-2-3": `rank "2-3", want 0 to 2147483646`,
		"2-1":   `range "2-1", want the smaller rank first`,
		"1 +2":  `rank "1 ", want 0 to 2147483646`,
		"**":    `rank "**", want 0 to 2147483646`,
	} {
		_, err := parseGroup(text)
		assert.EqualError(t, err, want, "%q", text)
	}
}
