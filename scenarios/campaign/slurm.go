package campaign

import (
	"fmt"
	"strconv"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// SlurmShard is the part of a campaign that a task of a SLURM job array does, all of it if this is none. Tasks are
// numbered from a first one to a last one, in steps.
func SlurmShard(env func(string) string) (Shard, error) {
	if env("SLURM_ARRAY_TASK_ID") == "" || env("SLURM_ARRAY_TASK_COUNT") == "" {
		return Shard{}, nil
	}
	var wrong problems.List
	number := func(name string, otherwise int) int {
		text := env("SLURM_ARRAY_TASK_" + name)
		if text == "" {
			return otherwise
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			wrong.Add("SLURM_ARRAY_TASK_%s=%q, want a number", name, text)
		}
		return n
	}
	id, count := number("ID", 0), number("COUNT", 1)
	first, step := number("MIN", 0), number("STEP", 1)
	last := number("MAX", first+(count-1)*step)
	if err := wrong.ErrLines(""); err != nil {
		return Shard{}, err
	}
	switch again := count == 1 && first > 0; { // one task of an array, by itself
	case again, step < 1, id < first, id > last, (id-first)%step != 0, last != first+(count-1)*step:
		return Shard{}, fmt.Errorf("SLURM_ARRAY_TASK_ID=%d, _COUNT=%d, _MIN=%d, _MAX=%d, _STEP=%d: which part is that? Want --shard i/n", id, count, first, last, step)
	}
	return Shard{(id - first) / step, count}, nil
}
