package emu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestQueueReturnsTheEarliestFirst(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var q queue[incident]
	var model []incident
	require.Equal(t, clock.Never, q.next())
	for range 20_000 {
		if random.IntN(100) < 52 {
			f := incident{at: clock.Time(random.IntN(50)), rank: int32(random.IntN(9))}
			q.push(f)
			model = append(model, f)
		} else if len(model) > 0 {
			first := slices.MinFunc(model, incident.compare)
			require.Equal(t, first.at, q.next())
			require.Equal(t, first, q.pop())
			i := slices.Index(model, first)
			model = slices.Delete(model, i, i+1)
		}
		require.Len(t, q, len(model))
	}
}
