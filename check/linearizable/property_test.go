package linearizable_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/check/linearizable"
	"github.com/mangrove-emu/mangrove/clock"
)

// execute makes up a run of clients, one on each rank, whose operations take effect at one instant each, in the order of instants and then of ranks.
// Some never return, with effect or without.
func execute(t *rapid.T, ranks, operations, names, longest int) []operation {
	type effect struct {
		at clock.Time
		operation
	}
	var all []effect
	for rank := range ranks {
		now := clock.Time(0)
		for range rapid.IntRange(0, operations).Draw(t, "operations") {
			now += clock.Time(rapid.IntRange(0, longest).Draw(t, "pause"))
			o := operation{Rank: rank, Invoked: now}
			o.In = request{fmt.Sprint("x", rapid.IntRange(0, names-1).Draw(t, "name")), rapid.Bool().Draw(t, "write"), rapid.IntRange(1, 3).Draw(t, "value")}
			at := now + clock.Time(rapid.IntRange(0, longest).Draw(t, "effect"))
			now = at + clock.Time(rapid.IntRange(0, longest).Draw(t, "response"))
			switch rapid.IntRange(0, 7).Draw(t, "end") {
			case 0:
				o.Returned = clock.Never
			case 1:
				o.Returned, at = clock.Never, clock.Never
			default:
				o.Returned = now
			}
			all = append(all, effect{at, o})
		}
	}
	slices.SortStableFunc(all, func(a, b effect) int { return int(min(1, max(-1, a.at-b.at))) })
	values := make(map[string]int)
	var done []operation
	for _, e := range all {
		switch o := &e.operation; {
		case e.at == clock.Never:
		case o.In.write:
			values[o.In.name] = o.In.value
		case !o.Pending():
			o.Out = values[o.In.name]
		}
		done = append(done, e.operation)
	}
	slices.SortStableFunc(done, func(a, b operation) int { return int(a.Invoked - b.Invoked) })
	return done
}

// What took effect at one instant is linearizable.
func TestRealExecutionsAreLinearizable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := execute(t, 3, 6, 2, 5)
		v := check(all...)
		require.NotEqual(t, guarantee.Broken, v.Value, "%v", v)
		require.Equal(t, !slices.ContainsFunc(all, func(o operation) bool { return !o.Pending() }), v.Value == guarantee.NotClaimed)
	})
}

// Whatever the results are, the verdict is what trying all orders says; and the operations that are marked suffice for it.
func TestVerdictsAreThoseOfTryingAllOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := execute(t, 3, 2, 1, 3)
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			if len(all) > 0 {
				all[rapid.IntRange(0, len(all)-1).Draw(t, "which")].Out = rapid.IntRange(0, 3).Draw(t, "result")
			}
		}
		h := history.Of(all...)
		v := linearizable.Check(h, registers).Check(guarantee.Run{})
		require.Equal(t, !possible(h.Operations(), nil, 0), v.Value == guarantee.Broken, "%v", v)
		if v.Value != guarantee.Broken {
			return
		}
		guilty := 0
		freed := h.Operations()
		for i := range freed {
			if !slices.ContainsFunc(v.Marks, func(m guarantee.Mark) bool { return of(m, h.Operations()[i]) }) {
				freed[i].Invoked, freed[i].Returned = -1, clock.Never
			}
		}
		require.False(t, possible(freed, nil, 0), "%v", v)
		for _, m := range v.Marks {
			if m.Guilty {
				guilty++
			}
			spared := slices.Clone(freed)
			for i := range spared {
				if of(m, h.Operations()[i]) {
					spared[i].Invoked, spared[i].Returned = -1, clock.Never
				}
			}
			require.True(t, possible(spared, nil, 0), "%v can be spared of %v", m, v)
		}
		require.Equal(t, 1, guilty)
	})
}

// of reports whether a mark shows that operation, or one that is like it in all that the mark says.
func of(m guarantee.Mark, o operation) bool {
	to := min(o.Returned, clock.Forever)
	var out *int
	if !o.Pending() {
		out = &o.Out
	}
	return m.Rank == o.Rank && m.From == o.Invoked && m.To == to && m.Text == registers.Describe(o.In, out)
}

// possible tries all orders in which the rest can take effect after these, in which the register has that value.
func possible(all []operation, done []int, value int) bool {
	left := false
	for i, o := range all {
		left = left || !o.Pending() && !slices.Contains(done, i)
	}
	if !left {
		return true
	}
	for i, o := range all {
		early := false
		for j, former := range all {
			early = early || j != i && !slices.Contains(done, j) && former.Before(o)
		}
		if early || slices.Contains(done, i) {
			continue
		}
		var out *int
		if !o.Pending() {
			out = &o.Out
		}
		if next, ok := registers.Step(value, o.In, out); ok && possible(all, append(slices.Clone(done), i), next) {
			return true
		}
	}
	return false
}
