package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAnEstimateCountsWhatIsLeft(t *testing.T) {
	c := parse(t, several)
	file := filepath.Join(t.TempDir(), "results.ndjson")
	runs, took, err := c.Estimate(context.Background(), file, Options{Workers: 1})
	require.NoError(t, err)
	require.Equal(t, 240, runs)
	require.Greater(t, took, time.Duration(0))
	require.NoFileExists(t, file)

	ctx, cancel := context.WithCancel(context.Background())
	require.Error(t, c.Run(ctx, file, Options{Workers: 1, Progress: func(done, of int) {
		if done == 100 {
			cancel()
		}
	}}))
	before := read(t, file)
	runs, _, err = c.Estimate(context.Background(), file, Options{Workers: 1})
	require.NoError(t, err)
	require.Equal(t, 140, runs)
	require.Equal(t, before, read(t, file))

	require.NoError(t, c.Run(context.Background(), file, Options{}))
	runs, took, err = c.Estimate(context.Background(), file, Options{})
	require.NoError(t, err)
	require.Zero(t, runs)
	require.Zero(t, took)

	c.Seed++
	_, _, err = c.Estimate(context.Background(), file, Options{})
	require.ErrorContains(t, err, "is not a file of this campaign")
}

func TestARunThatFailsEndsAnEstimate(t *testing.T) {
	c := parse(t, small)
	c.Line = "broadcast P=16 root=99" // as if it had been checked
	_, _, err := c.Estimate(t.Context(), filepath.Join(t.TempDir(), "x"), Options{})
	require.ErrorContains(t, err, "root=99")
	require.ErrorContains(t, c.CheckMemory(1), "root=99")
}

// Points of which all runs are there are not tried, and all others are.
func TestAnEstimateTriesWhatIsLeft(t *testing.T) {
	const points, runs = 3, 2
	for bad := range points { // whose line cannot be run
		c := &Campaign{protocols: protocols, Name: "x", Lines: []string{"gossip P=4", "gossip P=4", "gossip P=4"}, Runs: runs}
		c.Lines[bad] = "gossip P=0"
		for done := range points * runs {
			text := c.head(Shard{0, 1})
			for job := range done {
				text = fmt.Appendf(text, "{\"job\":%d}\n", job)
			}
			file := filepath.Join(t.TempDir(), "results.ndjson")
			require.NoError(t, os.WriteFile(file, text, 0o644))
			left, _, err := c.Estimate(t.Context(), file, Options{})
			if bad >= done/runs {
				require.ErrorContains(t, err, "P=0", "point %d, %d runs are there", bad, done)
				continue
			}
			require.NoError(t, err, "point %d, %d runs are there", bad, done)
			require.Equal(t, points*runs-done, left)
		}
	}
}

func TestAnEstimateTriesPointsEvenlySpaced(t *testing.T) {
	require.Equal(t, []int{3, 4, 5, 6}, sampledPoints(3, 7))
	require.Equal(t, []int{6}, sampledPoints(6, 7))
	require.Equal(t, mostSampled, len(sampledPoints(0, mostSampled+1)))
	var wanted []int
	for i := range mostSampled {
		wanted = append(wanted, 10+3*i)
	}
	require.Equal(t, wanted, sampledPoints(10, 10+3*mostSampled))
}

// Nobody is a million times slower at the second attempt.
func TestAnEstimateIsForSoManyRunsAtATime(t *testing.T) {
	c := parse(t, small)
	file := filepath.Join(t.TempDir(), "results.ndjson")
	_, alone, err := c.Estimate(t.Context(), file, Options{Workers: 1})
	require.NoError(t, err)
	_, together, err := c.Estimate(t.Context(), file, Options{Workers: 1 << 20})
	require.NoError(t, err)
	require.Greater(t, alone, together)
}

func TestAnEstimateIsProportionalToTheRunsThatAreLeft(t *testing.T) {
	require.Equal(t, 50*time.Second, extrapolated(4*time.Second, 2, 100, 4))
}
