package scenarios_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// The line of the README: three crashes that matter together. What is drawn is explained by the ranks that were drawn.
func TestLinesAreExplained(t *testing.T) {
	for line, want := range map[string]string{
		"broadcast P=16 numbering=in-order faults=crash:4@t0,crash:3@after-send1,crash:8@after-send5": `because, compared with the run without crash:4@t0:
    rank 5 waits for ever in Recv(kind=tree..sos epoch=0) since t=0
    it did not get message tree from rank 4, which would have come at t=10
    rank 4 did not send message tree to rank 5: it crashed at t=0 (crash:4@t0)
without crash:4@t0: holds
without crash:3@after-send1: holds, for rank 5 gets message right from rank 3 at t=23
without crash:8@after-send5: holds, for rank 5 gets message left from rank 8 at t=24
with one of them only: holds`,
		"broadcast P=12 correction=none seed=1 faults=crash:~1@t1": `because, compared with the run without crash:2@t1:
    rank 6 waits for ever in Recv(kind=tree..sos epoch=0) since t=0; so does 1 more
    it did not get message tree from rank 2, which would have come at t=9
    rank 2 did not send message tree to rank 6: it crashed at t=1 (crash:2@t1)
without crash:2@t1: holds`,
	} {
		run, err := catalog.ParseLine(line)
		require.NoError(t, err)
		why, err := run.Why(t.Context(), "", emu.TraceHash)
		require.NoError(t, err)
		require.Equal(t, strings.Split(want, "\n"), why.Lines(), line)
		require.Equal(t, "reaches every live rank", why.Promise)
	}
}

// Only what is broken is explained, and large runs are not.
func TestOutcomesAreExplained(t *testing.T) {
	run, err := catalog.ParseLine("broadcast P=4 correction=none faults=crash:1")
	require.NoError(t, err)
	outcome, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	require.NoError(t, outcome.Explain(t.Context(), run, emu.TraceHash))
	text, err := json.Marshal(outcome)
	require.NoError(t, err)
	require.Contains(t, string(text), `"why":{"promise":"reaches every live rank","beside":"without crash:1@t0","because":[{"text":"rank 3 waits for ever in `)
	require.Contains(t, string(text), `"without":[{"what":"without crash:1@t0","becomes":"holds","holds":true,"faults":"none"}]}`)

	outcome.Why, outcome.Report.Messages = nil, 1_000_000
	require.NoError(t, outcome.Explain(t.Context(), run, emu.TraceHash))
	require.Equal(t, []string{"not explained: runs are explained up to 250,000 messages, and this one has 1,000,000"}, outcome.Why.Lines())

	outcome.Why, outcome.Guarantees = nil, []guarantee.Verdict{{Value: guarantee.Held}}
	require.NoError(t, outcome.Explain(t.Context(), run, emu.TraceHash))
	require.Nil(t, outcome.Why)
}

// Of violations the first ones are, those that differ from run to run aside.
func TestSomeViolationsAreExplained(t *testing.T) {
	run, err := catalog.ParseLine("broadcast P=4 correction=none")
	require.NoError(t, err)
	broken := []guarantee.Verdict{{Name: "no deadlock"}}
	all := []scenarios.Violation{
		{Line: run.String(), Check: true, Broken: broken},
		{Line: run.String() + " faults=crash:1@t0", Broken: broken},
		{Line: run.String() + " faults=hang:1@t0", Broken: broken},
	}
	require.NoError(t, run.ExplainAll(t.Context(), all, 1))
	require.Nil(t, all[0].Why)
	require.Equal(t, "no deadlock", all[1].Why.Promise)
	require.Len(t, all[1].Why.Because, 3)
	require.Nil(t, all[2].Why)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, run.ExplainAll(ctx, all, 3), context.Canceled)
}
