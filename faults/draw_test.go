package faults

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
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
