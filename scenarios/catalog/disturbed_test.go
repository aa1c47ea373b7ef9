package catalog

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// verdictsOn runs a line with events and returns what is said about its promises, by name.
func verdictsOn(t *testing.T, line string) map[string]guarantee.Verdict {
	t.Helper()
	outcome, err := mustParse(t, line).Execute(t.Context(), scenarios.Options{Trace: emu.TraceEvents, Workers: 1})
	require.NoError(t, err, line)
	all := make(map[string]guarantee.Verdict)
	for _, v := range outcome.Guarantees {
		all[v.Name] = v
	}
	return all
}

// What a network does to messages is known to the promises that presuppose that it does not.
func TestPromisesKnowWhatHappensToMessages(t *testing.T) {
	const (
		same     = "all live ranks hold the same view, of all live ranks"
		disjoint = "when all is calm, no two views without a common member go on"
		excluded = "nobody who lives is excluded"
		founded  = "nobody begins a group of its own while a first member lives"
		atRoot   = "root gets the value of every live rank once, in order"
	)
	for _, c := range []struct{ line, promise, why string }{
		{"membership P=6 faults=cut:0-2|3-5@t100,mend:0-2|3-5@t300", same, "what is cut stays cut (mend:0-2|3-5@t300)"},
		{"membership P=6 minority=abort faults=cut:0-2|3-5@t100,mend:0-2|3-5@t300", disjoint, "what is cut stays cut (mend:0-2|3-5@t300)"},
		{"membership P=6 faults=mend:0-2|3-5@t300", same, ""},
		{"membership P=6 faults=cut:0-2>3-5@t100", same, "cuts leave clear partitions (cut:0-2>3-5@t100 lets messages through one way)"},
		{"membership P=6 faults=cut:0-2|3-5@t100", same, ""},
		{"membership P=6 until=900 faults=cut:0-2>3-5@t900", same, ""}, // after the end
		{"membership P=4 faults=late:0@send34+48", same, "no message is late (late:0@send34+48)"},
		{"membership P=4 faults=late:0@send34+48", excluded, "no message is late (late:0@send34+48)"},
		{"membership P=4 faults=late:0@send99+48", excluded, ""},
		{"membership P=4 jitter=exponential:3", same, "no message is late (jitter=exponential:3 has no bound)"},
		{"membership P=4 jitter=uniform:0..30", same, ""},
		{"membership P=4 noise=100:9", founded, "nobody is slow (noise=100:9)"},
		{"membership P=4 faults=lose:0@send5", same, "no message is lost (lose:0@send5)"},
		{"membership P=4 faults=lose:0@send5", founded, "every message arrives (lose:0@send5)"},
		{"reduce P=6 faults=late:0@send1+6", atRoot, "no message is late (late:0@send1+6)"},
		{"reduce P=6 jitter=uniform:0..6", atRoot, ""},
		{"reduce P=6 faults=lose:0@send1", atRoot, "every message arrives, and nobody comes back (lose:0@send1)"},
		{"reduce P=6 faults=lose:0@send1", "no deadlock", ""},
		{"bfb P=6 faults=crash:4@t9,late:3@send3+477", "no deadlock", "failures are noticed in time (rank 4 crashed at t=9, with late:3@send3+477)"},
		{"bfb P=6 faults=late:3@send3+477", "no deadlock", ""},
		{"bfb P=6 faults=lose:0@send1", "no more attempts than failures meanwhile, and one", ""},
		{"gossip P=8 variant=fcg faults=late:0@send15+51,late:2@send13+50", "nobody sends SOS", "no message is late (late:0@send15+51)"},
		{"reduce P=6 faults=twice:5@send2+1", atRoot, ""},
		{"bfb P=6 faults=twice:0@send1+1", "no more attempts than failures meanwhile, and one", ""},
		{"membership P=4 members=3 join=3@t50 faults=twice:3@send1+56", same, ""},
		{"membership P=5 until=900 minority=abort faults=late:1@send4+5,late:3@send1+54,twice:0@send7+1", "all live members of a stable view have installed it", ""},
		{"membership P=4 faults=twice:0@send2+1", "no message is sent twice", "no message arrives twice (twice:0@send2+1)"},
		{"broadcast P=6 faults=late:0@send1+99", "reaches every live rank", ""},
		{"broadcast P=6 jitter=lognormal:9:2", "reaches every live rank", ""},
	} {
		v, ok := verdictsOn(t, c.line)[c.promise]
		require.True(t, ok, "%s promises no %s", c.line, c.promise)
		if c.why == "" {
			assert.Equal(t, guarantee.Held, v.Value, "%s: %s: %s", c.line, c.promise, v.Evidence)
			continue
		}
		assert.Equal(t, guarantee.NotClaimed, v.Value, "%s: %s", c.line, c.promise)
		assert.Equal(t, c.why, v.Evidence, c.line)
	}
}

// Faults of messages take no rank away, so the usual end of a service need not leave time for that; a mend brings some back.
func TestServicesLastLongEnoughForMends(t *testing.T) {
	until := func(words string) string {
		return mustParse(t, "membership P=6 "+words).Experiment().Chosen["until"]
	}
	for _, fault := range []string{"late:0@send500+9", "lose:0@send500", "twice:0@send500+9", "lose:0>3@t90000"} {
		assert.Equal(t, until(""), until("faults="+fault), fault)
	}
	assert.Equal(t, until(""), until("faults=cut:0-2|3-5@t10"))
	assert.NotEqual(t, until(""), until("faults=cut:0-2|3-5@t10,mend:0-2|3-5@t90000"))
}

// Of slow ranks and late messages a reduction may leave out values, but has none twice.
func TestValuesThatAreTooLateMayBeMissing(t *testing.T) {
	const complete = "a complete result has every live rank once, in order"
	v := verdictsOn(t, "reduce P=6 faults=late:0@send1+6")[complete]
	assert.Equal(t, guarantee.Held, v.Value)
	assert.Equal(t, "no rank is in the result twice; those whose values were too late may be missing", v.Evidence)
}

// A rank that has heard of a decision that nobody else has goes on, votes in the next agreement for what that
// one is to it, and fails. What it has called is not what the others call.
func TestAVoteOfARankThatWentOnDoesNotCount(t *testing.T) {
	line := "collective P=5 op=alltoallv detector=delayed faults=crash:2@t47,crash:0@t10,crash:4@recv4,crash:3@recv1"
	outcome, err := mustParse(t, line).Execute(t.Context(), scenarios.Options{Workers: 1})
	require.NoError(t, err)
	require.Equal(t, guarantee.Held, outcome.Verdict())
}
