package collective

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// What a past says is what has happened, one thing after the other.
func TestAPastSaysWhatHasHappened(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var past, same Past
		var gone []int
		var moves []move
		owners := make(map[int]int)
		for range rapid.IntRange(0, 4).Draw(t, "times") {
			left := rapid.SliceOfNDistinct(rapid.IntRange(0, MaxTasks), 1, 5, rapid.ID).Draw(t, "left")
			news := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) move {
				return move{rapid.IntRange(0, 9).Draw(t, "task"), rapid.IntRange(0, MaxTasks).Draw(t, "to")}
			}), 0, 5, func(m move) int { return m.task }).Draw(t, "moves")
			past, same = past.after(left, slices.Clone(news)), same.after(left, slices.Clone(news))
			gone, moves = append(gone, left...), append(moves, news...)
			for _, m := range news {
				owners[m.task] = m.to
			}
		}
		require.True(t, past == same)
		require.Equal(t, gone, past.Gone())
		require.Equal(t, owners, past.TakenOver())
		said := past.record()
		require.Equal(t, len(moves), said.moves.len())
		for i, m := range moves {
			require.Equal(t, m, said.moves.at(i))
		}
		for task := range 10 {
			to, ok := said.owners.find(task)
			want, taken := owners[task]
			require.Equal(t, taken, ok)
			require.Equal(t, want, to)
		}
		for _, rank := range slices.Collect(maps.Values(owners)) {
			var tasks []int
			for task, to := range owners {
				if to == rank {
					tasks = append(tasks, task)
				}
			}
			slices.Sort(tasks)
			require.Equal(t, tasks, said.owners.appendTakenBy(nil, rank))
		}
	})
}

func TestPastsDifferIfWhatHasHappenedDiffers(t *testing.T) {
	one := Past{}.after([]int{3}, []move{{3, 4}})
	require.False(t, one == Past{})
	require.False(t, one == Past{}.after([]int{3}, []move{{3, 5}}))
	require.False(t, one == Past{}.after([]int{2}, []move{{3, 4}}))
	require.False(t, Past{}.after([]int{3}, []move{{3, 4}, {5, 6}}) == Past{}.after([]int{3}, []move{{5, 6}, {3, 4}}), "in another order")
}
