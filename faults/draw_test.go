package faults

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/clock"
)

// slowSkip multiplies q by itself, in exact arithmetic, until it is no more above u.
func slowSkip(success Percent, u uint64, limit int) int {
	q := big.NewRat(int64(certain-success), int64(certain))
	drawn := new(big.Rat).SetFrac(new(big.Int).SetUint64(u), new(big.Int).Lsh(big.NewInt(1), 64))
	power := new(big.Rat).Set(q)
	for k := range limit {
		if drawn.Cmp(power) >= 0 {
			return k
		}
		power.Mul(power, q)
	}
	return limit
}

func TestSkipAgreesWithExactArithmetic(t *testing.T) {
	const limit = 60
	random := rand.New(rand.NewPCG(1, 2))
	for _, success := range []Percent{1, OnePercent, 7 * OnePercent, 50 * OnePercent, 99 * OnePercent, certain} {
		g := newGeometric(success, limit)
		for range 300 {
			u := random.Uint64()
			assert.Equal(t, slowSkip(success, u, limit), min(g.skip(u), limit), "%s, u=%d", success, u)
		}
	}
}

func TestSkipOfTheExtremeDraws(t *testing.T) {
	const most = 1<<64 - 1
	assert.Equal(t, 0, newGeometric(certain, 1000).skip(0), "a sure success skips nothing")
	assert.Equal(t, 0, newGeometric(OnePercent, 1000).skip(most))
	for _, n := range []int{1, 2, 63, 64, 1000} {
		assert.GreaterOrEqual(t, newGeometric(1, n).skip(0), n, "the longest skip passes all %d", n)
	}
}

func TestDrawRateOfNothing(t *testing.T) {
	assert.Empty(t, drawRate(certain, 0, stream(1, 0)))
}

func TestStreamsDifferBySeedAndItem(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(100) {
		for item := range 100 {
			seen[stream(seed, item).Uint64()] = true
		}
	}
	assert.Len(t, seen, 100*100)
}

// Few of many are drawn as they would be otherwise.
func TestFewPlacesAreDrawnAsManyAre(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 1000} {
		for _, k := range []int{1, (n + 1) / 2, n} {
			for seed := range uint64(30) {
				assert.Equal(t, drawCount(k, n, stream(seed, 0)), drawFew(k, n, stream(seed, 0)), "%d of %d", k, n)
			}
		}
	}
}

func TestDrawsOfTheLargestMachine(t *testing.T) {
	const last = clock.MaxRanks - 1
	for _, text := range []string{"crash:~1000", "hang:0.00005%@t4,slow:~3x2", "cut:~5|*@t3"} {
		s, err := MustParse(text).Expand(clock.MaxRanks, 7, 0, last)
		assert.NoError(t, err)
		assert.NoError(t, s.Validate(clock.MaxRanks))
		upper := 0
		for _, f := range s {
			assert.False(t, f.Rank == last, text)
			if f.Rank > clock.MaxRanks/2 {
				upper++
			}
		}
		assert.Equal(t, text != "cut:~5|*@t3", upper > len(s)/3, "%s: %d of %d are in the upper half", text, upper, len(s))
	}
	s, err := MustParse("crash:~1").Expand(2, 7, 0)
	assert.NoError(t, err)
	assert.Equal(t, 1, s[0].Rank)
}
