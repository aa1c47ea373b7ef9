package tcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/transport/tcp"
)

func TestEveryRankLivesInOneProcess(t *testing.T) {
	for ranks := 1; ranks <= 40; ranks++ {
		for processes := 1; processes <= ranks; processes++ {
			l := tcp.Layout{Ranks: ranks, Processes: processes}
			next := 0
			for process := range processes {
				require.Equal(t, next, l.First(process))
				require.InDelta(t, float64(ranks)/float64(processes), l.Count(process), 1)
				require.Positive(t, l.Count(process))
				for range l.Count(process) {
					require.Equal(t, process, l.Process(next), "rank %d, %+v", next, l)
					next++
				}
			}
			require.Equal(t, ranks, next)
		}
	}
}
