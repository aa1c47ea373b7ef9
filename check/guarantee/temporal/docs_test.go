package temporal_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/guarantee/temporal"
)

// documented are the promises that docs/guarantees.md shows.
func documented() []guarantee.Guarantee {
	leader := temporal.While("leader", temporal.Step("lead"), temporal.Step("follow"))
	return []guarantee.Guarantee{
		temporal.Always("one leader at a time", leader.AtMost(1)),
		temporal.Settles("a leader", temporal.AfterLastFailure, 500, leader.AtLeast(1)),
		temporal.WeakUntil("nobody acts before all agree", temporal.Happened(temporal.Step("act")).Not(), temporal.Step("agreed")),
		temporal.LeadsTo("whoever asks is answered", temporal.Step("ask"), 90, temporal.Step("answered")),
	}
}

// What the document shows is what is here, and says what the document says of it.
func TestTheDocumentShowsWhatWorks(t *testing.T) {
	document, err := os.ReadFile("../../../docs/guarantees.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(document), "## Promises over time\n")
	require.True(t, found)
	_, block, _ := strings.Cut(section, "```go\n")
	block, _, _ = strings.Cut(block, "```")
	source, err := os.ReadFile("docs_test.go")
	require.NoError(t, err)
	for line := range strings.Lines(block) {
		require.Contains(t, string(source), strings.TrimSpace(line))
	}
	require.Equal(t, 5, strings.Count(block, "temporal.While(")+strings.Count(block, "\ntemporal."))

	run := traced(step(1, 0, "lead"), step(2, 1, "act"), step(3, 0, "follow"), step(4, 1, "lead"), step(5, 1, "agreed"), step(6, 2, "ask"), step(96, 2, "answered"))
	var values []guarantee.Value
	for _, v := range guarantee.Check(run, documented()...) {
		values = append(values, v.Value)
	}
	require.Equal(t, []guarantee.Value{guarantee.Held, guarantee.Held, guarantee.Broken, guarantee.Held}, values)
	for i, safety := range []bool{true, false, true, false} {
		require.Equal(t, safety, guarantee.PromiseOf(documented()[i]).IsSafety())
	}
}
