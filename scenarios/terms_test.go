package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// returning is a registry with two protocols that do the same. The ranks of the second one may
// come back.
func returning() scenarios.Registry {
	g := append(testRegistry(star), testRegistry(star)...)
	g[1].Name, g[1].Rejoins = "hotel", true
	return g
}

// On cut links nothing is promised but what must never happen.
func TestNothingIsPromisedOnCutLinks(t *testing.T) {
	outcome := mustExecute(t, "broadcast P=8 faults=cut:3|*@t2", scenarios.Options{Trace: emu.TraceEvents})
	require.NotEmpty(t, outcome.Report.Unreached)
	assert.Equal(t, guarantee.NotClaimed, outcome.Verdict())
	verdicts := make(map[string]guarantee.Verdict)
	for _, g := range outcome.Guarantees {
		verdicts[g.Name] = g
	}
	for _, name := range []string{"reaches every live rank", "no deadlock"} {
		assert.Equal(t, guarantee.NotClaimed, verdicts[name].Value, name)
		assert.Equal(t, "every message arrives, and nobody comes back (cut:3|*@t2)", verdicts[name].Evidence, name)
	}
	for _, name := range []string{"integrity", "only coloured ranks send", "no duplicates", "whoever is reached returns"} {
		assert.Equal(t, guarantee.Held, verdicts[name].Value, name)
	}
	whole := mustExecute(t, "broadcast P=8 faults=cut:3|*@t1000", scenarios.Options{})
	assert.Equal(t, guarantee.Held, whole.Verdict(), "all was over")
}

// Who says nothing about deadlocks promises nothing about them either.
func TestDeadlocksOnCutLinksAreNotJudged(t *testing.T) {
	g := testRegistry(chain)
	build := g[0].Build
	g[0].Build = func(s line.Settings) (scenarios.Experiment, error) {
		e, err := build(s)
		e.Promises = nil
		return e, err
	}
	outcome, err := execute(t, g, "test P=4 faults=cut:0-1|2-3", scenarios.Options{})
	require.NoError(t, err)
	require.NotEmpty(t, outcome.Report.Deadlocks)
	assert.Equal(t, []guarantee.Verdict{{Name: "no deadlock", Value: guarantee.NotClaimed, Evidence: "every message arrives, and nobody comes back (cut:0-1|2-3@t0)", Safety: true}}, outcome.Guarantees)
}

func TestReductionsPromiseNothingOnCutLinks(t *testing.T) {
	for _, line := range []string{"reduce P=8 f=1 faults=cut:3-5|*@t1", "allreduce P=8 f=1 faults=cut:3-5|*@t1", "allreduce P=8 f=1 faults=lose:3@send1"} {
		outcome := mustExecute(t, line, scenarios.Options{})
		assert.Equal(t, guarantee.NotClaimed, outcome.Verdict(), line)
	}
}

func TestOnlySomeProtocolsLetRanksComeBack(t *testing.T) {
	g := returning()
	_, err := g.ParseLine("test P=4 faults=crash:3,rejoin:3@t9")
	require.EqualError(t, err, `scenarios: "faults=crash:3,rejoin:3@t9": test does not let ranks come back; hotel does`)
	_, err = g[:1].ParseLine("test P=4 faults=crash:3,rejoin:50%@t9")
	require.EqualError(t, err, `scenarios: "faults=crash:3,rejoin:50%@t9": test does not let ranks come back`)
	_, err = g.ParseLine("tset P=4 faults=crash:3,rejoin:3@t9")
	require.NotContains(t, err.Error(), "come back", "it may be one that does")
	_, err = catalog.ParseLine("broadcast faults=crash:3,rejoin:3@t9")
	require.ErrorContains(t, err, "broadcast does not let ranks come back")
}

// Protocols that let ranks come back say themselves what they promise then.
func TestSomeProtocolsHaveTermsOfTheirOwn(t *testing.T) {
	for line, want := range map[string]string{
		"hotel P=4 faults=crash:3@t1,rejoin:3@t40": "rank 3 never reached",
		"hotel P=4 faults=cut:3|*":                 "rank 3 never reached",
		"test P=4 faults=cut:3|*":                  "every message arrives, and nobody comes back (cut:3|*@t0)",
	} {
		outcome, err := execute(t, returning(), line, scenarios.Options{})
		require.NoError(t, err)
		assert.Equal(t, want, outcome.Guarantees[0].Evidence, line)
	}
}

// A search knows the terms, too.
func TestSearchesKnowTheTerms(t *testing.T) {
	for name, broken := range map[string]bool{"test": false, "hotel": true} {
		run, err := returning().ParseLine(name + " P=4")
		require.NoError(t, err)
		found, err := search.Explore(t.Context(), run.Subject(), search.ExploreOptions{Faults: 2, Rejoins: []clock.Time{30}, Cuts: []clock.Time{0}})
		require.NoError(t, err)
		assert.Equal(t, broken, len(found.Violations) > 0, name)
		assert.Equal(t, broken, found.Tally.Counts[0].Judged == found.Tally.Runs, name)
	}
}
