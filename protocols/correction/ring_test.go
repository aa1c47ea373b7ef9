package correction

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

func TestRingWrapsAround(t *testing.T) {
	for size := 1; size < 12; size++ {
		r := Ring{Size: size}
		for rank := range size {
			for d := range size + 1 {
				require.Equal(t, (rank+d)%size, r.right(rank, d))
				require.Equal(t, rank, r.left(r.right(rank, d), d))
				require.Equal(t, d%size, r.distance(rank, r.right(rank, d)))
			}
		}
	}
}

func TestTheLargestRingWrapsAround(t *testing.T) {
	r := Ring{Size: clock.MaxRanks}
	for _, rank := range []int{0, 1, clock.MaxRanks / 2, clock.MaxRanks - 1} {
		for _, d := range []int{0, 1, 1 << 30, clock.MaxRanks - 1, clock.MaxRanks} {
			require.Equal(t, (rank+d)%clock.MaxRanks, r.right(rank, d))
			require.Equal(t, rank, r.left(r.right(rank, d), d))
			require.Equal(t, d%clock.MaxRanks, r.distance(rank, r.right(rank, d)))
			k := known{limit: 2} // a rank that hears of itself counts itself, at the distance of the whole ring
			k.add(d)
			k.add(clock.MaxRanks)
			require.Equal(t, d == clock.MaxRanks, !k.passed(clock.MaxRanks))
		}
	}
}

func TestSideClosesOnceItHasReachedTheNearestRankHeardFrom(t *testing.T) {
	s := side{sent: 2}
	require.False(t, s.closed(), "nothing heard")
	s.hear(5)
	s.hear(3)
	s.hear(4)
	require.Equal(t, 3, s.nearest)
	require.False(t, s.closed())
	s.sent++
	require.True(t, s.closed())
}

// An SOS says that it is time for SOS, and nothing about who has got the message.
func TestAnAlarmSaysNothingAboutOthers(t *testing.T) {
	side := flank{known: known{limit: 3}}
	m := member{ring: Ring{Size: 8}, left: side, right: side}
	m.hear(5, mailbox.Message{Kind: SOS})
	require.True(t, m.alarm)
	require.Empty(t, m.left.distances)
	require.Empty(t, m.right.distances)
}
