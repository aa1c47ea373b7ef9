//go:build mpi

package mpi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLibrariesByTheirNames(t *testing.T) {
	require.Equal(t, "Open MPI v4.1.4", libraryName("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022\n"))
	require.Equal(t, "MPICH 4.0.2", libraryName("MPICH Version:      4.0.2\nMPICH Release date: Thu Apr  7 12:34:45 CDT 2022\nMPICH ABI:          14:2:2\n"))
}

// exchange does what an operation should do, by hand.
func exchange(all []*nativeCall, bytes int) {
	root := all[0].root
	for me, c := range all {
		for i := range c.native.in(c) {
			block := c.in[i*bytes : (i+1)*bytes]
			switch {
			case c.sums:
				var sum int64
				for _, other := range all {
					sum += int64(other.job.index) + int64(other.mark)
				}
				fillNumbers(block, sum)
			case c.stays:
				copy(block, all[root].in)
			default:
				from := all[c.sender(i)]
				place := 0
				if from.native.out(from) > 1 {
					place = me
				}
				copy(block, from.out[place*bytes:])
			}
		}
	}
}

// What an operation should bring is what is taken for right, and a single changed byte, what another call has left, or blocks of others are not.
func TestResultsOfOperationsAreLookedAt(t *testing.T) {
	for mark := range 256 {
		requireLookedAt(t, mark)
	}
}

func requireLookedAt(t *testing.T, mark int) {
	t.Helper()
	const processes, bytes = 3, 16
	for operation := range natives {
		for root := range processes {
			var all []*nativeCall
			for i := range processes {
				all = append(all, (&job{index: i, count: processes}).prepare(natives[operation], root, bytes, byte(mark)))
			}
			for i, c := range all {
				has := len(c.in) > 0 && !(c.stays && i == root)
				require.Equal(t, has, c.wrong() != "", "%s from %d in process %d, mark %d: nothing was done", operation, root, i, mark)
			}
			exchange(all, bytes)
			for i, c := range all {
				require.Empty(t, c.wrong(), "%s from %d in process %d", operation, root, i)
				for place := range c.in {
					c.in[place]++
					require.NotEmpty(t, c.wrong(), "%s: byte %d of process %d", operation, place, i)
					c.in[place]--
				}
				c.mark++
				require.Equal(t, len(c.in) > 0, c.wrong() != "", "%s: what another call has left", operation)
			}
		}
	}
}
