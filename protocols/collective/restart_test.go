package collective_test

import (
	"errors"
	"fmt"
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

// restarted is what a rank has of a computation that is restarted.
type restarted struct {
	attempts int
	sum      []int64
	err      error
	at       clock.Time
}

// sumOfBlocks is a computation of several operations: a block for each task, what all tasks have in
// their blocks, and the sum of that. Without failures it is 0 + 1 + ... + (tasks-1), plus 7 for each.
func sumOfBlocks(t *collective.Team) ([]int64, error) {
	blocks, err := collective.Scatter(t, 1, collective.Given(func(int) [][]int64 {
		all := make([][]int64, t.Tasks())
		for task := range all {
			all[task] = []int64{int64(task)}
		}
		return all
	}))
	if err != nil {
		return nil, err
	}
	seven, err := collective.Broadcast(t, 0, collective.Given(func(int) []int64 { return []int64{7} }))
	if err != nil {
		return nil, err
	}
	return collective.AllReduce(t, collective.Given(func(task int) []int64 {
		return []int64{blocks[task][0] + seven[0]}
	}), collective.Elementwise(func(a, b int64) int64 { return a + b }))
}

func restarting(ranks int, delay clock.Time) (emutest.Instance, []restarted) {
	seen := make([]restarted, ranks)
	want := []int64{int64(ranks*(ranks-1)/2 + 7*ranks)}
	return emutest.Instance{
		Program: ulfm.Program(func(world *ulfm.Comm) {
			mine := &seen[world.Rank()]
			attempts, err := collective.Restart(world, collective.Options{}, delay, func(t *collective.Team) (err error) {
				mine.sum, err = sumOfBlocks(t)
				return err
			})
			mine.attempts, mine.err, mine.at = attempts, err, world.Proc().Now()
		}),
		Prepare: func() { clear(seen) },
		Check: func(rep *report.Report) error {
			attempts := 0
			for rank, r := range seen {
				if rep.Ranks[rank].Outcome.Failed() {
					continue
				}
				if r.err != nil || !slices.Equal(r.sum, want) {
					return fmt.Errorf("rank %d: sum %d, want %d, error %v", rank, r.sum, want, r.err)
				}
				if attempts != 0 && r.attempts != attempts {
					return fmt.Errorf("rank %d began %d times, others %d times", rank, r.attempts, attempts)
				}
				attempts = r.attempts
			}
			if attempts > 1+len(rep.Failed) {
				return fmt.Errorf("began %d times with %d failures", attempts, len(rep.Failed))
			}
			return nil
		},
	}, seen
}

func TestRestartComesToTheRightResult(t *testing.T) {
	emutest.Run(t, standing(5, 300, func() emutest.Instance {
		instance, _ := restarting(5, 10)
		return instance
	}))
}

// Steps: a scatter, a broadcast, a reduce and a broadcast, so four exchanges, then an agreement.
func TestRestartCountsAttempts(t *testing.T) {
	instance, seen := restarting(6, 0)
	l := labOf(t, emu.Config{LogP: clock.LogP{Ranks: 6, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}}, instance)
	for text, want := range map[string]int{
		"none":                    1,
		"crash:3@step:exchange":   2,
		"crash:1@t20,crash:2@t20": 2, // at once
		"crash:1@step:exchange#3,crash:2@step:exchange#6": 3, // 2 again in its second attempt
		"crash:5@step:agree":                              2, // when all have the result
	} {
		l.must(t, faults.MustParse(text))
		require.Empty(t, l.report.Unfired, text)
		require.Equal(t, want, seen[0].attempts, text)
	}
}

func TestRestartTakesTheDelayOnceMoreForEachAttempt(t *testing.T) {
	const schedule = "crash:1@step:exchange#3,crash:2@step:exchange#6"
	last := func(delay clock.Time) clock.Time {
		instance, seen := restarting(6, delay)
		config := emu.Config{LogP: clock.LogP{Ranks: 6, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}}
		labOf(t, config, instance).must(t, faults.MustParse(schedule))
		require.Equal(t, 3, seen[0].attempts)
		return seen[0].at
	}
	require.Equal(t, last(0)+2*1000, last(1000))
}

func TestRestartGivesUpAtOtherErrors(t *testing.T) {
	mistake := errors.New("a mistake")
	l := labOf(t, emu.Config{LogP: clock.LogP{Ranks: 3, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}}, emutest.Instance{
		Program: ulfm.Program(func(world *ulfm.Comm) {
			attempts, err := collective.Restart(world, collective.Options{}, 0, func(*collective.Team) error { return mistake })
			if attempts != 1 || err != mistake {
				panic(fmt.Sprint(attempts, err))
			}
		}),
	})
	l.must(t, nil)
}
