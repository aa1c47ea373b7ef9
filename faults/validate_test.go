package faults

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestValidateAcceptsTheEdgesOfEveryRange(t *testing.T) {
	for _, text := range []string{
		"none",
		"crash:0@t0,crash:63@t1099511627776",
		"crash:~1,crash:~64",
		"crash:0.000000001%,crash:100%",
		"slow:3x2,slow:3x1000000",
		"crash:3@send1,crash:3@send2,hang:3@send1", // several faults on one rank
		"crash:3@recv2147483647,crash:3@step:a#2147483647",
		"crash:4@t10,rejoin:4@t90,hang:4@t120,rejoin:4@t200",
		"rejoin:63@t1,rejoin:0@t1099511627776", // of ranks that never fail
		"rejoin:0.000000001%@t1,rejoin:100%@t1",
		"cut:0|63,cut:0-62|63@t1099511627776,cut:63|*,cut:1-63|*,cut:0+2|1+3",
		"cut:~1|*,cut:~63|*,cut:0.000000001%|*,cut:100%|*",
	} {
		assert.NoError(t, MustParse(text).Validate(64), text)
	}
	assert.NoError(t, Schedule{}.Validate(1))
	assert.NoError(t, Schedule{}.Validate(clock.MaxRanks))
}

func TestValidateListsEveryProblemWithItsRange(t *testing.T) {
	s := MustParse("crash:99@t3,hang:1@t1,slow:~65x2@t1,hang:1@t1,hang:1@t1,crash:64@recv1")
	require.EqualError(t, s.Validate(64), "faults: crash:99@t3: rank 99, want 0 to 63"+
		"; slow:~65x2@t1: number of ranks 65, want 1 to 64"+
		"; crash:64@recv1: rank 64, want 0 to 63"+
		"; hang:1@t1: listed twice")
}

func TestValidateChecksFaultsMadeInGo(t *testing.T) {
	for want, f := range map[string]Fault{
		"kind(9):0@t0: unknown kind kind(9), want crash, hang, slow, rejoin, cut, mend, late, lose or twice": {Kind: 9},
		"crash:select(3)@t0: unknown selection 3, want One, Count or Rate":                                   {Select: 3},
		"crash:-1@t0: rank -1, want 0 to 7":                                                                  {Rank: -1},
		"crash:~0@t0: number of ranks 0, want 1 to 8":                                                        {Select: Count},
		"crash:0%@t0: rate 0%, want more than 0% and at most 100%":                                           {Select: Rate},
		"crash:101%@t0: rate 101%, want more than 0% and at most 100%":                                       {Select: Rate, Rate: 101 * OnePercent},
		"slow:0x1@t0: factor 1, want 2 to 1000000":                                                           {Kind: Slow, Factor: 1},
		"hang:0x4@t0: factor 4, want none: only slow has one":                                                {Kind: Hang, Factor: 4},
		"crash:~1@t0: Rank 5, want none: only a fault of one rank has one":                                   {Select: Count, Number: 1, Rank: 5},
		"crash:0@t0: Number 5, want none: only Count has one":                                                {Number: 5},
		"crash:0@t0: Rate 5%, want none: only Rate has one":                                                  {Rate: 5 * OnePercent},
		"crash:0@t-1: time -1, want 0 to 1099511627776":                                                      {At: OnTime(-1)},
		"crash:0@t9223372036854775807: time 9223372036854775807, want 0 to 1099511627776":                    {At: OnTime(clock.Never)},
		"crash:0@t0: N 2, want none: only a point in the program has one":                                    {At: Point{N: 2}},
		"crash:0@t0: Step a, want none: only AtStep has one":                                                 {At: Point{Step: "a"}},
		"crash:0@before-send0: send number 0, want 1 to 2147483647":                                          {At: BeforeNthSend(0)},
		"crash:0@send-1: send number -1, want 1 to 2147483647":                                               {At: DuringNthSend(-1)},
		"crash:0@after-send0: send number 0, want 1 to 2147483647":                                           {At: AfterNthSend(0)},
		"crash:0@recv0: receive number 0, want 1 to 2147483647":                                              {At: OnNthRecv(0)},
		"crash:0@step:a#0: passage 0, want 1 to 2147483647":                                                  {At: OnStep("a", 0)},
		"crash:0@step:a,b: step name \"a,b\", want one or more of A-Z a-z 0-9 - _ . /":                       {At: OnStep("a,b", 1)},
		"crash:0@recv1: Time 4, want none: only AtTime has one":                                              {At: Point{Anchor: AtRecv, N: 1, Time: 4}},
		"crash:0@anchor(12)0: unknown anchor 12, want AtTime to AfterSync":                                   {At: Point{Anchor: 12}},
		"crash:0@write0: write number 0, want 1 to 2147483647":                                               {At: DuringNthWrite(0)},
		"crash:0@sync0: sync number 0, want 1 to 2147483647":                                                 {At: DuringNthSync(0)},
		"crash:0@t0:kept2+1: kept changes \"2+1\", want \"1-2\"":                                             {Kept: "2+1"},
		"late:0@send1+1:kept1: kept changes 1, want none: only crash or hang has one":                        {Kind: Late, At: DuringNthSend(1), Delay: 1, Kept: "1"},
		"crash:0@t0+3: delay 3, want none: only late and twice has one":                                      {Delay: 3},
		"crash:0@t0..t9: Until 9, want none: only a fault of messages on links has one":                      {Until: 9},
		"crash:0@t0: OneWay true, want none: only a fault on links has one":                                  {OneWay: true},
		"cut:0|1@t4..t9: Until 9, want none: only a fault of messages on links has one":                      {Kind: Cut, Left: "0", Right: "1", At: OnTime(4), Until: 9},
		"lose:0|1@t4..t4: times t4 to t4, want a later end, up to 1099511627776":                             {Kind: Lose, Left: "0", Right: "1", At: OnTime(4), Until: 4},
		"lose:0@send1..t4: Until 4, want none: only a fault of messages on links has one":                    {Kind: Lose, At: DuringNthSend(1), Until: 4},
		"late:0@send1+0: delay 0, want 1 to 1099511627776":                                                   {Kind: Late, At: DuringNthSend(1)},
		"mend:~2|*@t4: ranks to draw, want those that were cut off before":                                   {Kind: Mend, Select: Count, Number: 2, Right: Others, At: OnTime(4)},
	} {
		assert.EqualError(t, Schedule{f}.Validate(8), "faults: "+want)
	}
}

func TestValidateChecksTheNumberOfRanks(t *testing.T) {
	for _, ranks := range []int{math.MinInt, -1, 0, clock.MaxRanks + 1} {
		require.ErrorContains(t, MustParse("crash:3").Validate(ranks), "want 1 to 2147483647")
	}
}

func TestExplicitMeansNothingIsLeftToDraw(t *testing.T) {
	assert.True(t, Schedule(nil).Explicit())
	assert.True(t, MustParse("crash:3,slow:4x2@recv1").Explicit())
	assert.False(t, MustParse("crash:3,crash:~1").Explicit())
	assert.False(t, MustParse("crash:1%").Explicit())
}
