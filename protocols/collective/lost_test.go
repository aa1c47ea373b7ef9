package collective_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// diary is what a rank was asked in the callbacks of an input.
type diary struct {
	lost  [][]int
	asked []int // tasks, in the order of Of
	wrong error // of what must not happen
}

// keep is an input that writes down what it is asked. Of may only be called for a task that the
// rank began with, or after Lost has named it.
func (d *diary) keep(t *collective.Team) collective.Input[[]int64] {
	known := make(map[int]bool)
	for _, task := range t.Mine() {
		known[task] = true
	}
	return collective.Input[[]int64]{
		Of: func(task int) []int64 {
			if d.asked = append(d.asked, task); !known[task] || !t.Does(task) {
				d.wrong = fmt.Errorf("asked for task %d, known: %v, its own: %v", task, known[task], t.Does(task))
			}
			return block(task, task)
		},
		Lost: func(tasks []int) error {
			d.lost = append(d.lost, tasks)
			for _, task := range tasks {
				known[task] = true
			}
			return nil
		},
	}
}

// gathering gathers twice, each time with a diary of its own.
func gathering(ranks int) (emutest.Instance, [][2]diary) {
	seen := make([][2]diary, ranks)
	return emutest.Instance{
		Program: ulfm.Program(func(world *ulfm.Comm) {
			team := collective.NewTeam(world, collective.Options{})
			for i := range 2 {
				if _, err := collective.Gather(team, 0, seen[world.Rank()][i].keep(team)); err != nil {
					panic(err)
				}
			}
		}),
		Prepare: func() { clear(seen) },
		Check:   func(rep *report.Report) error { return wrongDiaries(rep, seen) },
	}, seen
}

func wrongDiaries(rep *report.Report, seen [][2]diary) error {
	for i := range 2 {
		var first *diary
		for rank := range seen {
			d := &seen[rank][i]
			if d.wrong != nil {
				return fmt.Errorf("rank %d: %w", rank, d.wrong)
			}
			if rep.Ranks[rank].Outcome.Failed() {
				continue
			}
			if first == nil {
				first = d
			}
			if !reflect.DeepEqual(d.lost, first.lost) {
				return fmt.Errorf("rank %d was told of %v, another of %v", rank, d.lost, first.lost)
			}
		}
	}
	return nil
}

func TestAllLiveRanksAreToldOfTheSameLostTasksBeforeTheyAreAskedForThem(t *testing.T) {
	emutest.Run(t, standing(6, 300, func() emutest.Instance {
		instance, _ := gathering(6)
		return instance
	}))
}

func TestLostNamesTheTasksThatWereTakenOver(t *testing.T) {
	instance, seen := gathering(6)
	l := labOf(t, emu.Config{LogP: clock.LogP{Ranks: 6, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}}, instance)
	for text, want := range map[string][2][][]int{
		"none":                  {nil, nil},
		"crash:4@step:exchange": {{{4}}, nil},
		"crash:4@step:agree":    {{{4}}, nil}, // before anything was done
		"crash:4@step:agree#3":  {nil, {{4}}}, // the second call finds out
		"crash:4@t9,crash:2@t9": {{{2, 4}}, nil},
		"crash:4@step:exchange,crash:2@step:exchange#2": {{{4}, {2}}, nil},
		"crash:2@step:exchange,crash:3@step:exchange#2": {{{2}, {2, 3}}, nil}, // 3 had taken 2 over
	} {
		l.must(t, faults.MustParse(text))
		require.Empty(t, l.report.Unfired, text)
		require.Equal(t, want, [2][][]int{seen[0][0].lost, seen[0][1].lost}, text)
	}
}

// regathering broadcasts the sum of what all tasks bring, which its root has gathered. If the root's
// task is lost, the sum is gathered again, inside Lost.
func regathering(ranks int, options collective.Options) emutest.Instance {
	seen := make([]entry, ranks)
	want := []int64{0}
	for task := range ranks {
		want[0] += block(task, task)[0]
	}
	return emutest.Instance{
		Program: ulfm.Program(func(world *ulfm.Comm) {
			t := collective.NewTeam(world, options)
			got, err := sumFromRoot(t)
			seen[world.Rank()] = entry{result{everyTask: got}, t.Mine(), err, true}
		}),
		Prepare: func() { clear(seen) },
		Check: func(rep *report.Report) error {
			for rank, e := range seen {
				if e.done && (e.err != nil || !reflect.DeepEqual(e.result[everyTask], want)) {
					return fmt.Errorf("rank %d: got %v, %v, want %v", rank, e.result[everyTask], e.err, want)
				}
				if !e.done && !rep.Ranks[rank].Outcome.Failed() {
					return fmt.Errorf("rank %d has not returned", rank)
				}
			}
			return nil
		},
	}
}

func sumFromRoot(t *collective.Team) ([]int64, error) {
	const root = 2
	var blocks [][]int64
	gather := func() (err error) {
		blocks, err = collective.Gather(t, root, collective.Given(func(task int) []int64 { return block(task, task) }))
		return err
	}
	if err := gather(); err != nil {
		return nil, err
	}
	return collective.Broadcast(t, root, collective.Input[[]int64]{
		Of: func(int) []int64 {
			sum := []int64{0}
			for _, b := range blocks {
				sum[0] += b[0]
			}
			return sum
		},
		Lost: func(tasks []int) error {
			if !slices.Equal(tasks, slices.Compact(slices.Sorted(slices.Values(tasks)))) {
				return fmt.Errorf("lost %d, want ascending tasks, each once", tasks)
			}
			for _, task := range tasks {
				if task == root {
					t.Comm().Proc().Step("regather")
					return gather()
				}
			}
			return nil
		},
	})
}

func TestOperationsInsideLostSurviveFailures(t *testing.T) {
	for _, s := range strategies {
		if s.options.Backup != collective.NoBackup {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			emutest.Run(t, standing(5, 100, func() emutest.Instance { return regathering(5, s.options) }))
		})
	}
}

// The root of the broadcast fails, then who took it over while it gathers again, then the next.
func TestEveryChainOfFailuresInsideLost(t *testing.T) {
	const ranks, root = 5, 2
	l := labOf(t, emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}},
		regathering(ranks, collective.Options{}))
	inside := append(nth("regather", 2), nth("exchange", 5)[2:]...)
	inside = append(inside, faults.OnStep("repair", 2), faults.OnStep("repaired", 2))
	for _, second := range inside {
		for _, third := range inside {
			for a := range ranks {
				for b := range ranks {
					if a == root || b == root || a == b {
						continue
					}
					l.must(t, faults.Schedule{crash(root, faults.OnStep("exchange", 2)), crash(a, second), crash(b, third)})
				}
			}
		}
	}
	l.requireAllFired(t, inside)
}
