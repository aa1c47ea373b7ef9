package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/protocols/membership/model"
)

// anyTorus draws a small torus or mesh with a node at least for each of so many ranks.
func anyTorus(t *rapid.T, ranks int) clock.Torus {
	x, y := rapid.IntRange(1, 5).Draw(t, "X"), rapid.IntRange(1, 5).Draw(t, "Y")
	return clock.Torus{
		X: x, Y: y, Z: (ranks + x*y - 1) / (x * y),
		PerHop: draw.Ticks(t, "per hop", 1, 9),
		Mesh:   rapid.Bool().Draw(t, "mesh"),
		Order:  clock.Order(rapid.IntRange(0, int(clock.ZYX)).Draw(t, "order")),
	}
}

// anyView draws a view in which some may have failed.
func anyView(t *rapid.T) membership.View {
	view := all(draw.Number(t, "ranks", 1, 80), rapid.IntRange(1, 3).Draw(t, "bits"))
	for _, rank := range draw.Some(t, "failed", view.Ranks, view.Ranks-1) {
		view.Changes = view.Changes.With(rank, 1)
	}
	return view
}

// climb finds the longest way of each level from below: every member counts those above it.
func climb(view membership.View, hops func(from, to int) int) (sum int) {
	longest := make(map[int]int)
	for rank := range view.Ranks {
		if parent := view.Parent(rank); view.Has(rank) && parent >= 0 {
			level := 0
			for above := rank; above >= 0; above = view.Parent(above) {
				level++
			}
			longest[level] = max(longest[level], hops(parent, rank))
		}
	}
	for _, way := range longest {
		sum += way
	}
	return sum
}

func TestDistanceModelIsTheSameFromBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		view := anyView(t)
		torus := anyTorus(t, view.Ranks)
		want := 2*torus.PerHop*clock.Time(climb(view, torus.Hops)) + 7*clock.Time(view.Height())
		require.Equal(t, want, model.Distance(view, torus.Hops, torus.PerHop, 7), "%v on %v", view, torus)
	})
}

// Where all are neighbours distance is of no importance.
func TestDistanceModelOfOneHopIsTheBaseModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		view := anyView(t)
		one := func(from, to int) int { return 1 }
		require.Equal(t, model.Base(5, 7, view.Height()), model.Distance(view, one, 5, 7))
	})
}

// BenchmarkDistance is the distance model of a large torus, with a rank in a hundred failed.
func BenchmarkDistance(b *testing.B) {
	torus := clock.Torus{X: 64, Y: 64, Z: 32, PerHop: 46}
	view := all(torus.Nodes(), 1)
	for rank := 50; rank < view.Ranks; rank += 100 {
		view.Changes = view.Changes.With(rank, 1)
	}
	for b.Loop() {
		model.Distance(view, torus.Hops, torus.PerHop, 20)
	}
}
