package campaign

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLinesAreComparedWithTheSameFailures(t *testing.T) {
	lines := []string{"broadcast P=64 faults=crash:10%", "broadcast tree=lame P=64 faults=crash:10%", "broadcast correction=none P=64 faults=crash:10%"}
	comparison, err := NewComparison(protocols, lines, 30, 5)
	require.NoError(t, err)
	told := 0
	require.NoError(t, comparison.Run(t.Context(), Options{Workers: 2, Progress: func(done, of int) {
		told++
		require.Equal(t, []int{told, 90}, []int{done, of})
	}}))
	require.Equal(t, 90, told)
	require.Equal(t, []string{"line"}, comparison.Table().Keys)
	require.Equal(t, comparison.Points, comparison.Table().Points)
	require.NoError(t, comparison.CheckMemory(1))
	require.Equal(t, "P=64 faults=crash:10%", comparison.Common)
	all := comparison.Points
	require.Len(t, all, 3)
	for i := range all {
		require.Equal(t, 30, all[i].Runs)
	}
	require.Zero(t, all[0].Missed.Max())
	require.Zero(t, all[1].Missed.Max())
	require.Positive(t, all[2].Missed.Mean()) // nobody corrects
	require.Less(t, all[2].Messages.Mean(), all[0].Messages.Mean())
	require.Less(t, all[2].Held.Rate(), all[0].Held.Rate())
	// Each line alone gives the same.
	c := &Campaign{protocols: protocols, Name: "x", Line: lines[2], Runs: 30, Seed: 5}
	var alone Summary
	for r, err := range c.records(t.Context(), Shard{0, 1}, 0, 30, Options{Workers: 1}) {
		require.NoError(t, err)
		alone.add(r)
	}
	require.Equal(t, alone.Messages.Mean(), all[2].Messages.Mean())
}

func TestLinesThatCannotBeComparedAreRefused(t *testing.T) {
	for _, c := range []struct {
		lines []string
		runs  int
		want  []string
	}{
		{nil, 1, []string{"0 lines, want two or more"}},
		{[]string{"broadcast"}, 0, []string{"1 lines, want two or more", "0 runs of each line, want 1 to 1000000000"}},
		{[]string{"broadcast P=8", "gossip P=9"}, 1, []string{"P=8 in one line and P=9 in another"}},
		{[]string{"broadcast", "big faults=crash:3"}, 1, []string{"faults=none in one line and faults=crash:3 in another"}},
		{[]string{"broadcast", "chatter"}, 1, []string{"line 2: ", "unknown protocol"}},
		{[]string{"broadcast seed=3", "big"}, 1, []string{"line 1 has a seed; want --seed"}},
	} {
		_, err := NewComparison(protocols, c.lines, c.runs, 0)
		for _, want := range c.want {
			require.ErrorContains(t, err, want)
		}
	}
}

// Whatever belongs to the machine, or to what fails, must be the same, and is said once for all lines.
func TestLinesAreComparedOnOneMachine(t *testing.T) {
	machine := filepath.Join(t.TempDir(), "m.toml")
	require.NoError(t, os.WriteFile(machine, []byte("tick = \"1us\"\nL = 7\n"), 0o644))
	for key, value := range map[string]string{
		"P": "8", "L": "9", "o": "3", "g": "7", "G": "2", "network": "torus:8x8x16", "receive": "many", "tick": "1us", "machine": machine, "faults": "crash:3",
	} {
		word := key + "=" + value
		for _, lines := range [][]string{{"broadcast " + word, "big"}, {"broadcast", "big " + word}} {
			_, err := NewComparison(protocols, lines, 1, 0)
			require.ErrorContains(t, err, key+"=", word)
			require.ErrorContains(t, err, "want the same machine and the same failures", word)
		}
		c, err := NewComparison(protocols, []string{"broadcast k=3 " + word, "big " + word}, 1, 0)
		require.NoError(t, err, word)
		require.Equal(t, word, c.Common)
		require.Equal(t, []string{"broadcast k=3", "big"}, c.Lines)
		require.Equal(t, []string{"broadcast k=3"}, c.Points[0].Values)
		require.Equal(t, []string{"big"}, c.Points[1].Values)
	}
}

func TestACancelledComparisonEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c, err := NewComparison(protocols, []string{"broadcast P=64", "big P=64"}, 1000, 0)
	require.NoError(t, err)
	require.ErrorIs(t, c.Run(ctx, Options{Workers: 2, Progress: func(done, of int) {
		require.Equal(t, 2000, of)
		if done == 10 {
			cancel()
		}
	}}), context.Canceled)
}

func TestWhatLinesHaveInCommonIsSaidOnce(t *testing.T) {
	words, short := common([]string{"broadcast tree=lame P=8 faults=crash:3", "big P=8 faults=crash:3"})
	require.Equal(t, "P=8 faults=crash:3", words)
	require.Equal(t, []string{"broadcast tree=lame", "big"}, short)
}
