package collective_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

func TestMistakesInAProgramPanicAndSayWhatIsWanted(t *testing.T) {
	ints := func(n int) collective.Input[[]int64] {
		return collective.Given(func(int) []int64 { return make([]int64, n) })
	}
	blocks := func(lengths ...int) collective.Input[[][]int64] {
		return collective.Given(func(int) (all [][]int64) {
			for _, n := range lengths {
				all = append(all, make([]int64, n))
			}
			return all
		})
	}
	for want, run := range map[string]func(*collective.Team) error{
		"collective: scatter of 2 blocks, want one for each of 3 tasks": func(t *collective.Team) error {
			_, err := collective.Scatter(t, 0, blocks(1, 1))
			return err
		},
		"collective: alltoall of 4 blocks, want one for each of 3 tasks": func(t *collective.Team) error {
			_, err := collective.AllToAll(t, blocks(1, 1, 1, 1))
			return err
		},
		"collective: alltoallv of 1 blocks, want one for each of 3 tasks": func(t *collective.Team) error {
			_, err := collective.AllToAllV(t, blocks(1))
			return err
		},
		"collective: all-to-all of blocks of 1 and 2 elements, want all of the same length": func(t *collective.Team) error {
			_, err := collective.AllToAll(t, blocks(1, 2, 1))
			return err
		},
		"collective: lists of 2 and 1 elements, want the same length": func(t *collective.Team) error {
			_, err := collective.Reduce(t, 0, collective.Given(func(task int) []int64 { return make([]int64, 2-task%2) }),
				collective.Elementwise(func(a, b int64) int64 { return a + b }))
			return err
		},
		"collective: elements of type struct {} have no size": func(t *collective.Team) error {
			_, err := collective.Broadcast(t, 0, collective.Given(func(int) []struct{} { return make([]struct{}, 3) }))
			return err
		},
		"collective: elements of type struct { A int64; b int64 } have the field b, want exported ones only": func(t *collective.Team) error {
			_, err := collective.Broadcast(t, 0, collective.Given(func(int) []struct{ A, b int64 } { return make([]struct{ A, b int64 }, 3) }))
			return err
		},
		"collective: broadcast with root 3, want a task from 0 to 2": func(t *collective.Team) error {
			_, err := collective.Broadcast(t, 3, ints(1))
			return err
		},
		"collective: gather with root -1, want a task from 0 to 2": func(t *collective.Team) error {
			_, err := collective.Gather(t, -1, ints(1))
			return err
		},
		"collective: elements of type int have no fixed size": func(t *collective.Team) error {
			_, err := collective.Broadcast(t, 0, collective.Given(func(int) []int { return []int{1} }))
			return err
		},
		"collective: elements of type string have no fixed size": func(t *collective.Team) error {
			_, err := collective.Gather(t, 0, collective.Given(func(int) []string { return nil }))
			return err
		},
	} {
		machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 3, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}})
		require.NoError(t, err)
		_, err = machine.Run(t.Context(), ulfm.Program(func(world *ulfm.Comm) {
			_ = run(collective.NewTeam(world, collective.Options{Strategy: collective.Plain}))
		}), emu.Options{})
		require.ErrorContains(t, err, want)
	}
}

// An operation ends its algorithm by a panic when ranks fail. One of a callback is none of its business.
func TestAPanicOfACallbackShowsWhereItComesFrom(t *testing.T) {
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 3, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}})
	require.NoError(t, err)
	_, err = machine.Run(t.Context(), ulfm.Program(func(world *ulfm.Comm) {
		_, _ = collective.Broadcast(collective.NewTeam(world, collective.Options{}), 0, collective.Given(breaks))
	}), emu.Options{})
	var panicked *emu.PanicError
	require.ErrorAs(t, err, &panicked)
	require.Equal(t, "no such data", panicked.Value)
	require.Contains(t, string(panicked.Stack), "collective_test.breaks")
}

func breaks(int) []int64 { panic("no such data") }

// A callback's own error is the operation's, on every rank, and does not count as a failure.
func TestAnErrorOfLostEndsTheOperation(t *testing.T) {
	mistake := errors.New("no replica")
	for _, c := range []string{"crash:1@step:exchange", "crash:1@step:agree"} {
		_, report := observed(t, 4, collective.Options{}, c, func(t *collective.Team) error {
			_, err := collective.Gather(t, 0, collective.Input[[]int64]{
				Of:   func(task int) []int64 { return block(task, task) },
				Lost: func([]int) error { return mistake },
			})
			if err != mistake {
				return errors.New("not the error of Lost")
			}
			return nil
		})
		require.Len(t, report.Failed, 1)
	}
}
