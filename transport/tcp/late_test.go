package tcp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestLatenessIsTheMostThatThereWas(t *testing.T) {
	var l lateness
	require.Zero(t, l.most())
	for _, c := range []struct{ by, most int }{{-4, 0}, {0, 0}, {3, 3}, {2, 3}, {7, 7}, {-1, 7}, {7, 7}} {
		l.note(clock.Time(c.by))
		require.EqualValues(t, c.most, l.most())
	}
}

// A rank reports how late it was.
func TestRankReportsHowLateItWas(t *testing.T) {
	r := listening(t, Config{Job: pairOfProcesses()}).local(0)
	r.late.note(5)
	require.EqualValues(t, 5, r.report().Late)
}
