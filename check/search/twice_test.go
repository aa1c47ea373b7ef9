package search

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// A program that looks at something else than its Proc is caught.
func TestProgramsThatDoNotRepeatAreCaught(t *testing.T) {
	var outside atomic.Int64
	s := subject(2, protocols.Program{Main: func(p protocols.Proc) {
		p.WaitUntil(clock.Time(outside.Add(1)))
		p.Step("now")
	}}, reachesNobodyInParticular)
	s.Twice = true
	found := explore(t, s, ExploreOptions{Faults: 1})
	require.Equal(t, Repeats, found.Violations[0].name())
	require.Contains(t, found.Violations[0].Broken[0].Evidence, "with one worker")

	honest := spread(t, 6, tree.Interleaved, correction.Checked{})
	honest.Twice = true
	require.Empty(t, explore(t, honest, ExploreOptions{Faults: 1}).Violations)
}
