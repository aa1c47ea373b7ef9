package emu

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu/internal/cells"
)

// What every rank and every message takes decides how many fit into memory.
func TestRanksAndCellsFillWholeCacheLines(t *testing.T) {
	require.EqualValues(t, 128, unsafe.Sizeof(rank{}))
	require.EqualValues(t, 32, unsafe.Sizeof(cells.Cell{}))
}
