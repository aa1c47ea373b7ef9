package campaign

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShardsOfJobArrays(t *testing.T) {
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	for _, c := range []struct {
		env  func(string) string
		want Shard
	}{
		{env(), Shard{}},
		{env("SLURM_ARRAY_TASK_ID", "3"), Shard{}},
		{env("SLURM_ARRAY_TASK_COUNT", "8"), Shard{}},
		{env("SLURM_ARRAY_TASK_ID", "3", "SLURM_ARRAY_TASK_COUNT", "8"), Shard{Index: 3, Count: 8}},
		{env("SLURM_ARRAY_TASK_ID", "3", "SLURM_ARRAY_TASK_COUNT", "8", "SLURM_ARRAY_TASK_MIN", "1"), Shard{Index: 2, Count: 8}},
		{env("SLURM_ARRAY_TASK_ID", "20", "SLURM_ARRAY_TASK_COUNT", "2", "SLURM_ARRAY_TASK_MIN", "10", "SLURM_ARRAY_TASK_MAX", "20", "SLURM_ARRAY_TASK_STEP", "10"), Shard{Index: 1, Count: 2}},
	} {
		got, err := SlurmShard(c.env)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	for _, bad := range []func(string) string{
		env("SLURM_ARRAY_TASK_ID", "x", "SLURM_ARRAY_TASK_COUNT", "8"),
		env("SLURM_ARRAY_TASK_ID", "3", "SLURM_ARRAY_TASK_COUNT", "8", "SLURM_ARRAY_TASK_STEP", "x"),
		env("SLURM_ARRAY_TASK_ID", "3", "SLURM_ARRAY_TASK_COUNT", "8", "SLURM_ARRAY_TASK_STEP", "0"),
		env("SLURM_ARRAY_TASK_ID", "3", "SLURM_ARRAY_TASK_COUNT", "8", "SLURM_ARRAY_TASK_STEP", "2"),
		env("SLURM_ARRAY_TASK_ID", "8", "SLURM_ARRAY_TASK_COUNT", "8"),
		env("SLURM_ARRAY_TASK_ID", "0", "SLURM_ARRAY_TASK_COUNT", "8", "SLURM_ARRAY_TASK_MIN", "1"),
		env("SLURM_ARRAY_TASK_ID", "3", "SLURM_ARRAY_TASK_COUNT", "3", "SLURM_ARRAY_TASK_MIN", "1", "SLURM_ARRAY_TASK_MAX", "7"), // 1,3,7
		env("SLURM_ARRAY_TASK_ID", "3", "SLURM_ARRAY_TASK_COUNT", "1", "SLURM_ARRAY_TASK_MIN", "3"),                              // one of several, again
	} {
		_, err := SlurmShard(bad)
		require.Error(t, err)
	}
}

// Every task of an array has its part, in the order of their numbers, and nobody else has one.
func TestEveryTaskOfAJobArrayHasItsPart(t *testing.T) {
	for first := range 4 {
		for step := 1; step <= 3; step++ {
			for count := 1; count <= 4; count++ {
				var tasks []int
				for i := range count {
					tasks = append(tasks, first+i*step)
				}
				for last := -1; last < first+13; last++ {
					for id := -1; id < first+13; id++ {
						numbers := map[string]int{"ID": id, "COUNT": count, "MIN": first, "MAX": last, "STEP": step}
						got, err := SlurmShard(func(name string) string {
							return strconv.Itoa(numbers[name[len("SLURM_ARRAY_TASK_"):]])
						})
						i := slices.Index(tasks, id)
						if i < 0 || last != tasks[count-1] || count == 1 && first > 0 { // the last is one of several that is run again
							require.Error(t, err, numbers)
							continue
						}
						require.NoError(t, err, numbers)
						require.Equal(t, Shard{i, count}, got, numbers)
					}
				}
			}
		}
	}
}
