package search

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
)

// Only links that were cut can be brought back.
func TestNothingIsMendedThatWasNotCut(t *testing.T) {
	var d drawer
	random := rand.New(rand.NewPCG(1, 2))
	_, ok := d.mend(random, faults.MustParse("crash:3@t5"))
	require.False(t, ok)
}
