package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// protocols are those of the lines of all tests.
var protocols = catalog.All()

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
	c, err := Parse(protocols, text)
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
	c := &Campaign{protocols: protocols, Seed: 1234567}
	require.Equal(t, []uint64{6457827717110365317, 3203168211198807973}, []uint64{c.seedOf(0), c.seedOf(1)})
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
		_, err := Parse(protocols, text)
		for _, problem := range want {
			require.ErrorContains(t, err, problem, text)
		}
	}
}

// Everything that is wrong with a campaign is told, once, in the order of the file's keys. Lines are read when the rest is good.
func TestEveryProblemIsToldOnce(t *testing.T) {
	_, err := Parse(protocols, "runs = 0\nquick = -1\nseed = -1\nspeed = 9\nlines = [\"\", \"gossip x=1 seed=3\", \"chatter\"]\n"+
		"[[sweep]]\nkey = \"seed\"\nvalues = []\n[[sweep]]\nkey = \"\"\nvalues = [1]\n[[sweep]]\nkey = \"P\"\nvalues = \"1..10000 +1\"\n[[sweep]]\nkey = \"T\"\nvalues = \"1..4 +1\"\n")
	require.EqualError(t, err, `campaign: unknown key speed, want name, about, line or lines, runs, quick, full, seed, and sweep with key and values
no name
seed = -1, want 0 to 9223372036854775807
line 1 of lines is empty
line has "seed=3"; want the seed of the campaign in a line of its own
quick = -1, full = 0, want 1 to 1000000000 runs of each point
sweep of key "seed", want one of the line's other than seed
sweep of seed has no values
sweep of key "", want one of the line's other than seed
more than 100000 combinations of values, want up to that
0 runs of 120000 points, want 1 to 1000000000 in all`)
	_, err = Parse(protocols, "name = \"x\"\nruns = 1\nlines = [\"gossip x=1\", \"gossip\", \"chatter\"]")
	require.Error(t, err)
	require.Len(t, strings.Split(err.Error(), "\n"), 2, "%v", err)
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
	again, all, err := Summarize(protocols, file)
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

func TestLineAndLinesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"name = \"x\"\nruns = 1\nline = \"gossip\"\nlines = [\"gossip\"]": `line = "gossip" and 1 lines, want one of the two`,
		"name = \"x\"\nruns = 1\nlines = []":                              "no line",
		"name = \"x\"\nruns = 1\nlines = [\"gossip\", \"broadcast x=1\"]": `unknown key "x"`,
		"name = \"x\"\nruns = 1\nlines = [\"gossip seed=4\"]":             `line has "seed=4"`,
		"name = \"x\"\nruns = 1\nline = \"gossip\"\nquick = -1":           "quick = -1, full = 0, want 1 to 1000000000",
		"name = \"x\"\nruns = 1\nline = \"gossip\"\nfull = 2000000000":    "full = 2000000000, want 1 to 1000000000",
		"name = \"x\"\nruns = 1\nlines = [\"gossip\", \" \"]":             "line 2 of lines is empty",
		"name = \"x\"\nruns = 1\nlines = [\"\"]":                          "line 1 of lines is empty",
		"name = \"x\"\nruns = 1\nline = \"gossip\"\nseed = -1":            "seed = -1, want 0 to 9223372036854775807",
		"name = \"../x\"\nruns = 1\nline = \"gossip\"":                    `name = "../x", want one that can be the name of a file`,
		"name = \"x\"\nruns = 1\nline = \"gossip\"\n[[sweep]]\nkey = \"P\"\nvalues = \"1..1000 +1\"\n[[sweep]]\nkey = \"T\"\nvalues = \"1..1000 +1\"": "more than 100000 combinations",
		"name = \"x\"\nruns = 1\nline = \"gossip\"" + strings.Repeat("\n[[sweep]]\nkey = \"P\"\nvalues = \"1..10000 +1\"", 5):                         "1 runs of 1000000001 points, want 1 to 1000000000 in all",
	} {
		_, err := Parse(protocols, text)
		require.ErrorContains(t, err, want, text)
	}
}
