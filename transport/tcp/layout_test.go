package tcp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryRankLivesInOneProcess(t *testing.T) {
	for ranks := 1; ranks <= 40; ranks++ {
		for processes := 1; processes <= ranks; processes++ {
			l := layout{ranks, processes}
			next := 0
			for process := range processes {
				require.Equal(t, next, l.first(process))
				require.InDelta(t, float64(ranks)/float64(processes), len(l.of(process)), 1)
				require.NotEmpty(t, l.of(process))
				for _, rank := range l.of(process) {
					require.Equal(t, next, rank)
					require.Equal(t, process, l.process(rank), "rank %d, %+v", rank, l)
					next++
				}
			}
			require.Equal(t, ranks, next)
		}
	}
}
