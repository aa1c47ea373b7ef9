package reduce_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

var eight = clock.LogP{Ranks: 8, Latency: 2, Overhead: 1}

func TestNewListsEveryProblem(t *testing.T) {
	_, err := reduce.New(eight, reduce.Options{Root: 8, Redundancy: -1, Bytes: -5})
	require.EqualError(t, err, "reduce: root 8, want 0 to 7; redundancy f = -1 ranks, want 0 or more; "+
		"longest payload = -5 bytes, want 0 or more; no operation, want one such as Sum")
	_, err = reduce.New(clock.LogP{Ranks: 8}, reduce.Options{Operation: reduce.Sum})
	require.ErrorContains(t, err, "reduce: clock: latency L = 0 ticks, want 1 to")
}

func TestTheRootIsARank(t *testing.T) {
	for root, good := range map[int]bool{-1: false, 0: true, 7: true, 8: false} {
		_, err := reduce.New(eight, reduce.Options{Operation: reduce.Sum, Root: root})
		require.Equal(t, good, err == nil, "root %d", root)
	}
	_, err := reduce.New(clock.LogP{}, reduce.Options{Operation: reduce.Sum, Root: 3})
	require.NotContains(t, err.Error(), "root", "on a machine without ranks that is not what is wrong")
}

func TestNewRefusesTreesThatAreNotInOrder(t *testing.T) {
	options := reduce.Options{Operation: reduce.Sum}
	options.Tree = func(size int) (tree.Tree, error) { return tree.NewBinomial(size, tree.Interleaved) }
	_, err := reduce.New(eight, options)
	require.EqualError(t, err, "reduce: tree binomial of size 7 is not numbered in order: 3 is below 1, "+
		"but 2 is not")
	options.Tree = func(size int) (tree.Tree, error) { return chain(size + 1), nil }
	_, err = reduce.New(eight, options)
	require.EqualError(t, err, "reduce: tree chain has size 8 and root 0, want size 7 and root 0")
	options.Tree = func(size int) (tree.Tree, error) { return nil, nil }
	_, err = reduce.New(eight, options)
	require.EqualError(t, err, "reduce: no tree, want one of size 7")
	options.Tree = func(size int) (tree.Tree, error) { return nil, errors.New("no wood") }
	_, err = reduce.New(eight, options)
	require.EqualError(t, err, "reduce: no wood")
}

// A tree that is in order for one of the two sizes it is asked for need not be for the other.
func TestNewLooksAtBothTrees(t *testing.T) {
	options := reduce.Options{Operation: reduce.Sum, Redundancy: 3} // 3 groups of 4, and 1 member
	machine := clock.LogP{Ranks: 14, Latency: 2, Overhead: 1}
	options.Tree = func(size int) (tree.Tree, error) { return tree.NewBinomial(size, tree.Interleaved) }
	_, err := reduce.New(machine, options)
	require.ErrorContains(t, err, "of size 4 is not numbered in order")
}

func TestNewRefusesDeadlinesBeyondAllTime(t *testing.T) {
	machine := clock.LogP{Ranks: 1 << 20, Latency: 1, Overhead: clock.MaxCost, PerByte: clock.MaxCost}
	for _, options := range []reduce.Options{{Redundancy: 1 << 19}, {Bytes: 1 << 40}, {Redundancy: 5, Bytes: 1 << 17}} {
		options.Operation = reduce.Sum
		_, err := reduce.New(machine, options)
		require.ErrorContains(t, err, "reduce: the deadline is more than 288230376151711744 ticks away", "%+v", options)
	}
}

// A payload longer than announced would come too late on this machine, and look like a
// failure. It is a mistake in the program.
func TestPayloadsLongerThanAnnouncedPanic(t *testing.T) {
	machine := eight
	machine.PerByte = 1
	r, err := reduce.New(machine, reduce.Options{Operation: concatenate, Bytes: 15})
	require.NoError(t, err)
	m, err := emu.New(emu.Config{LogP: machine})
	require.NoError(t, err)
	_, err = m.Run(context.Background(), r.Program(own, func(reduce.Value, bool) {}), emu.Options{})
	require.ErrorContains(t, err, "reduce: a payload of 16 bytes, want at most the 15 that Options.Bytes allows")
}

func TestKindsHaveNames(t *testing.T) {
	require.Equal(t, "contribution", reduce.KindName(reduce.Contribution))
	require.Equal(t, "partial", reduce.KindName(reduce.Partial))
	require.Equal(t, "broken", reduce.KindName(reduce.Broken))
	require.Empty(t, reduce.KindName(reduce.Broken+1))
}
