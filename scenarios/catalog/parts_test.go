package catalog_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// executeInParts runs a line on so many parts, and returns what part 0 says, as JSON too, which all parts write together.
func executeInParts(t *testing.T, text string, count int, opts scenarios.Options) (outcome *scenarios.Outcome, all string) {
	t.Helper()
	outcomes := make([]*scenarios.Outcome, count)
	errs := parts.Together(t.Context(), count, func(part parts.Mail) error {
		run, err := catalog.ParseLine(text)
		if err != nil {
			return err
		}
		opts := opts
		opts.Part = part
		i := part.Index()
		if outcomes[i], err = run.Execute(t.Context(), opts); err != nil {
			return err
		}
		text, err := asJSON(outcomes[i])
		if i > 0 {
			return nil // what it writes are pieces
		}
		all = text
		return err
	})
	for i, o := range outcomes {
		require.NoError(t, errs[i], text)
		require.Equal(t, i > 0 && o.Report.Share == nil, o.Elsewhere, text)
		require.Equal(t, outcomes[0].Report.Hash, o.Report.Hash, text)
		require.Equal(t, outcomes[0].Report.Messages, o.Report.Messages, text)
		require.Equal(t, outcomes[0].Guarantees, o.Guarantees, text)
		require.Equal(t, outcomes[0].Completion, o.Completion, text)
	}
	return outcomes[0], all
}

// asJSON is all that is said of a run, but what it took.
func asJSON(o *scenarios.Outcome) (string, error) {
	o.Report.Wall, o.Report.BytesPerRank = 0, 0
	text, err := json.MarshalIndent(o, "", " ")
	return string(text), err
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
			for _, level := range []emu.TraceLevel{emu.TraceEvents, emu.TraceHash} {
				opts := scenarios.Options{Trace: level, Workers: 1 + n/4%2}
				want, err := run.Execute(t.Context(), opts)
				require.NoError(t, err, words)
				wanted, err := asJSON(want)
				require.NoError(t, err, words)
				got, text := executeInParts(t, words, []int{2, 3, 7}[n/4%3], opts)
				require.Equal(t, want.Report.Events, got.Report.Events, words)
				require.Equal(t, wanted, text, words)
			}
		}
	}
}
