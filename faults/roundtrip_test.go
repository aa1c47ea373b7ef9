package faults

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestParseReadsBackWhatStringPrints(t *testing.T) {
	const seed = 1
	random := rand.New(rand.NewPCG(seed, 0))
	for range 20_000 {
		s := anySchedule(random)
		require.NoError(t, s.wellFormed(), "seed %d: %s", seed, s)
		got, err := Parse(s.String())
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, s, got, "seed %d: %s", seed, s)
	}
}

// anySchedule returns up to five well-formed faults of all kinds; nil when it has none.
func anySchedule(random *rand.Rand) Schedule {
	var s Schedule
	for range random.IntN(6) {
		s = append(s, anyFault(random))
	}
	return s
}

func anyFault(random *rand.Rand) Fault {
	f := Fault{Kind: Kind(random.IntN(len(kindNames))), Select: Select(random.IntN(3)), At: anyPoint(random)}
	switch f.Select {
	case One:
		f.Rank = int(upTo(random, clock.MaxRanks) - 1)
	case Count:
		f.Number = int(upTo(random, clock.MaxRanks-1))
	case Rate:
		f.Rate = Percent(upTo(random, uint64(certain)))
	}
	switch f.Kind {
	case Slow:
		f.Factor = 1 + int(upTo(random, 999_999))
	case Rejoin:
		f.At = OnTime(clock.Time(upTo(random, 1<<40)))
	case Cut:
		f.anyLinks(random, clock.Time(upTo(random, 1<<40+1)-1))
	case Mend:
		f = Fault{Kind: Mend}
		f.anyLinks(random, clock.Time(upTo(random, 1<<40)))
	case Late, Lose, Twice:
		f.anyMessages(random)
	case Crash, Hang:
		f.Kept = anyKept(random)
	}
	return f
}

// anyKept returns changes that are kept.
func anyKept(random *rand.Rand) Group {
	switch random.IntN(3) {
	case 0:
		return ""
	case 1:
		return Others
	}
	return GroupOf(int(upTo(random, 9)), int(upTo(random, clock.MaxRanks-1)), 1+int(upTo(random, 9)))
}

// anyLinks puts the fault on links.
func (f *Fault) anyLinks(random *rand.Rand, at clock.Time) {
	f.Rank, f.At = 0, OnTime(at)
	f.Left, f.Right = anySides(random, f.Select)
	if f.OneWay = random.IntN(2) == 0; f.OneWay && f.Select == One && random.IntN(2) == 0 {
		f.Left, f.Right = f.Right, f.Left
	}
}

// anyMessages lets the fault happen to messages.
func (f *Fault) anyMessages(random *rand.Rand) {
	if f.Kind != Lose {
		f.Delay = clock.Time(upTo(random, 1<<40))
	}
	if random.IntN(2) == 0 {
		f.At = DuringNthSend(int(upTo(random, math.MaxInt32)))
		return
	}
	f.anyLinks(random, clock.Time(upTo(random, 1<<40+1)-1))
	if random.IntN(2) == 0 && f.At.Time < clock.MaxCost {
		f.Until = f.At.Time + clock.Time(upTo(random, uint64(clock.MaxCost-f.At.Time)))
	}
}

// anySides returns two sets without common ranks, the one with the smallest rank first.
func anySides(random *rand.Rand, how Select) (left, right Group) {
	if how != One {
		return "", Others
	}
	var sides [2][]int
	next := int(upTo(random, 5) - 1)
	for i := range 2 + random.IntN(8) {
		side := min(i, random.IntN(2)) // rank 0 or the like is on the left
		for range 1 + random.IntN(3) {
			sides[side] = append(sides[side], next)
			next++
		}
		next += random.IntN(1_000)
	}
	if len(sides[1]) == 0 {
		return GroupOf(sides[0]...), Others
	}
	return GroupOf(sides[0]...), GroupOf(sides[1]...)
}

func anyPoint(random *rand.Rand) Point {
	switch a := Anchor(random.IntN(int(lastAnchor) + 1)); a {
	case AtTime:
		return OnTime(clock.Time(upTo(random, 1<<40+1) - 1))
	case AtStep:
		return OnStep(anyStep(random), int(upTo(random, math.MaxInt32)))
	default:
		return Point{Anchor: a, N: int(upTo(random, math.MaxInt32))}
	}
}

func anyStep(random *rand.Rand) string {
	const letters = "abxyzABXYZ0189-_./"
	name := make([]byte, 1+random.IntN(8))
	for i := range name {
		name[i] = letters[random.IntN(len(letters))]
	}
	return string(name)
}

// upTo returns a number from 1 to high, small ones and high itself more often.
func upTo(random *rand.Rand, high uint64) uint64 {
	switch random.IntN(4) {
	case 0:
		return high
	case 1:
		return 1 + random.Uint64N(high)
	}
	return 1 + random.Uint64N(min(high, 12))
}

func TestStringShowsInvalidFaultsWithoutPanic(t *testing.T) {
	assert.Equal(t, "kind(9):select(9)x5@anchor(12)-3",
		Fault{Kind: 9, Select: 9, Factor: 5, At: Point{Anchor: 12, N: -3}}.String())
	assert.Equal(t, "crash:0|1@t0..t5+7", Fault{Right: "1", Until: 5, Delay: 7}.String())
	assert.Equal(t, "cut:select(3)|@t0", Fault{Kind: Cut, Select: 3, Left: "0"}.String())
	assert.Equal(t, "cut:2+1|x@t0", Fault{Kind: Cut, Left: "2+1", Right: "x"}.String())
	assert.Equal(t, "18446744073.709551615%", Percent(math.MaxUint64).String())
}

func TestScheduleIsAStringInJSON(t *testing.T) {
	type run struct{ Faults Schedule }
	text, err := json.Marshal(run{MustParse("cut:4|*,rejoin:3@t9")})
	require.NoError(t, err)
	assert.JSONEq(t, `{"Faults":"cut:4|*@t0,rejoin:3@t9"}`, string(text))
	text, err = json.Marshal(run{MustParse("crash:3@send2,slow:~5x4@t10")})
	require.NoError(t, err)
	assert.JSONEq(t, `{"Faults":"crash:3@send2,slow:~5x4@t10"}`, string(text))

	var back run
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, MustParse("crash:3@send2,slow:~5x4@t10"), back.Faults)

	require.ErrorContains(t, json.Unmarshal([]byte(`{"Faults":"boom"}`), &back), `item 1 "boom"`)
	assert.Equal(t, MustParse("crash:3@send2,slow:~5x4@t10"), back.Faults, "untouched by the error")
}

func TestMarshalTextRefusesWhatCouldNotBeReadBack(t *testing.T) {
	_, err := Schedule{{Kind: Slow, Rank: 3}}.MarshalText()
	require.EqualError(t, err, "faults: slow:3x0@t0: factor 0, want 2 to 1000000")
	_, err = Schedule{{Kind: Cut, Left: "1+0", Right: Others}}.MarshalText()
	require.EqualError(t, err, `faults: cut:1+0|*@t0: left side "1+0", want "0-1"`)
	text, err := Schedule{}.MarshalText()
	require.NoError(t, err)
	assert.Equal(t, "none", string(text))
}
