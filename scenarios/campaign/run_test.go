package campaign

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// That no goroutine is left behind is checked at the end of all tests.
func TestRunsEndWhenNobodyWantsTheirRecords(t *testing.T) {
	c := parse(t, small)
	count := 0
	for record, err := range c.records(t.Context(), Shard{0, 1}, 0, c.Jobs(), Options{Workers: 4}) {
		require.NoError(t, err)
		require.Equal(t, count, record.Job)
		if count++; count == 3 {
			break
		}
	}
	require.Equal(t, 3, count)
}

// Nobody waits for the record of a job that nobody takes any more.
func TestPlacesOfJobsThatAreNotGivenOutAreClosed(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	queue, tasks := make(chan chan Record), make(chan task)
	go Shard{0, 1}.giveOut(ctx, 0, 2, queue, tasks)
	into := <-queue
	cancel()
	_, ok := <-into
	require.False(t, ok)
	_, ok = <-queue
	require.False(t, ok, "there is no other")
	_, ok = <-tasks
	require.False(t, ok)
}

func TestTheFileDoesNotDependOnWorkers(t *testing.T) {
	c := parse(t, small)
	one := runAll(t, c, Options{Workers: 1})
	require.Equal(t, string(one), string(runAll(t, c, Options{Workers: 2})))
	require.Equal(t, string(one), string(runAll(t, c, Options{Workers: 7})))
}

func TestACancelledCampaignIsResumed(t *testing.T) {
	c := parse(t, small)
	whole := runAll(t, c, Options{})
	rapid.Check(t, func(r *rapid.T) {
		file := filepath.Join(t.TempDir(), "results.ndjson")
		for attempts := 0; ; attempts++ {
			ctx, cancel := context.WithCancel(context.Background())
			stop := rapid.IntRange(1, 12).Draw(r, "records until it is cancelled")
			err := c.Run(ctx, file, Options{Workers: 3, Progress: func(int, int) {
				if stop--; stop == 0 {
					cancel()
				}
			}})
			cancel()
			if err == nil {
				break
			}
			require.ErrorIs(t, err, context.Canceled)
			require.Less(t, attempts, 100)
		}
		require.Equal(t, string(whole), string(read(t, file)))
	})
}

func TestARunThatFailsEndsTheCampaign(t *testing.T) {
	c := parse(t, small)
	c.Line = "broadcast P=16 root=99" // as if it had been checked
	err := c.Run(context.Background(), filepath.Join(t.TempDir(), "x"), Options{Workers: 4})
	require.Error(t, err)
	require.False(t, errors.Is(err, context.Canceled))
	require.ErrorContains(t, err, "root=99")
}
