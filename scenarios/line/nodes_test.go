package line

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestLinesNameNodes(t *testing.T) {
	cheap := clock.Local{Latency: 1, Overhead: 1}
	file := writeFile(t, "L = 90\no = 7\nLin = 3\noin = 2\n")
	for _, c := range []struct {
		words    string
		network  clock.Network
		latency  clock.Time // that protocols reckon with
		overhead clock.Time
	}{
		{"nodes=none", nil, 2, 1},
		{"nodes=2 Lin=1 oin=1 L=9 o=3", clock.Nodes{Ranks: 8, Nodes: 2, Between: clock.Uniform(9), Inside: cheap}, 9, 3},
		{"nodes=2 latency-inside=1 L=9 o=3", clock.Nodes{Ranks: 8, Nodes: 2, Between: clock.Uniform(9), Inside: clock.Local{Latency: 1, Overhead: 3}}, 9, 3},
		{"nodes=8 overhead-inside=5 L=9", clock.Nodes{Ranks: 8, Nodes: 8, Between: clock.Uniform(9), Inside: clock.Local{Latency: 9, Overhead: 5}}, 9, 5},
		{"nodes=2 Lin=20 jitter=uniform:0..3", clock.Nodes{Ranks: 8, Nodes: 2, Between: clock.Uniform(2), Inside: clock.Local{Latency: 20, Overhead: 1}}, 23, 1},
		{"nodes=4 Lin=1 network=torus:2x2x1", clock.Nodes{Ranks: 8, Nodes: 4, Between: clock.Torus{X: 2, Y: 2, Z: 1, PerHop: 2}, Inside: cheap}, 4, 1},
		{"nodes=2 Lin=100ns oin=0.2us tick=100ns", clock.Nodes{Ranks: 8, Nodes: 2, Between: clock.Uniform(2), Inside: clock.Local{Latency: 1, Overhead: 2}}, 2, 2},
		{"nodes=2 machine=" + file, clock.Nodes{Ranks: 8, Nodes: 2, Between: clock.Uniform(90), Inside: clock.Local{Latency: 3, Overhead: 2}}, 90, 7},
		{"nodes=2 oin=1 machine=" + file, clock.Nodes{Ranks: 8, Nodes: 2, Between: clock.Uniform(90), Inside: clock.Local{Latency: 3, Overhead: 1}}, 90, 7},
		{"machine=" + file, nil, 90, 7},
	} {
		l, err := read("big P=8 " + c.words)
		require.NoError(t, err, c.words)
		s := l.Settings()
		assert.Equal(t, c.network, s.Network(), c.words)
		assert.Equal(t, c.latency, s.LogP().Latency, c.words)
		assert.Equal(t, c.overhead, s.LogP().Overhead, c.words)
		assert.Equal(t, s.Ticks("o"), s.Machine().Overhead, c.words)
	}
}

func TestWrongNodesAreNamed(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{"nodes=0 Lin=1", `"nodes=0": want none or a number from 1 to 2147483647`},
		{"nodes=two Lin=1", `"nodes=two": want none or a number from 1 to 2147483647`},
		{"nodes=02 Lin=1", `"nodes=02": want none or a number from 1 to 2147483647`},
		{"nodes=9 Lin=1", `"nodes=9": more nodes than the ranks, P=8; want 1 to 8`},
		{"nodes=2", `"nodes=2": L and o are the same inside of them as between them; want Lin or oin, too`},
		{"Lin=1", `"Lin=1": there are no nodes to be inside of; want a number of them, such as nodes=16`},
		{"overhead-inside=1", `"oin=1": there are no nodes to be inside of; want a number of them, such as nodes=16`},
		{"nodes=2 Lin=0", `"Lin=0": want auto or a number from 1 to 1099511627776`},
		{"nodes=2 oin=1 receive=many", `"nodes=2": with receive=many messages would come out of order where o differs; want receive=one`},
		{"nodes=2 oin=1 network=switch:2", `"network=switch:2": all messages pass the switch there, also those inside of nodes; want another network, or nodes=none`},
		{"nodes=5 oin=1 network=torus:2x2x1", `"network=torus:2x2x1": 4 nodes there, and nodes=5; want up to 4`},
	} {
		_, err := read("big P=8 " + c.words)
		require.EqualError(t, err, "scenarios: "+c.want, c.words)
	}
}
