package ulfm

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// anyBallots draws them for one purpose.
func anyBallots(p purpose) *rapid.Generator[ballot] {
	return rapid.Custom(func(t *rapid.T) ballot {
		return ballot{
			purpose: p,
			flags:   rapid.Int64().Draw(t, "flags"),
			revoked: rapid.Bool().Draw(t, "revoked"),
			busy:    rapid.Bool().Draw(t, "busy"),
			since:   rapid.Uint32().Draw(t, "since"),
			failed:  listed(some(t, 12, "failed")),
			acked:   listed(some(t, 12, "acked")),
		}
	})
}

var purposes = rapid.SampledFrom([]purpose{forAgree, forShrink, forCreate})

func TestDecodeIsTheInverseOfEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBallots(purposes.Draw(t, "purpose")).Draw(t, "ballot")
		b.found = rapid.Bool().Draw(t, "found")
		b.reported = rapid.Bool().Draw(t, "reported")
		b.made = identity(rapid.Uint32().Draw(t, "made"))
		require.Equal(t, b, *decode(b.encode()))
	})
}

func TestLargeNumbersFitIntoABallot(t *testing.T) {
	for _, flags := range []int64{math.MinInt64, -1, 0, 1, math.MaxInt64} {
		b := ballot{purpose: forCreate, flags: flags, since: math.MaxUint32, made: math.MaxUint32, failed: listed([]int{0, 1, 1<<29 - 1}), acked: listed([]int{1<<29 - 1})}
		require.Equal(t, b, *decode(b.encode()))
	}
}

func TestABallotWithoutFailuresIsShort(t *testing.T) {
	b := ballot{flags: 1, since: 1}
	require.LessOrEqual(t, len(b.encode()), 5)
}

func TestPuttingVotesTogetherIsAssociativeCommutativeAndIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		votes := anyBallots(purposes.Draw(t, "purpose"))
		a, b, c := votes.Draw(t, "a"), votes.Draw(t, "b"), votes.Draw(t, "c")
		require.Equal(t, together(a, together(b, c)), together(together(a, b), c))
		require.Equal(t, together(a, b), together(b, a))
		require.Equal(t, a, together(a, a))
		require.Equal(t, together(a, b), together(together(a, b), b), "a vote that is counted twice")
	})
}

func TestAVoteAddsWhatItKnows(t *testing.T) {
	a := ballot{flags: 0b1100, since: 3, failed: listed([]int{1, 5}), acked: listed([]int{1, 5, 7})}
	b := ballot{flags: 0b0110, since: 2, revoked: true, failed: listed([]int{2, 5}), acked: listed([]int{5, 6, 7})}
	sum := together(a, b)
	require.Equal(t, ballot{flags: 0b0100, since: 2, revoked: true, failed: listed([]int{1, 2, 5}), acked: listed([]int{5, 7})}, sum)
	require.Equal(t, []int{1, 2}, sum.unacknowledged().slice())
	require.Equal(t, []int{1, 5}, a.failed.slice(), "which is not changed by that")
}

// together puts two votes together.
func together(a, b ballot) ballot {
	a.add(&b)
	return a
}
