package line

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestLinesNameNetworks(t *testing.T) {
	for _, c := range []struct {
		words   string
		network clock.Network
		longest clock.Time
	}{
		{"", nil, 2},
		{"network=uniform L=3", nil, 3},
		{"network=torus:8x8x16", clock.TwoMidplanes(2), 2 * 16},
		{"network=torus:8x8x16:xyz", clock.TwoMidplanes(2), 2 * 16},
		{"network=torus:2x3x5:zyx L=7", clock.Torus{X: 2, Y: 3, Z: 5, PerHop: 7, Order: clock.ZYX}, 7 * 4},
		{"network=mesh:4x4x4:yzx", clock.Torus{X: 4, Y: 4, Z: 4, PerHop: 2, Mesh: true, Order: clock.YZX}, 2 * 9},
		{"network=fattree:16x3", clock.FatTree{Arity: 16, Levels: 3, PerHop: 2}, 2 * 6},
		{"network=switch:5", clock.Switch{In: 1, Service: 5, Out: 1}, 7},
		{"network=switch:5 L=1", clock.Switch{In: 0, Service: 5, Out: 1}, 6},
		{"network=switch:5 L=8", clock.Switch{In: 4, Service: 5, Out: 4}, 13},
		{"network=switch:1.5us L=0.9us tick=100ns", clock.Switch{In: 4, Service: 15, Out: 5}, 24},
	} {
		l, err := read("big P=8 " + c.words)
		require.NoError(t, err, c.words)
		assert.Equal(t, c.network, l.Settings().Network(), c.words)
		assert.Equal(t, c.longest, l.Settings().LogP().Latency, c.words)
		if c.network != nil {
			assert.LessOrEqual(t, c.network.MinLatency(), c.longest)
		}
	}
}

// Protocols reckon with as much jitter as there can be; the machine has none of it in its latency.
func TestLongestLatenciesHaveJitterInThem(t *testing.T) {
	for _, c := range []struct {
		words           string
		longest, itself clock.Time
	}{
		{"jitter=uniform:0..3", 5, 2},
		{"jitter=uniform:2..3 L=7", 10, 7},
		{"jitter=table:0x90,200x1,5x9", 202, 2},
		{"jitter=exponential:5", 2, 2},
		{"jitter=lognormal:5:1", 2, 2},
		{"jitter=uniform:0..3 network=torus:2x2x2", 9, 6},
		{"jitter=uniform:0..3 network=switch:5", 10, 7},
	} {
		l, err := read("big P=8 " + c.words)
		require.NoError(t, err, c.words)
		assert.Equal(t, c.longest, l.Settings().LogP().Latency, c.words)
		assert.Equal(t, c.itself, l.Settings().Machine().Latency, c.words)
	}
	_, err := read("big P=8 jitter=uniform:0..5 L=1099511627775")
	require.EqualError(t, err, "scenarios: latency L = 1099511627780 ticks, want 1 to 1099511627776")
}

func TestWrongNetworksAreNamed(t *testing.T) {
	const want = "want uniform, torus:8x8x16, torus:8x8x16:zyx, mesh:4x4x4, fattree:16x3 or switch:2"
	for _, c := range []struct{ words, want string }{
		{"network=", `"network=": empty value, ` + want},
		{"network=ring", `"network=ring": ` + want},
		{"network=tours:2x2x2", `"network=tours:2x2x2": ` + want + "; did you mean torus?"},
		{"network=uniform:2", `"network=uniform:2": want uniform`},
		{"network=torus", `"network=torus": want torus:8x8x16 or torus:8x8x16:zyx`},
		{"network=torus:8x8", `"network=torus:8x8": want torus:8x8x16 or torus:8x8x16:zyx`},
		{"network=torus:8x8x08", `"network=torus:8x8x08": want torus:8x8x16 or torus:8x8x16:zyx`},
		{"network=torus:8x8x-8", `"network=torus:8x8x-8": want torus:8x8x16 or torus:8x8x16:zyx`},
		{"network=torus:8x8x8:", `"network=torus:8x8x8:": order "", want xyz, xzy, yxz, yzx, zxy or zyx`},
		{"network=torus:8x8x8:zzz", `"network=torus:8x8x8:zzz": order "zzz", want xyz, xzy, yxz, yzx, zxy or zyx`},
		{"network=torus:0x8x8", `"network=torus:0x8x8": nodes in x = 0 nodes, want 1 to 2147483647`},
		{"network=mesh:4x4", `"network=mesh:4x4": want mesh:4x4x4 or mesh:4x4x4:zyx`},
		{"network=fattree:16", `"network=fattree:16": want fattree:16x3`},
		{"network=fattree:1x3", `"network=fattree:1x3": arity = 1 leaves, want 2 to 2147483647`},
		{"network=switch", `"network=switch": want switch:2`},
		{"network=switch:two", `"network=switch:two": want switch:2`},
		{"network=switch:0", `"network=switch:0": service time = 0 ticks, want 1 to 1099511627776`},
		{"network=switch:3us", `"network=switch:3us": a time, but ticks have no unit; set one, such as tick=100ns, or give a number of ticks`},
		{"network=switch:3us tick=2us", `"network=switch:3us": not a whole number of ticks of 2us, the nearest are 2us and 4us`},
		{"network=torus:2x2x2", `"network=torus:2x2x2": 8 nodes, and P=9 ranks; want P up to 8, or more nodes`},
		{"network=fattree:2x3", `"network=fattree:2x3": 8 nodes, and P=9 ranks; want P up to 8, or more nodes`},
		{"network=mesh:9x9x9 L=1099511627776", `"network=mesh:9x9x9": longest latency = 26388279066624 ticks, want 1 to 1099511627776`},
	} {
		_, err := read("big P=9 " + c.words)
		require.EqualError(t, err, "scenarios: "+c.want, c.words)
	}
}
