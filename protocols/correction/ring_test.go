package correction

import (
	"testing"

	"github.com/stretchr/testify/require"

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
