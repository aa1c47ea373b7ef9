package catalog

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// collectiveInputOf is what the tasks of a line bring. To see that a barrier holds ranks back, one has to come to it later than
// all others can have got through without it; the seed says which.
func collectiveInputOf(s line.Settings) *collectiveInput {
	tasks := s.Int("P")
	return &collectiveInput{
		tasks: tasks, root: s.Int("root"), n: s.Int("n"),
		last:     int(splitmix.At(s.Seed(), 1) % uint64(tasks)),
		lateness: min(clock.MaxCost, s.LogP().Delivery().Times(4*(1+bits.Len(uint(tasks))))),
	}
}

// passBarrier notes when a rank comes to the barrier, and when it is through.
func passBarrier(t *collective.Team, in *collectiveInput) (results[[]int64], error) {
	p := t.Comm().Proc()
	if p.Rank() == in.last {
		t.Spend(in.lateness)
	}
	came := p.Now()
	err := collective.Barrier(t)
	return forAll(t, []int64{int64(came), int64(p.Now())}, err)
}

// leftEarly says who was through a barrier before somebody else had come to it.
func leftEarly(results map[int][]int64) string {
	first, last := nobody, nobody // tasks
	for _, task := range slices.Sorted(maps.Keys(results)) {
		if len(results[task]) != 2 {
			return fmt.Sprintf("task %d has passed no barrier", task)
		}
		if first == nobody || results[task][1] < results[first][1] {
			first = task
		}
		if last == nobody || results[task][0] > results[last][0] {
			last = task
		}
	}
	if through, came := results[first][1], results[last][0]; through < came {
		return fmt.Sprintf("task %d was through the barrier at t=%d, task %d came to it at t=%d", first, through, last, came)
	}
	return ""
}
