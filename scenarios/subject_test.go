package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

func TestWithReplacesFaults(t *testing.T) {
	run, err := catalog.ParseLine("broadcast P=8 faults=crash:3 L=4")
	require.NoError(t, err)
	require.Equal(t, "broadcast P=8 L=4 faults=hang:1@send2", run.WithFaults(faults.MustParse("hang:1@send2")))
	require.Equal(t, "broadcast P=8 L=4", run.WithFaults(nil))
}

// A search and a run of its line check the same. What needs events is checked where these are
// recorded, and nowhere else, if the protocol wants it so.
func TestSearchesAndRunsCheckTheSame(t *testing.T) {
	g := changed(nothing, func(_ line.Settings, e *scenarios.Experiment) {
		e.Promises = []guarantee.Guarantee{guarantee.Func("nothing happens", true, func(guarantee.Run) (bool, string) { return false, "it does" })}
	})
	g[0].EventsIfAsked = true
	run, err := g.ParseLine("test P=3")
	require.NoError(t, err)
	for trace, broken := range map[emu.TraceLevel]bool{emu.TraceOff: false, emu.TraceHash: false, emu.TraceEvents: true} {
		outcome, err := run.Execute(t.Context(), scenarios.Options{Trace: trace})
		require.NoError(t, err)
		require.Equal(t, broken, outcome.Verdict() == guarantee.Broken)
		subject := run.Subject()
		subject.Events = trace == emu.TraceEvents
		for upTo := 1; upTo <= 2; upTo++ {
			found, err := search.Explore(t.Context(), subject, search.ExploreOptions{Faults: upTo})
			require.NoError(t, err)
			require.Equal(t, broken, len(found.Violations) > 0, "up to %d faults", upTo)
		}
	}
}

func TestASearchIsMadeOnTheNetworkOfTheLine(t *testing.T) {
	run, err := catalog.ParseLine("big P=8 network=mesh:2x2x2")
	require.NoError(t, err)
	require.NotNil(t, run.Subject().Machine.Network)
	require.Equal(t, run.Settings().Network(), run.Subject().Machine.Network)
}
