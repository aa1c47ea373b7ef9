package emu

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPileKeepsItsOrderAndItsRoom(t *testing.T) {
	var p pile[int]
	fill := func(n int) {
		for i := range n {
			p.add(i)
		}
	}
	count := func(n int) (want []int) {
		for i := range n {
			want = append(want, i)
		}
		return want
	}
	for _, n := range []int{0, 1, 64, 65, 192, 193, 20_000, 3} {
		fill(n)
		require.Equal(t, count(n), slices.Collect(p.all()), "%d", n)
		p.clear()
		require.Empty(t, slices.Collect(p.all()), "%d", n)
	}
	fill(20_000)
	p.clear()
	require.Zero(t, testing.AllocsPerRun(3, func() { fill(20_000); p.clear() }))
}

func TestPileTellsNoMoreThanIsAskedFor(t *testing.T) {
	var p pile[int]
	for i := range 100 {
		p.add(i)
	}
	var got []int
	for x := range p.all() {
		if got = append(got, x); x == 70 {
			break
		}
	}
	require.Len(t, got, 71)
}
