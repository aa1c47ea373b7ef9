package emu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// All workers find something to do, and none takes on more than 64 words.
func TestUnitsAreSmallEnoughForAllWorkers(t *testing.T) {
	for _, c := range []struct{ words, workers, want int }{
		{1, 1, 0}, {8, 1, 0}, {9, 1, 1}, {17, 1, 1}, {18, 1, 2}, {16, 2, 0}, {32, 2, 1}, {1 << 9, 1, 6}, {1 << 20, 1, 6}, {1 << 20, 1 << 13, 4},
	} {
		require.Equal(t, c.want, unitShift(c.words, c.workers), "%+v", c)
	}
}
