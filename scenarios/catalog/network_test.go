package catalog

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Networks on which a protocol would not keep its promises are refused, with the reason.
func TestProtocolsRefuseNetworksTheyAreNotMadeFor(t *testing.T) {
	const (
		differ = "latencies differ there, and "
		wait   = "messages may have to wait there without limit, and "
		others = "; want uniform, torus, mesh or fattree"
	)
	for _, c := range []struct{ line, want string }{
		{"gossip P=8 network=torus:2x2x2", differ + "ranks know T from how long the message to them was under way; want network=uniform"},
		{"gossip P=8 T=9 variant=gos network=switch:2", differ + "ranks know T from how long the message to them was under way; want network=uniform"},
		{"gossip P=8 rounds=3 variant=fcg network=switch:2", wait + "variant=fcg gives up waiting after a while" + others},
		{"broadcast P=8 network=switch:2", wait + "start=sync begins to correct when the tree must have reached everybody" + others},
		{"broadcast P=8 start=overlapped correction=delayed network=switch:2", wait + "correction=delayed gives up waiting after a while" + others},
		{"broadcast P=8 start=overlapped correction=failure-proof network=switch:2", wait + "correction=failure-proof gives up waiting after a while" + others},
		{"bfb P=8 network=switch:2", wait + "ranks leave when nobody can need them any more" + others},
		{"reduce P=8 network=switch:2", wait + "ranks have deadlines by which values must have come" + others},
		{"allreduce P=8 start=overlapped network=switch:2", wait + "ranks have deadlines by which values must have come" + others},
	} {
		_, err := ParseLine(c.line)
		word := c.line[strings.Index(c.line, "network="):]
		require.EqualError(t, err, `scenarios: "`+word+`": `+c.want, c.line)
	}
	_, err := ParseLine("gossip P=8 nodes=2 Lin=1")
	require.EqualError(t, err, `scenarios: "nodes=2": `+differ+"ranks know T from how long the message to them was under way; want network=uniform and nodes=none")
	careful := scenarios.Registry{{Name: "careful", Build: func(s line.Settings) (scenarios.Experiment, error) {
		return scenarios.Experiment{Program: protocols.Program{Main: func(protocols.Proc) {}}}, nil
	}}}
	_, err = careful.ParseLine("careful P=8 network=torus:2x2x2")
	require.EqualError(t, err, `scenarios: "network=torus:2x2x2": `+differ+"the protocol may rely on L for all; want network=uniform")
}

// Protocols that accept a network keep their promises on it, with every single failure.
func TestProtocolsKeepTheirPromisesOnNetworks(t *testing.T) {
	for _, line := range []string{
		"broadcast P=8 network=mesh:8x1x1 L=9",
		"broadcast P=8 network=mesh:8x1x1 L=9 tree=optimal numbering=in-order",
		"broadcast P=8 network=torus:2x2x2:zyx correction=failure-proof",
		"broadcast P=8 network=fattree:2x3 L=5 correction=delayed",
		"broadcast P=6 network=mesh:6x1x1 L=5 repeat=3",
		"broadcast P=8 network=mesh:8x1x1 L=9 start=overlapped",
		"broadcast P=8 network=switch:3 start=overlapped",
		"broadcast P=8 network=switch:3 start=overlapped correction=opportunistic d=14",
		"broadcast P=6 network=switch:3 start=overlapped correction=cautious d=10 repeat=3",
		"reduce P=7 network=mesh:7x1x1 L=9",
		"allreduce P=6 network=mesh:6x1x1 L=9",
		"allreduce P=6 network=fattree:2x3 L=5 start=overlapped",
		"gossip P=7 rounds=3 network=switch:4",
		"gossip P=7 T=20 start=sharp network=switch:4",
		"gossip P=7 T=20 start=sharp network=mesh:7x1x1 L=9",
		"gossip P=7 rounds=3 network=mesh:7x1x1 L=9",
		"gossip P=7 rounds=3 variant=fcg network=mesh:7x1x1 L=9",
		"bfb P=6 notices=hangs network=mesh:6x1x1 L=9",
		"multitree P=8 network=switch:4",
		"multitree P=8 network=mesh:8x1x1 L=9",
		"big P=8 network=switch:4",
		"big P=8 network=mesh:8x1x1 L=9",
		"broadcast P=8 nodes=3 L=9 o=3 Lin=1 oin=1",
		"broadcast P=8 nodes=2 L=9 oin=4 correction=failure-proof",
		"broadcast P=8 nodes=4 network=torus:2x2x1 L=5 Lin=1 start=overlapped correction=delayed",
		"reduce P=7 nodes=3 L=9 o=3 Lin=1 oin=1",
		"reduce P=7 nodes=3 Lin=9 oin=5",
		"allreduce P=6 nodes=2 L=9 o=3 Lin=1 oin=1 start=overlapped",
		"gossip P=7 rounds=3 variant=fcg nodes=2 L=9 Lin=1 oin=3",
		"bfb P=6 notices=hangs nodes=2 L=9 o=3 Lin=1 oin=1",
		"membership P=4 nodes=2 L=9 o=3 Lin=1 oin=1",
		"collective P=5 nodes=2 L=9 o=3 Lin=1 oin=1",
		"big P=8 nodes=2 L=9 o=3 Lin=1 oin=1",
		// Times that follow from the latency have jitter in them, as much as there can be.
		"broadcast P=8 jitter=uniform:0..30",
		"broadcast P=6 jitter=table:0x3,25x1 repeat=3",
		"broadcast P=8 jitter=uniform:0..30 start=overlapped correction=failure-proof",
		"broadcast P=8 jitter=uniform:0..30 start=overlapped correction=delayed network=torus:2x2x2",
		"reduce P=7 jitter=uniform:0..30",
		"allreduce P=6 jitter=table:0x3,25x1",
		"gossip P=7 rounds=3 variant=fcg jitter=uniform:0..30",
		"bfb P=6 notices=hangs jitter=uniform:0..30",
		"membership P=4 jitter=uniform:0..3",
		"collective P=5 jitter=uniform:0..30",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			run, err := ParseLine(line)
			require.NoError(t, err)
			found, err := search.Explore(t.Context(), run.Subject(), search.ExploreOptions{Faults: 1, Kinds: []faults.Kind{faults.Crash, faults.Hang}})
			require.NoError(t, err)
			require.True(t, found.Complete())
			require.Empty(t, found.Violations)
			require.Greater(t, found.Runs, int64(10))
		})
	}
}

// One executor runs lines on different networks, and what happens depends on them.
func TestExecutorsTellNetworksApart(t *testing.T) {
	executor := scenarios.NewExecutor(scenarios.Options{})
	colouring := func(words string) clock.Time {
		run, err := ParseLine("broadcast P=8 correction=none " + words)
		require.NoError(t, err)
		outcome, err := executor.Run(context.Background(), run)
		require.NoError(t, err)
		return outcome.Report.Colouring
	}
	for range 2 {
		assert.EqualValues(t, 12, colouring("L=2"))
		assert.EqualValues(t, 12, colouring("L=1 network=fattree:8x1"), "two hops between any two ranks")
		assert.EqualValues(t, 9, colouring("L=1 network=torus:2x2x2"), "the tree goes along the edges of the cube")
		assert.EqualValues(t, 15, colouring("L=3 network=torus:2x2x2"), "three ticks a hop")
		assert.EqualValues(t, 13, colouring("L=1 network=mesh:8x1x1"), "1, 2 and 4 hops")
	}
}

func TestJSONNamesTheNetwork(t *testing.T) {
	run, err := ParseLine("big P=8 network=mesh:2x2x2")
	require.NoError(t, err)
	outcome, err := run.Execute(context.Background(), scenarios.Options{})
	require.NoError(t, err)
	text, err := json.Marshal(outcome)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"machine":{"P":8,"L":6,"o":1,"g":0,"G":0,"network":"2x2x2 mesh, order xyz, latency 2 per hop"}`)
}
