package emu

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each rank is in one part, and each part has a worker of its own.
func TestWorkersShareAllRanks(t *testing.T) {
	for _, c := range []struct{ ranks, workers, parts int }{
		{1, 4, 1}, {largeMachine - 1, 4, 1}, {largeMachine, 1, 1}, {largeMachine, 4, 4}, {largeMachine + 1, 4, 4}, {largeMachine, 7, 7},
	} {
		m := &Machine{ranks: make([]rank, c.ranks), workers: make([]worker, c.workers)}
		var guard sync.Mutex
		first, after := make(map[int]int), make(map[int]int) // by worker
		m.share(func(worker, lo, hi int) {
			guard.Lock()
			defer guard.Unlock()
			assert.NotContains(t, first, worker)
			first[worker], after[worker] = lo, hi
		})
		require.Len(t, first, c.parts, "%+v", c)
		next := 0
		for worker := range c.parts {
			require.Contains(t, first, worker)
			require.Equal(t, next, first[worker])
			require.Greater(t, after[worker], next)
			next = after[worker]
		}
		require.Equal(t, c.ranks, next)
	}
}
