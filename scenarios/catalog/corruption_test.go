package catalog

import (
	"bytes"
	"encoding/gob"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// leavings are what the ranks of a good run have left: the report, and what they have noted. They can be corrupted and
// restored.
type leavings struct {
	t      *testing.T
	run    *scenarios.Run
	whole  report.Report
	states [][]byte

	rep   *report.Report // to be corrupted
	dirty bool           // something is
}

// leave runs a line that keeps its promises.
func leave(t *testing.T, line string) *leavings {
	t.Helper()
	run := mustParse(t, line)
	outcome, err := run.Execute(t.Context(), scenarios.Options{Trace: emu.TraceEvents})
	require.NoError(t, err)
	require.Equal(t, guarantee.Held, outcome.Verdict(), "%s: %v", line, outcome.Guarantees)
	x := &leavings{t: t, run: run, whole: *outcome.Report, states: saved(t, run, len(outcome.Report.Ranks))}
	x.restore()
	return x
}

// saved is what each rank of a run has left.
func saved(t *testing.T, run *scenarios.Run, ranks int) (states [][]byte) {
	t.Helper()
	for rank := range ranks {
		data, err := run.Save(rank)
		require.NoError(t, err)
		states = append(states, data)
	}
	return states
}

// restore makes everything as the run has left it.
func (x *leavings) restore() {
	x.run.Prepare()
	for rank, data := range x.states {
		require.NoError(x.t, x.run.Load(rank, data))
	}
	rep := x.whole
	rep.Ranks, rep.Events = slices.Clone(rep.Ranks), slices.Clone(rep.Events)
	rep.Unreached, rep.Deadlocks = slices.Clone(rep.Unreached), slices.Clone(rep.Deadlocks)
	x.rep = &rep
}

// broken is what is broken after a corruption; applies is false if the run has left nothing of the kind.
func (x *leavings) broken(c corruption) (all []guarantee.Verdict, applies bool) {
	if x.dirty {
		x.restore()
	}
	if x.dirty = c.corrupt(x); !x.dirty {
		return nil, false
	}
	return guarantee.OnlyBroken(x.run.Judge(x.rep).Guarantees), true
}

// corruption is one way in which what ranks have left can be wrong. It reports whether there was anything to corrupt.
type corruption struct {
	name    string
	corrupt func(x *leavings) bool
}

// live lists the ranks that have not failed.
func (x *leavings) live() []int { return slices.Collect(x.rep.Live()) }

// notes are what a rank has noted, if that is of this type; nil if not.
func notes[T any](x *leavings, rank int) *T {
	state, ok := unwrapped(x.run.Experiment().State).(scenarios.PerRank[T])
	if !ok || state.Left(rank) == nil {
		return nil
	}
	var data bytes.Buffer
	require.NoError(x.t, gob.NewEncoder(&data).Encode(state.Left(rank)))
	copied := new(T)
	require.NoError(x.t, gob.NewDecoder(&data).Decode(copied))
	return copied
}

// note puts corrupted notes in the place of a rank's.
func note[T any](x *leavings, rank int, changed *T) bool {
	state := unwrapped(x.run.Experiment().State).(scenarios.PerRank[T])
	require.NoError(x.t, state.Take(rank, changed))
	return true
}

// unwrapped is the state within another.
func unwrapped(s scenarios.State) scenarios.State {
	if outer, ok := s.(interface{ Unwrap() scenarios.State }); ok {
		return outer.Unwrap()
	}
	return s
}

// somewhere changes the notes of the first live rank for which change says yes.
func somewhere[T any](change func(x *leavings, rank int, own *T) bool) func(*leavings) bool {
	return func(x *leavings) bool {
		for _, rank := range x.live() {
			if own := notes[T](x, rank); own != nil && change(x, rank, own) {
				return note(x, rank, own)
			}
		}
		return false
	}
}

// between changes the notes of two live ranks for which change says yes.
func between[T any](change func(a, b *T) bool) func(*leavings) bool {
	return func(x *leavings) bool {
		for _, first := range x.live() {
			for _, second := range x.live() {
				a, b := notes[T](x, first), notes[T](x, second)
				if first != second && a != nil && b != nil && change(a, b) {
					return note(x, first, a) && note(x, second, b)
				}
			}
		}
		return false
	}
}
