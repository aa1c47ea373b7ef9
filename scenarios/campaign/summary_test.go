package campaign

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/scenarios"
)

func TestSummariesAreThoseOfTheRuns(t *testing.T) {
	c := parse(t, small)
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, Options{}))
	got, all, err := Summarize(protocols, file)
	require.NoError(t, err)
	require.Equal(t, c, got)
	require.Len(t, all, 6)
	none := all[0]
	require.Equal(t, []string{"binomial", "none"}, none.Values)
	require.Equal(t, 5, none.Runs)
	require.Zero(t, none.Messages.Confidence(0.95)) // chance has no part in it
	require.Equal(t, none.Colouring.Min(), none.Colouring.Max())
	require.Equal(t, 1.0, none.Complete.Rate())
	require.Positive(t, all[1].Messages.Confidence(0.95))
	// The first half of a file counts as far as it goes.
	text := read(t, file)
	require.NoError(t, os.WriteFile(file, text[:len(text)/2], 0o644))
	_, all, err = Summarize(protocols, file)
	require.NoError(t, err)
	require.Equal(t, 5, all[0].Runs)
	require.Zero(t, all[5].Runs)
}

// Of a row in which a guarantee was broken, the first run that broke it can be looked at.
func TestTheFirstBrokenRunIsKnown(t *testing.T) {
	c := &Campaign{protocols: protocols, Name: "missed", Line: "broadcast correction=none P=64 faults=crash:2%", Runs: 40, Seed: 3}
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, Options{}))
	_, all, err := Summarize(protocols, file)
	require.NoError(t, err)
	held := func(run int) bool {
		e := scenarios.NewExecutor(scenarios.Options{})
		defer func() { require.NoError(t, e.Close()) }()
		record, err := c.runJob(context.Background(), e, run)
		require.NoError(t, err)
		return record.Held
	}
	require.Positive(t, all[0].Broken, "choose another seed: the first run is broken")
	for run := range all[0].Broken {
		require.True(t, held(run), run)
	}
	require.False(t, held(all[0].Broken))
	compared, err := NewComparison(protocols, []string{c.Line, c.Line}, c.Runs, c.Seed)
	require.NoError(t, err)
	require.Equal(t, c.LineOf(0, 7), compared.LineOf(0, 7))
}

func TestRecordsOutOfOrderAreNotSummarized(t *testing.T) {
	c := parse(t, small)
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, Options{}))
	text := read(t, file)
	last := text[bytes.LastIndexByte(text[:len(text)-1], '\n')+1:]
	require.NoError(t, os.WriteFile(file, append(slices.Clone(text), last...), 0o666))
	_, _, err := Summarize(protocols, file)
	require.ErrorContains(t, err, "line 32 is not that of a run")
	require.ErrorContains(t, Merge(filepath.Join(t.TempDir(), "all"), []string{file}), "has more lines than runs")
}

// A line promises the same to a campaign as to anybody, but for what only events show.
func TestSummariesCountThePromisesOfTheirLines(t *testing.T) {
	counts := (&Campaign{protocols: protocols}).promised("broadcast P=8")
	require.NotEmpty(t, counts)
	run, err := protocols.ParseLine("broadcast P=8")
	require.NoError(t, err)
	for _, p := range run.Promises() {
		listed := slices.Contains(counts, guarantee.Count{Name: p.Name(), Safety: p.IsSafety()})
		require.Equal(t, !p.NeedsEvents(), listed, p.Name())
	}
	require.Empty(t, (&Campaign{protocols: protocols}).promised("broadcast x=8"), "of a line that cannot be read any more")
}
