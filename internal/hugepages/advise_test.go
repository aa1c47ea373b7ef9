package hugepages_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/hugepages"
)

// Whatever the length, the hint changes nothing that is in the memory.
func TestAdviceLeavesMemoryAlone(t *testing.T) {
	for _, length := range []int{0, 1, 4096, 1 << 18, 3 << 20} {
		s := make([]int64, length)
		for i := range s {
			s[i] = int64(i)
		}
		hugepages.Advise(s)
		for i, v := range s {
			if v != int64(i) {
				require.EqualValues(t, i, v)
			}
		}
	}
}
