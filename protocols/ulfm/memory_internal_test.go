package ulfm

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// There is one of these on every rank, or several. Go has memory in certain sizes only, and needs 8 bytes of what is larger than 512: a
// field more may cost 64.
func TestWhatEveryRankHasFitsIntoSizesOfGo(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(rank{})+8, uintptr(704))
	require.LessOrEqual(t, unsafe.Sizeof(Comm{}), uintptr(240))
	require.LessOrEqual(t, unsafe.Sizeof(rounds{}), uintptr(96))
	require.LessOrEqual(t, unsafe.Sizeof(counting{}), uintptr(176))
}
