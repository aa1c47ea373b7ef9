package campaign

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const several = `
name = "several"
lines = ["broadcast tree=lame", "gossip"]
runs = 60
quick = 2
full = 1000

[[sweep]]
key = "P"
values = ["16", "32 faults=crash:~2"]
`

func TestSeveralLinesAreTheFirstAxis(t *testing.T) {
	c := parse(t, several)
	require.Equal(t, 4, c.Points())
	require.Equal(t, "line", c.axes()[0].Key)
	require.Equal(t, []string{"broadcast tree=lame", "32 faults=crash:~2"}, c.ValuesOf(1))
	require.Equal(t, fmt.Sprintf("gossip P=16 seed=%d", c.seedOf(7)), c.LineOf(2, 7))
	// A value may bring further words.
	require.Equal(t, fmt.Sprintf("gossip P=32 faults=crash:~2 seed=%d", c.seedOf(0)), c.LineOf(3, 0))
	require.Equal(t, []int{2, 1000}, []int{c.Quick, c.Full})
}

func TestSeveralLinesAreRunAndSummarized(t *testing.T) {
	c := parse(t, several)
	c.Runs = 3
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, Options{}))
	again, all, err := Summarize(file)
	require.NoError(t, err)
	require.Equal(t, c.Lines, again.Lines)
	require.Len(t, all, 4)
	for i, s := range all {
		require.Equal(t, 3, s.Runs)
		require.Equal(t, c.ValuesOf(i), s.Values)
		require.Equal(t, 3, s.RootExit.Len())
	}
	require.EqualValues(t, 16*6-1, all[0].Messages.Mean(), "checked correction without failures")
	require.Equal(t, map[GapTime]int{{0, 8}: 3}, all[0].Corrections)
	require.EqualValues(t, 3, all[1].Gap.Len())
	require.Empty(t, all[2].Corrections, "gossip has no instant at which a tree has ended")
}

// How many runs there are besides does not make another campaign of it.
func TestOtherSizesAreNotPartOfACampaign(t *testing.T) {
	a, b := parse(t, several), parse(t, several)
	b.Quick, b.Full = 0, 7
	require.Equal(t, a.digest(), b.digest())
	b.Lines = b.Lines[:1]
	require.NotEqual(t, a.digest(), b.digest())
}

func TestACampaignComesInSizes(t *testing.T) {
	c := parse(t, several)
	for size, runs := range map[Size]int{Quick: 2, Usual: 60, Full: 1000} {
		other, err := c.Resize(size)
		require.NoError(t, err)
		require.Equal(t, runs, other.Runs)
	}
	require.Equal(t, 60, c.Runs)
	require.Equal(t, []string{"-quick", "", "-full"}, []string{Quick.Suffix(), Usual.Suffix(), Full.Suffix()})
	_, err := parse(t, small).Resize(Full)
	require.ErrorContains(t, err, "small does not say how many runs are full, want a line such as full = 10")
	c.Full = MaxRuns
	_, err = c.Resize(Full)
	require.ErrorContains(t, err, "1000000000 runs of 4 points")
}

func TestLineAndLinesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"name = \"x\"\nruns = 1\nline = \"gossip\"\nlines = [\"gossip\"]": `line = "gossip" and 1 lines, want one of the two`,
		"name = \"x\"\nruns = 1\nlines = []":                              "no line",
		"name = \"x\"\nruns = 1\nlines = [\"gossip\", \"broadcast x=1\"]": `unknown key "x"`,
		"name = \"x\"\nruns = 1\nlines = [\"gossip seed=4\"]":             `line has "seed=4"`,
		"name = \"x\"\nruns = 1\nline = \"gossip\"\nquick = -1":           "quick = -1, full = 0, want 1 to 1000000000",
		"name = \"x\"\nruns = 1\nline = \"gossip\"\nfull = 2000000000":    "full = 2000000000, want 1 to 1000000000",
		"name = \"x\"\nruns = 1\nlines = [\"gossip\", \" \"]":             "line 2 of lines is empty",
		"name = \"x\"\nruns = 1\nline = \"gossip\"\nseed = -1":            "seed = -1, want 0 to 9223372036854775807",
		"name = \"../x\"\nruns = 1\nline = \"gossip\"":                    `name = "../x", want one that can be the name of a file`,
		"name = \"x\"\nruns = 1\nline = \"gossip\"\n[[sweep]]\nkey = \"P\"\nvalues = \"1..1000 +1\"\n[[sweep]]\nkey = \"T\"\nvalues = \"1..1000 +1\"": "more than 100000 combinations",
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, want, text)
	}
}

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

// Two processes that write one file would write over each other.
func TestAFileIsWrittenByOneProcessAtATime(t *testing.T) {
	c := parse(t, several)
	c.Runs = 2
	file := filepath.Join(t.TempDir(), "results.ndjson")
	first := true
	require.NoError(t, c.Run(context.Background(), file, Options{Workers: 1, Progress: func(int, int) {
		if first {
			require.ErrorContains(t, c.Run(context.Background(), file, Options{}), "is being written by another process")
		}
		first = false
	}}))
	require.NoError(t, c.Run(context.Background(), file, Options{}), "the lock ends with the file")
	require.Equal(t, runAll(t, c, Options{}), read(t, file))
}

// Who sends nothing round has nobody to miss.
func TestReductionsAreNotColoured(t *testing.T) {
	c := parse(t, "name = \"x\"\nlines = [\"reduce P=16\", \"broadcast P=16 correction=none faults=crash:1\"]\nruns = 3")
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, Options{}))
	_, all, err := Summarize(file)
	require.NoError(t, err)
	require.Zero(t, all[0].Colouring.Len()+all[0].Missed.Len()+all[0].Complete.Runs)
	require.Equal(t, 3, all[0].Quiescence.Len())
	require.Equal(t, 3, all[1].Missed.Len())
	require.Greater(t, all[1].Missed.Mean(), 0.0)
	require.Zero(t, all[1].Complete.Hits)
	require.Equal(t, 3, all[1].Held.Runs)
	require.NotEqual(t, all[1].RootExit.Mean(), all[1].Exit.Mean())
}

func TestRecordsOutOfOrderAreNotSummarized(t *testing.T) {
	c := parse(t, small)
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, Options{}))
	text := read(t, file)
	last := text[bytes.LastIndexByte(text[:len(text)-1], '\n')+1:]
	require.NoError(t, os.WriteFile(file, append(slices.Clone(text), last...), 0o666))
	_, _, err := Summarize(file)
	require.ErrorContains(t, err, "line 32 is not that of a run")
	require.ErrorContains(t, Merge(filepath.Join(t.TempDir(), "all"), []string{file}), "has more lines than runs")
}
