package search

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

var networks = []clock.Network{
	clock.Torus{X: 5, Y: 1, Z: 1, PerHop: 3, Mesh: true},
	clock.Switch{In: 1, Service: 2, Out: 1},
}

// Runs of a search take place on the subject's network.
func TestSearchesUseTheNetwork(t *testing.T) {
	s := spread(t, 4, tree.Interleaved, correction.None{})
	s.NewTrial = withJudge(s, func(rep *report.Report) []guarantee.Verdict {
		return []guarantee.Verdict{{Name: "as far as on a mesh", Value: guarantee.ValueOf(rep.Colouring == 2+3+2+6 || len(rep.Failed) > 0)}}
	})
	require.NotEmpty(t, explore(t, s, ExploreOptions{Faults: 1}).Violations)
	s.Machine.Network = networks[0]
	require.Empty(t, explore(t, s, ExploreOptions{Faults: 1}).Violations)

	s.Machine.Network = clock.Torus{X: 3, Y: 1, Z: 1, PerHop: 1}
	_, err := Explore(t.Context(), s, ExploreOptions{Faults: 1})
	require.ErrorContains(t, err, "ranks P = 4 ranks, want 1 to 3, the nodes of the network")
}

// What others notice of a failure are messages that do not come, on any network: one schedule of
// each class finds what all of them find, and the same happens with any number of workers.
func TestClassesLoseNothingOnOtherNetworks(t *testing.T) {
	nodes := func(ranks int) clock.Network {
		return clock.Nodes{Ranks: ranks, Nodes: 2, Between: clock.Uniform(5), Inside: clock.Local{Latency: 1, Overhead: 4}}
	}
	for _, n := range []func(ranks int) clock.Network{
		func(int) clock.Network { return networks[0] }, func(int) clock.Network { return networks[1] }, nodes,
	} {
		for _, c := range []struct {
			correction  correction.Correction
			ranks, upTo int
			violations  int
		}{
			{correction.None{}, 5, 2, 1},
			{&correction.Opportunistic{Messages: 1}, 4, 2, 1},
		} {
			s := spread(t, c.ranks, tree.InOrder, c.correction)
			s.Machine.Network, s.Twice = n(c.ranks), true
			some := explore(t, s, ExploreOptions{Faults: c.upTo})
			all := explore(t, s, ExploreOptions{Faults: c.upTo, Every: true})
			require.Equal(t, all.Covered, some.Covered, "%v", s.Machine.Network)
			require.Less(t, some.Runs, all.Runs)
			require.Len(t, some.Violations, c.violations, "%v", s.Machine.Network)
			require.Len(t, all.Violations, c.violations)
			for i := range all.Violations {
				require.Equal(t, some.Violations[i].Schedule, all.Violations[i].Schedule)
			}
		}
	}
}
