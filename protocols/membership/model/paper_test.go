package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/protocols/membership/model"
)

// The machines of chapter 6, in ticks of 100 ns.
const (
	blueGeneLatency, blueGeneCompute = 46, 20
	ethernetLatency, ethernetCompute = 940, 23
	xtorcLatency, xtorcCompute       = 1180, 20
)

// Equations 4.1 and 4.2.
func TestBaseModelOfTheMachinesOfTheThesis(t *testing.T) {
	for _, tt := range []struct {
		name                     string
		latency, compute         clock.Time
		bits, nodes, height      int
		communicating, computing clock.Time
	}{
		{"BlueGene/L, a=2", blueGeneLatency, blueGeneCompute, 1, 1024, 11, 920, 220},
		{"BlueGene/L, a=2", blueGeneLatency, blueGeneCompute, 1, 1023, 10, 828, 200},
		{"BlueGene/L, a=4", blueGeneLatency, blueGeneCompute, 2, 1024, 6, 460, 120},
		{"OS cluster, a=2", ethernetLatency, ethernetCompute, 1, 16, 5, 7520, 115},
		{"XTORC, a=2", xtorcLatency, xtorcCompute, 1, 47, 6, 11800, 120},
		{"a root alone", blueGeneLatency, blueGeneCompute, 1, 1, 1, 0, 20},
	} {
		require.Equal(t, tt.height, membership.Radix{Bits: tt.bits}.Height(tt.nodes), tt.name)
		require.Equal(t, tt.communicating+tt.computing, model.Base(tt.latency, tt.compute, tt.height), tt.name)
	}
}

// Section 6.1.2: a binary tree on seven nodes has three levels.
func TestContentionModelTakesTheLatencyAtThatNumberOfNodes(t *testing.T) {
	curve, err := clock.NewCurve([]clock.Point{{Nodes: 2, Latency: 940}, {Nodes: 3, Latency: 1400}, {Nodes: 15, Latency: 1520}})
	require.NoError(t, err)
	require.EqualValues(t, 2*1440*2+23*3, model.Contention(curve, 7, 3, ethernetCompute))
	require.Equal(t, model.Base(940, ethernetCompute, 2), model.Contention(curve, 2, 2, ethernetCompute), "no contention")
}

// all is the view of a group before anything has failed.
func all(ranks, bits int) membership.View {
	return membership.View{Group: &membership.Group{Radix: membership.Radix{Bits: bits}, Ranks: ranks, Members: ranks}}
}

// Equation 6.1 on a ring of eight. The longest way from level to level is that from 0 to 2 and
// from 2 to 6 first. Then rank 1 fails: 4 moves up, and is 4 hops from the root.
func TestDistanceModelTakesTheLongestWayOfEachLevel(t *testing.T) {
	ring := clock.Torus{X: 8, Y: 1, Z: 1, PerHop: 1}
	view := all(7, 1)
	require.EqualValues(t, 2*46*(2+4)+20*3, model.Distance(view, ring.Hops, blueGeneLatency, blueGeneCompute))
	view.Changes = view.Changes.With(1, 1)
	require.EqualValues(t, 2*46*(4+4)+20*3, model.Distance(view, ring.Hops, blueGeneLatency, blueGeneCompute))
	view.Changes = view.Changes.With(0, 1)
	require.EqualValues(t, 2*46*4+20*2, model.Distance(view, ring.Hops, blueGeneLatency, blueGeneCompute), "all below rank 2")
	require.Zero(t, model.Distance(all(0, 1), ring.Hops, blueGeneLatency, blueGeneCompute), "nobody is there")
}

// Section 6.1.1: two midplanes of BlueGene/L, filled in rows. From level to level the longest way
// has 2, 4, 4, 5, 7, 9, 10, 12, 16 and 8 hops with two children, 4, 5, 8, 11 and 16 with four.
func TestDistanceModelOfBlueGene(t *testing.T) {
	torus := clock.TwoMidplanes(blueGeneLatency)
	require.EqualValues(t, 2*46*77+20*11, model.Distance(all(1024, 1), torus.Hops, blueGeneLatency, blueGeneCompute))
	require.EqualValues(t, 2*46*44+20*6, model.Distance(all(1024, 2), torus.Hops, blueGeneLatency, blueGeneCompute))
}
