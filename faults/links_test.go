package faults

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSidesOfACut(t *testing.T) {
	for text, want := range map[string][]uint8{
		"cut:0-3|4-7":         {1, 1, 1, 1, 2, 2, 2, 2},
		"cut:4-7|0-3":         {1, 1, 1, 1, 2, 2, 2, 2},
		"cut:1|6":             {0, 1, 0, 0, 0, 0, 2, 0},
		"cut:4|*":             {2, 2, 2, 2, 1, 2, 2, 2},
		"cut:0-2+5+7|3+6@t10": {1, 1, 1, 2, 0, 1, 2, 1},
		"cut:~3|*":            nil,
		"cut:1%|*":            nil,
		"crash:3":             nil,
		"rejoin:3@t1":         nil,
	} {
		assert.Equal(t, want, MustParse(text)[0].Sides(8), text)
	}
	assert.Equal(t, []uint8{1, 1}, MustParse("cut:0-3|4-7")[0].Sides(2), "ranks that do not exist are on no side")
}

// Whoever is on a side is there in the text, and the other way round.
func TestSidesAreThoseOfTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.SliceOfN(rapid.Uint8Range(0, 2), 2, 12).Draw(t, "sides")
		var ranks [3][]int
		for rank, side := range sides {
			ranks[side] = append(ranks[side], rank)
		}
		if len(ranks[1]) == 0 || len(ranks[2]) == 0 {
			t.Skip("a side is empty")
		}
		for _, f := range []Fault{
			CutBetween(GroupOf(ranks[1]...), GroupOf(ranks[2]...), 7),
			CutBetween(GroupOf(ranks[2]...), GroupOf(ranks[1]...), 7),
		} {
			require.NoError(t, Schedule{f}.Validate(len(sides)))
			want := sides
			if ranks[1][0] > ranks[2][0] { // the left side has the smallest rank
				want = swapped(sides)
			}
			require.Equal(t, want, f.Sides(len(sides)), f)
			require.Equal(t, Schedule{f}, MustParse(f.String()))
		}
	})
}

// A rank on both sides is found wherever it is.
func TestRanksOnBothSidesAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SliceOfN(rapid.IntRange(0, 25), 1, 8)
		a, b := GroupOf(some.Draw(t, "a")...), GroupOf(some.Draw(t, "b")...)
		common := slices.DeleteFunc(a.Ranks(), func(rank int) bool { return !slices.Contains(b.Ranks(), rank) })
		err := Schedule{CutBetween(a, b, 0)}.Validate(26)
		if len(common) == 0 {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, fmt.Sprintf("rank %d is on both sides", common[0]))
		}
	})
}

func swapped(sides []uint8) []uint8 {
	other := []uint8{0, 2, 1}
	all := make([]uint8, len(sides))
	for i, side := range sides {
		all[i] = other[side]
	}
	return all
}

func TestCutBetweenPutsOthersLast(t *testing.T) {
	want := Fault{Kind: Cut, Left: "4", Right: Others, At: OnTime(3)}
	assert.Equal(t, want, CutBetween("4", Others, 3))
	assert.Equal(t, want, CutBetween(Others, "4", 3))
}

func TestValidateChecksCuts(t *testing.T) {
	for want, f := range map[string]Fault{
		`cut:|@t0: left side "", want ranks such as 0-3+9; cut:|@t0: right side "", want ranks such as 0-3+9`:                             {Kind: Cut},
		`cut:*|*@t0: left side "*", want ranks such as 0-3+9`:                                                                             {Kind: Cut, Left: Others, Right: Others},
		`cut:*|4@t0: left side "*", want ranks such as 0-3+9`:                                                                             {Kind: Cut, Left: Others, Right: "4"},
		`cut:1|@t0: right side "", want ranks such as 0-3+9`:                                                                              {Kind: Cut, Left: "1"},
		`cut:1|9@t0: right side: rank 9, want 0 to 7`:                                                                                     {Kind: Cut, Left: "1", Right: "9"},
		`cut:1+6-8|*@t0: left side: rank 8, want 0 to 7`:                                                                                  {Kind: Cut, Left: "1+6-8", Right: Others},
		`cut:2+1|5@t0: left side "2+1", want "1-2"`:                                                                                       {Kind: Cut, Left: "2+1", Right: "5"},
		`cut:6+1|5@t0: left side "6+1", want "1+6"`:                                                                                       {Kind: Cut, Left: "6+1", Right: "5"},
		`cut:2|x@t0: right side: rank "x", want 0 to 2147483646`:                                                                          {Kind: Cut, Left: "2", Right: "x"},
		`cut:5|2@t0: sides 5|2, want the one with rank 2 first`:                                                                           {Kind: Cut, Left: "5", Right: "2"},
		`cut:0-4|3-5@t0: rank 3 is on both sides`:                                                                                         {Kind: Cut, Left: "0-4", Right: "3-5"},
		`cut:0-7|*@t0: no right side: all 8 ranks are on the left`:                                                                        {Kind: Cut, Left: "0-7", Right: Others},
		`cut:4|*@t0: Rank 4, want none: only a fault of one rank has one`:                                                                 {Kind: Cut, Left: "4", Right: Others, Rank: 4},
		`cut:~2|*@t0: Left 4, want none: only a fault that draws nothing has one`:                                                         {Kind: Cut, Select: Count, Number: 2, Left: "4", Right: Others},
		`cut:~2|@t0: right side "", want "*": of drawn ranks, all links to others are meant`:                                              {Kind: Cut, Select: Count, Number: 2},
		`cut:~8|*@t0: number of ranks 8, want 1 to 7`:                                                                                     {Kind: Cut, Select: Count, Number: 8, Right: Others},
		`cut:4|*@recv1: point recv1, want a time such as t90: a cut is not tied to a program`:                                             {Kind: Cut, Left: "4", Right: Others, At: OnNthRecv(1)},
		`cut:4|*@anchor(12)0: unknown anchor 12, want AtTime to AfterSync`:                                                                {Kind: Cut, Left: "4", Right: Others, At: Point{Anchor: 12}},
		`crash:4|*@t0: Left 4, want none: only a fault on links has one; crash:4|*@t0: Right *, want none: only a fault on links has one`: {Rank: 4, Left: "4", Right: Others},
	} {
		assert.EqualError(t, Schedule{f}.Validate(8), "faults: "+want)
	}
}

// A factor of a cut is shown behind the sides, where it would be typed.
func TestValidateShowsTheFactorOfACut(t *testing.T) {
	f := Fault{Kind: Cut, Left: "4", Right: Others, Factor: 2}
	assert.EqualError(t, Schedule{f}.Validate(8), "faults: cut:4|*x2@t0: factor 2, want none: only slow has one")
}

func TestOneRankCannotBeCutOff(t *testing.T) {
	const alone = ": cut on 1 rank, want 2 or more: nobody else is there to be cut off from"
	for _, text := range []string{"cut:0|*@t0", "cut:0|1@t0", "cut:~1|*@t0", "cut:1%|*@t0"} {
		assert.EqualError(t, MustParse(text).Validate(1), "faults: "+text+alone)
	}
}

func TestDrawnRanksAreCutOffTogether(t *testing.T) {
	for seed := range uint64(50) {
		s := mustExpand(t, "cut:~3|*@t10", 20, seed, 7)
		require.Len(t, s, 1)
		require.Equal(t, Fault{Kind: Cut, Left: s[0].Left, Right: Others, At: OnTime(10)}, s[0])
		require.Equal(t, 3, s[0].Left.Size())
		require.NotContains(t, s[0].Left.Ranks(), 7, "spared")
		require.Equal(t, ranksOf(mustExpand(t, "crash:~3", 20, seed, 7)), s[0].Left.Ranks(), "drawn like ranks that crash")
	}
}

// Every rank with the same probability. What cuts nobody off from anybody vanishes.
func TestRateOfRanksThatAreCutOff(t *testing.T) {
	const seeds, ranks = 3_000, 5
	var times [ranks]int
	none := 0
	for seed := range uint64(seeds) {
		s := mustExpand(t, "cut:30%|*", ranks, seed)
		if len(s) == 0 {
			none++
			continue
		}
		require.Len(t, s, 1)
		for _, rank := range s[0].Left.Ranks() {
			times[rank]++
		}
	}
	all := 0.3 * 0.3 * 0.3 * 0.3 * 0.3
	mean, room := bounds(seeds, 0.7*0.7*0.7*0.7*0.7+all)
	assert.InDelta(t, mean, none, room)
	mean, room = bounds(seeds, 0.3-all)
	for rank, n := range times {
		assert.InDelta(t, mean, n, room, "rank %d", rank)
	}
	assert.Empty(t, mustExpand(t, "cut:100%|*", 8, 1), "nobody is left to be cut off from")
	assert.Equal(t, "cut:1-7|*@t0", mustExpand(t, "cut:100%|*", 8, 1, 0).String())
	assert.Empty(t, mustExpand(t, "cut:100%|*", 2, 1, 0, 1), "all are spared")
}

func TestCutsKeepTheirPlaceAmongOtherItems(t *testing.T) {
	const text = "crash:~2@t0,cut:~2|*@t5,cut:0|1@t9,hang:~1@t3"
	got := mustExpand(t, text, 9, 4, 0)
	assert.Equal(t, []Kind{Crash, Crash, Cut, Cut, Hang}, kindsOf(got))
	assert.Equal(t, "cut:0|1@t9", got[3].String())
	twice := mustExpand(t, fmt.Sprintf("%s,%s", got[2], "cut:100%|*@t5,cut:~8|*@t5"), 9, 4, 0)
	assert.Equal(t, fmt.Sprintf("%s,cut:1-8|*@t5", got[2]), twice.String(), "the same cut is listed once")
}

func kindsOf(s Schedule) []Kind {
	var kinds []Kind
	for _, f := range s {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

func TestDrawsOfTooManyToCutOff(t *testing.T) {
	_, err := MustParse("cut:~7|*").Expand(8, 1, 0, 1)
	assert.EqualError(t, err, "faults: cut:~7|*@t0: 7 ranks to draw, want at most the 6 that are not spared")
	_, err = MustParse("cut:~8|*").Expand(8, 1, 0, 1)
	assert.EqualError(t, err, "faults: cut:~8|*@t0: number of ranks 8, want 1 to 7", "said once")
}
