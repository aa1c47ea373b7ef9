package faults

import (
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/internal/splitmix"
)

// streamDomain keeps the streams of this package apart from others made of the same seed.
const streamDomain = 0x6661756c74730000 // "faults"

// stream returns the random numbers of one item. The first number of SplitMix64 is another one for every seed, so
// no two seeds and no two items share a stream, and neighbouring ones are far apart.
func stream(seed uint64, item int) *rand.Rand {
	return rand.New(rand.NewPCG(splitmix.At(seed, 1), splitmix.At(streamDomain+uint64(item), 1)))
}

// drawCount returns k of the places 0 to n-1, every set of k being equally likely, in
// ascending order. This is Floyd's algorithm: k random numbers whatever n is. The set is
// a bitmap, since reading it out sorts it: n/8 bytes, 128 KiB for 2^20 ranks. Few places of
// many are cheaper to sort.
func drawCount(k, n int, random *rand.Rand) []int {
	if k < n/fewOfMany {
		return drawFew(k, n, random)
	}
	set := make([]uint64, (n+63)/64)
	for last := n - k; last < n; last++ {
		place := int(random.Uint64N(uint64(last) + 1))
		if set[place/64]>>(place%64)&1 == 1 {
			place = last // not in the set: all so far are smaller
		}
		set[place/64] |= 1 << (place % 64)
	}
	places := make([]int, 0, k)
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			places = append(places, 64*i+bits.TrailingZeros64(word))
		}
	}
	return places
}

// fewOfMany is where a place in a map, and sorting it, costs less than its share of a bitmap.
const fewOfMany = 1 << 12

// drawFew is drawCount without a bitmap. It draws the same.
func drawFew(k, n int, random *rand.Rand) []int {
	set := make(map[int]struct{}, k)
	for last := n - k; last < n; last++ {
		place := int(random.Uint64N(uint64(last) + 1))
		if _, drawn := set[place]; drawn {
			place = last
		}
		set[place] = struct{}{}
	}
	return slices.Sorted(maps.Keys(set))
}

// drawRate returns each of the places 0 to n-1 with probability rate, in ascending order.
// It draws the distances between them, so it takes time for the places found and not for
// those passed over.
func drawRate(rate Percent, n int, random *rand.Rand) []int {
	g := newGeometric(rate, n)
	var places []int
	for place := g.skip(random.Uint64()); place < n; place += 1 + g.skip(random.Uint64()) {
		places = append(places, place)
	}
	return places
}

// geometric gives the number of failures before the first success in a row of trials, by
// inversion: with q the probability of a failure, and a number u drawn uniformly from
// [0,1), it is the largest k with u < q^k.
//
// The logarithms of the textbook may round differently from one processor to the next,
// and a run has to be the same on all. So here k is found bit by bit, highest first, from
// the powers q^1, q^2, q^4 and so on as 64-bit binary fractions. What they lose in
// rounding is below 2^-58 of a probability.
type geometric struct {
	powers []uint64 // powers[j] is q^(2^j), in units of 2^-64
}

// newGeometric prepares for distances up to n; longer ones come out as n or more.
func newGeometric(success Percent, n int) geometric {
	q, _ := bits.Div64(uint64(certain-success), 0, uint64(certain))
	powers := make([]uint64, bits.Len(uint(n)))
	for j := range powers {
		powers[j] = q
		q, _ = bits.Mul64(q, q)
	}
	return geometric{powers}
}

// skip turns a uniformly drawn number, in units of 2^-64, into a distance.
func (g geometric) skip(u uint64) int {
	k, power := 0, uint64(math.MaxUint64) // q^k; 1 is the one power that does not fit
	for j := len(g.powers) - 1; j >= 0; j-- {
		next, _ := bits.Mul64(power, g.powers[j])
		if u < next {
			k, power = k+1<<j, next
		}
	}
	return k
}
