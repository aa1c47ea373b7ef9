package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const small = `
name = "small"
line = "broadcast P=16"
runs = 5
seed = 3

[[sweep]]
key = "tree"
values = ["binomial", "lame"]

[[sweep]]
key = "faults"
values = ["none", "crash:10%", "crash:~3@t5"]
`

func parse(t testing.TB, text string) *Campaign {
	t.Helper()
	c, err := Parse(text)
	require.NoError(t, err)
	return c
}

// runAll runs a campaign in a file of its own and returns what is in it.
func runAll(t testing.TB, c *Campaign, o Options) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, o))
	return read(t, file)
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return text
}

func TestPointsAreCombinationsOfValuesLastKeyFirst(t *testing.T) {
	c := parse(t, small)
	require.Equal(t, 6, c.Points())
	require.Equal(t, 30, c.Jobs())
	require.Equal(t, []string{"binomial", "none"}, c.ValuesOf(0))
	require.Equal(t, []string{"binomial", "crash:~3@t5"}, c.ValuesOf(2))
	require.Equal(t, []string{"lame", "crash:10%"}, c.ValuesOf(4))
	require.Equal(t, fmt.Sprintf("broadcast P=16 tree=lame faults=crash:10%% seed=%d", c.seedOf(2)), c.LineOf(4, 2))
}

// The first numbers of SplitMix64 with seed 1234567, as in its reference code.
func TestSeedsAreThoseOfSplitMix64(t *testing.T) {
	c := &Campaign{Seed: 1234567}
	require.Equal(t, []uint64{6457827717110365317, 3203168211198807973}, []uint64{c.seedOf(0), c.seedOf(1)})
}

func TestTheFileDoesNotDependOnWorkers(t *testing.T) {
	c := parse(t, small)
	one := runAll(t, c, Options{Workers: 1})
	require.Equal(t, string(one), string(runAll(t, c, Options{Workers: 2})))
	require.Equal(t, string(one), string(runAll(t, c, Options{Workers: 7})))
}

// Wherever a campaign was killed, its file is in the end that of one that was not.
func TestAKilledCampaignIsResumedFromEveryByte(t *testing.T) {
	c := parse(t, small)
	c.Runs, c.Sweep = 2, c.Sweep[1:]
	whole := runAll(t, c, Options{})
	step := 1
	if testing.Short() {
		step = 17
	}
	file := filepath.Join(t.TempDir(), "results.ndjson")
	for n := 0; n <= len(whole); n += step {
		require.NoError(t, os.WriteFile(file, whole[:n], 0o644))
		require.NoError(t, c.Run(context.Background(), file, Options{Workers: 2}))
		require.Equal(t, string(whole), string(read(t, file)), "killed after %d bytes", n)
	}
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

// What is told to be done is in the file, whatever happens to the process next.
func TestEveryRecordIsWrittenAtOnce(t *testing.T) {
	c := parse(t, small)
	file := filepath.Join(t.TempDir(), "results.ndjson")
	told := 0
	require.NoError(t, c.Run(context.Background(), file, Options{Workers: 2, Progress: func(done, _ int) {
		told++
		require.Equal(t, 1+done, bytes.Count(read(t, file), []byte("\n")), "the line that names the campaign, and the runs")
	}}))
	require.Equal(t, c.Jobs(), told)
}

func TestMergedShardsAreTheWhole(t *testing.T) {
	c := parse(t, small)
	whole := runAll(t, c, Options{})
	for count := 1; count <= 7; count++ {
		folder := t.TempDir()
		var parts []string
		for i := count - 1; i >= 0; i-- {
			part := filepath.Join(folder, fmt.Sprint(i))
			require.NoError(t, c.Run(context.Background(), part, Options{Shard: Shard{i, count}}))
			parts = append(parts, part)
		}
		merged := filepath.Join(folder, "merged")
		require.NoError(t, Merge(merged, parts))
		require.Equal(t, string(whole), string(read(t, merged)), "%d shards", count)
	}
}

func TestMergeRefusesWhatDoesNotFit(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	c := parse(t, small)
	for i := range 2 {
		require.NoError(t, c.Run(context.Background(), path(fmt.Sprint("half", i)), Options{Shard: Shard{i, 2}}))
	}
	other := *c
	other.Seed++
	require.NoError(t, other.Run(context.Background(), path("other"), Options{Shard: Shard{1, 2}}))
	half := read(t, path("half1"))
	require.NoError(t, os.WriteFile(path("cut"), half[:len(half)-3], 0o644))
	require.NoError(t, os.WriteFile(path("noise"), []byte("{}\n"), 0o644))
	for _, test := range []struct {
		parts []string
		want  string
	}{
		{nil, "no parts to merge"},
		{[]string{"half0"}, "part 1/2 is missing"},
		{[]string{"half0", "half0"}, "is the same part as "},
		{[]string{"half0", "other"}, "is not a part of the same campaign as "},
		{[]string{"half0", "cut"}, "is not complete: run 29 is missing"},
		{[]string{"half0", "noise"}, "is not a file of results"},
		{[]string{"half0", "nowhere"}, "no such file"},
	} {
		var parts []string
		for _, name := range test.parts {
			parts = append(parts, path(name))
		}
		require.ErrorContains(t, Merge(path("merged"), parts), test.want)
		require.NoFileExists(t, path("merged"))
	}
	require.NoError(t, Merge(path("merged"), []string{path("half1"), path("half0")}))
	require.ErrorIs(t, Merge(path("merged"), []string{path("half1"), path("half0")}), os.ErrExist)
}

func TestAFileOfAnotherCampaignIsLeftAlone(t *testing.T) {
	c := parse(t, small)
	file := filepath.Join(t.TempDir(), "results.ndjson")
	for _, text := range []string{"important notes", "{}\n"} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		require.ErrorContains(t, c.Run(context.Background(), file, Options{}), "is not a file of this campaign and shard")
		require.Equal(t, text, string(read(t, file)))
	}
	whole := runAll(t, c, Options{})
	changed := append(append([]byte(nil), whole...), "{\"job\":99}\n"...)
	require.NoError(t, os.WriteFile(file, changed, 0o644))
	require.ErrorContains(t, c.Run(context.Background(), file, Options{}), "line 32 is not that of run 30")
	require.Equal(t, string(changed), string(read(t, file)))
}

func TestSummariesAreThoseOfTheRuns(t *testing.T) {
	c := parse(t, small)
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, Options{}))
	got, all, err := Summarize(file)
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
	_, all, err = Summarize(file)
	require.NoError(t, err)
	require.Equal(t, 5, all[0].Runs)
	require.Zero(t, all[5].Runs)
}

// Of a row in which a guarantee was broken, the first run that broke it can be looked at.
func TestTheFirstBrokenRunIsKnown(t *testing.T) {
	c := &Campaign{Name: "missed", Line: "broadcast correction=none P=64 faults=crash:2%", Runs: 40, Seed: 3}
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, Options{}))
	_, all, err := Summarize(file)
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
	compared, err := NewComparison([]string{c.Line, c.Line}, c.Runs, c.Seed)
	require.NoError(t, err)
	require.Equal(t, c.LineOf(0, 7), compared.LineOf(0, 7))
}

func TestComputationsHaveTheTimeOfTheirResult(t *testing.T) {
	c := parse(t, "name = \"sorts\"\nline = \"samplesort P=4 n=40\"\nruns = 3\n[[sweep]]\nkey = \"strategy\"\nvalues = [\"tolerant\", \"plain\"]\n[[sweep]]\nkey = \"faults\"\nvalues = [\"crash:~1@t20\"]")
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, Options{}))
	_, all, err := Summarize(file)
	require.NoError(t, err)
	require.Equal(t, 3, all[0].Done.Len())
	require.Positive(t, all[0].Done.Min())
	require.Zero(t, all[1].Done.Len())
}

func TestRangesOfValues(t *testing.T) {
	for text, want := range map[string]Values{
		"1024..65536 x4":             {"1024", "4096", "16384", "65536"},
		"1..10 x3":                   {"1", "3", "9"},
		"10..50 +20":                 {"10", "30", "50"},
		"0..1 +1":                    {"0", "1"},
		"7..7 +1":                    {"7"},
		"1..8 x1.5":                  {"1", "1.5", "2.25", "3.375", "5.0625", "7.59375"},
		"0.1..0.3us +0.1":            {"0.1us", "0.2us", "0.3us"},
		"1..4% +1":                   {"1%", "2%", "3%", "4%"},
		"cut:0-3..5|*@t9 +1":         {"cut:0-3|*@t9", "cut:0-4|*@t9", "cut:0-5|*@t9"},
		"crash:~1..8 x2":             {"crash:~1", "crash:~2", "crash:~4", "crash:~8"},
		"crash:3@t10..50,hang:4 +20": {"crash:3@t10,hang:4", "crash:3@t30,hang:4", "crash:3@t50,hang:4"},
		"1..9223372036854775807 x4611686018427387904": {"1", "4611686018427387904"},
	} {
		got, err := parseRange(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "1..2", "2..1 +1", "0..8 x2", "1..8 x1", "1..8 +0", "1..8 -1", "a..b +1", "1..8 x", "0..1000000 +1", "-3..3 +1", "1..2 +1 ", "1...2 +1", "..2 +1", "1..1 x1111111111111111111111111", "1111111111111111111111111..2 +1", "1..1000 x1.001", "1..1000 x1.1", "1..2 x1.0000000000000000000001", "slow:-1..3 +1"} {
		_, err := parseRange(text)
		require.ErrorContains(t, err, "want a list, or a range", text)
	}
}

func TestBadCampaignsAreRefusedWithAllProblems(t *testing.T) {
	for text, want := range map[string][]string{
		"":         {"no name", "no line", "0 runs of 1 points, want 1 to 1000000000 in all"},
		"name = 3": {"campaign: "},
		"name = \"x\"\nline = \"broadcast seed=4\"\nruns = 1":                                           {`line has "seed=4"`},
		"name = \"x\"\nline = \"broadcast\"\nruns = 1\nspeed = 9":                                       {"unknown key speed"},
		"name = \"x\"\nline = \"chatter\"\nruns = 1":                                                    {"unknown protocol"},
		"name = \"x\"\nline = \"broadcast\"\nruns = 1\n[[sweep]]\nkey = \"P\"\nvalues = []":             {"sweep of P has no values"},
		"name = \"x\"\nline = \"broadcast\"\nruns = 1\n[[sweep]]\nkey = \"P\"\nvalues = [4, 0]":         {`"P=0": want a number from 1`},
		"name = \"x\"\nline = \"broadcast\"\nruns = 1\n[[sweep]]\nkey = \"P\"\nvalues = [true]":         {"value true, want a word or a number"},
		"name = \"x\"\nline = \"broadcast\"\nruns = 1\n[[sweep]]\nkey = \"P\"\nvalues = 7":              {"want a list, or a range"},
		"name = \"x\"\nline = \"broadcast\"\nruns = 1\n[[sweep]]\nkey = \"seed\"\nvalues = [1]":         {`sweep of key "seed"`},
		"name = \"x\"\nline = \"broadcast\"\nruns = 600000000\n[[sweep]]\nkey = \"P\"\nvalues = [1, 2]": {"600000000 runs of 2 points"},
	} {
		_, err := Parse(text)
		for _, problem := range want {
			require.ErrorContains(t, err, problem, text)
		}
	}
}

func TestShardsThatDoNotExistAreRefused(t *testing.T) {
	c := parse(t, small)
	for _, s := range []Shard{{2, 2}, {-1, 2}, {0, -1}, {1, 0}} {
		require.ErrorContains(t, c.Run(context.Background(), filepath.Join(t.TempDir(), "x"), Options{Shard: s}), "want 0/n to n-1/n", "%v", s)
	}
}

func TestARunThatFailsEndsTheCampaign(t *testing.T) {
	c := parse(t, small)
	c.Line = "broadcast P=16 root=99" // as if it had been checked
	err := c.Run(context.Background(), filepath.Join(t.TempDir(), "x"), Options{Workers: 4})
	require.Error(t, err)
	require.False(t, errors.Is(err, context.Canceled))
	require.ErrorContains(t, err, "root=99")
}

func TestRewordingACampaignDoesNotMakeItAnother(t *testing.T) {
	a, b := parse(t, small), parse(t, small+"\n")
	b.About = "what it is about"
	require.Equal(t, a.digest(), b.digest())
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, a.Run(context.Background(), file, Options{}))
	require.NoError(t, b.Run(context.Background(), file, Options{})) // nothing is left to do
	b.Runs++
	require.Error(t, b.Run(context.Background(), file, Options{}))
	require.NotEqual(t, a.digest(), b.digest())
}

// Files of version 0.1.0 have another spelling, and are worth as much.
func TestRecordsOfTheFirstVersionAreRead(t *testing.T) {
	for _, key := range []string{"coloring", "colouring"} {
		var r Record
		require.NoError(t, json.Unmarshal([]byte(`{"job":3,"`+key+`":17,"quiescence":20}`), &r))
		require.Equal(t, 3, r.Job)
		require.Equal(t, clock.Time(17), *r.Colouring, key)
		require.Equal(t, clock.Time(20), r.Quiescence)
	}
}
