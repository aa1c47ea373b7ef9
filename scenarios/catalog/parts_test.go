package catalog_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// executeInParts runs a line on so many parts, and returns what part 0 says.
func executeInParts(t *testing.T, text string, count int, opts scenarios.Options) *scenarios.Outcome {
	t.Helper()
	outcomes, errs := make([]*scenarios.Outcome, count), make([]error, count)
	group, leave := context.WithCancelCause(t.Context())
	defer leave(nil)
	var wait sync.WaitGroup
	for i, part := range parts.InProcess(group, count) {
		run, err := catalog.ParseLine(text)
		require.NoError(t, err)
		wait.Go(func() {
			opts := opts
			opts.Part = part
			outcomes[i], errs[i] = run.Execute(t.Context(), opts)
			if errs[i] != nil {
				leave(errs[i])
			}
		})
	}
	wait.Wait()
	for i, o := range outcomes {
		require.NoError(t, errs[i], text)
		require.Equal(t, i > 0, o.Elsewhere, text)
		require.Equal(t, outcomes[0].Report.Hash, o.Report.Hash, text)
		require.Equal(t, outcomes[0].Report.Messages, o.Report.Messages, text)
		require.Equal(t, outcomes[0].Guarantees, o.Guarantees, text)
		require.Equal(t, outcomes[0].Completion, o.Completion, text)
	}
	return outcomes[0]
}

// asJSON is all that is said of a run, but what it took.
func asJSON(t *testing.T, o *scenarios.Outcome) string {
	t.Helper()
	o.Report.Wall, o.Report.BytesPerRank = 0, 0
	text, err := json.MarshalIndent(o, "", " ")
	require.NoError(t, err)
	return string(text)
}

// Lines lead to the same outcome however many parts run them, with however many workers: results, events, verdicts, details.
func TestPartsOfARunComeToTheSameOutcome(t *testing.T) {
	n := 0
	for _, file := range []string{"testdata/hashes.golden", "testdata/madeup.golden"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for row := range strings.Lines(string(text)) {
			_, words, _ := strings.Cut(strings.TrimSpace(row), " ")
			if n++; n%4 != 0 && !thorough.All() {
				continue
			}
			run, err := catalog.ParseLine(words)
			require.NoError(t, err)
			opts := scenarios.Options{Trace: emu.TraceEvents, Workers: 1 + n/4%2}
			want, err := run.Execute(t.Context(), opts)
			require.NoError(t, err, words)
			got := executeInParts(t, words, []int{2, 3, 7}[n/4%3], opts)
			require.Equal(t, want.Report.Events, got.Report.Events, words)
			require.Equal(t, asJSON(t, want), asJSON(t, got), words)
		}
	}
}
