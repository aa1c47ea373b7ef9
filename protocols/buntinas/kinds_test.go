package buntinas

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// Ranks may exchange other messages at the same time, which must be left for those who want them.
func TestRanksWaitForNothingButTheirOwnKinds(t *testing.T) {
	for number := range 256 {
		kind := mailbox.Kind(number)
		require.Equal(t, KindName(kind) != "", everything.Accepts(0, kind, 0), "kind %d", kind)
	}
}
