package campaign

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// As many as are allowed are allowed, and one more is not.
func TestLimitsOfCampaigns(t *testing.T) {
	const begin = "name = \"x\"\nline = \"gossip\"\n"
	for text, good := range map[string]bool{
		"runs = 1":                                      true,
		"runs = 0":                                      false,
		"runs = 1000000000":                             true,
		"runs = 1000000001":                             false,
		"runs = 1\nquick = 1000000000":                  true,
		"runs = 1\nquick = 1000000001":                  false,
		"runs = 1\nfull = 1000000000":                   true,
		"runs = 1\nfull = 1000000001":                   false,
		"runs = 1\nfull = -1":                           false,
		"runs = 1\nseed = 0":                            true,
		"runs = 1\nseed = 9223372036854775807":          true,
		"runs = 1\n[[sweep]]\nkey = \"\"\nvalues = [1]": false,
		"runs = 500000000\n[[sweep]]\nkey = \"P\"\nvalues = [4, 5]": true,
		"runs = 500000001\n[[sweep]]\nkey = \"P\"\nvalues = [4, 5]": false,
	} {
		_, err := Parse(protocols, begin+text)
		require.Equal(t, good, err == nil, "%s: %v", text, err)
	}
	for name, good := range map[string]bool{"x": true, ".": false, "..": false, "a/b": false, "/": false, "...": true} {
		_, err := Parse(protocols, fmt.Sprintf("name = %q\nline = \"gossip P=4\"\nruns = 1", name))
		require.Equal(t, good, err == nil, "%s: %v", name, err)
	}
	lines := []string{"gossip P=4", "big P=4"}
	for runs, good := range map[int]bool{0: false, 1: true, MaxRuns / 2: true, MaxRuns/2 + 1: false} {
		_, err := NewComparison(protocols, lines, runs, 0)
		require.Equal(t, good, err == nil, "%d runs: %v", runs, err)
	}
	c := parse(t, several)
	c.Full = MaxRuns / c.Points()
	_, err := c.Resize(Full)
	require.NoError(t, err)
	c.Full++
	_, err = c.Resize(Full)
	require.Error(t, err)
}

// A first line must name a campaign, and a part that there is.
func TestAFileOfResultsBeginsWithItsCampaign(t *testing.T) {
	c := parse(t, small)
	for _, test := range []struct {
		head header
		good bool
	}{
		{header{c, c.digest(), Shard{0, 1}}, true},
		{header{c, c.digest(), Shard{1, 2}}, true},
		{header{c, "another", Shard{0, 1}}, false},
		{header{nil, c.digest(), Shard{0, 1}}, false},
		{header{c, c.digest(), Shard{}}, false},
		{header{c, c.digest(), Shard{2, 2}}, false},
	} {
		text, err := json.Marshal(test.head)
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "results.ndjson")
		require.NoError(t, os.WriteFile(file, append(text, '\n'), 0o644))
		_, _, err = Summarize(protocols, file)
		require.Equal(t, test.good, err == nil, "%s: %v", text, err)
		require.NoError(t, os.WriteFile(file, text, 0o644))
		_, _, err = Summarize(protocols, file)
		require.ErrorContains(t, err, "is not a file of results", "the line is not whole")
	}
}

// A row has what was measured under its own name.
func TestRowsNameWhatWasMeasured(t *testing.T) {
	var s Summary
	s.add(Record{
		Messages: 1, Colouring: point(clock.Time(2)), Quiescence: 3, Exit: 4, Unreached: point(5), RootExit: 6,
		Gap: point(7), Correction: point(clock.Time(8)), Done: point(clock.Time(9)), Held: true,
	})
	text, err := json.Marshal(Table{Points: []Summary{s, {}}, Percentile: UsualPercentile}.JSON())
	require.NoError(t, err)
	sample := func(name string, n int) string {
		return fmt.Sprintf(`"%s":{"mean":%d,"median":%d,"p99":%d,"min":%d,"max":%d},`, name, n, n, n, n, n)
	}
	require.JSONEq(t, `[{"values":{},"runs":1,`+sample("messages", 1)+sample("colouring", 2)+sample("quiescence", 3)+sample("exit", 4)+
		sample("missed", 5)+sample("root_exit", 6)+sample("gap", 7)+sample("correction", 8)+sample("done", 9)+
		`"held":{"hits":1,"runs":1,"wilson95":[0.20654931437723745,1]},"judged":{"runs":1,"promises":null},
		"complete":{"hits":0,"runs":1,"wilson95":[0,0.7934506856227626]}},
		{"values":{},"runs":0,"held":{"hits":0,"runs":0,"wilson95":[0,1]}}]`, string(text))
}

// Two values say how sure their mean is, and one does not.
func TestSamplesOfSeveralRunsHaveAConfidence(t *testing.T) {
	var one, two stats.Sample
	one.Add(1)
	two.Add(1, 3)
	table := Table{Percentile: 90}
	require.Nil(t, table.sample(&one).Confidence)
	got := table.sample(&two)
	require.NotNil(t, got.Confidence)
	require.InDelta(t, 12.7062, *got.Confidence, 1e-4)
	require.Equal(t, map[string]float64{"90": 3}, got.Percentile)
	require.Nil(t, Table{Percentile: UsualPercentile}.sample(&two).Percentile)
}

func TestSamplesOfManyRunsHaveTheirPercentiles(t *testing.T) {
	var many stats.Sample
	for i := range 200 {
		many.Add(float64(i + 1))
	}
	about := many.Confidence(stats.Level)
	require.Equal(t, &jsonSample{Mean: 100.5, Confidence: &about, Median: 100, P99: 198, Percentile: map[string]float64{"90": 180}, Min: 1, Max: 200}, Table{Percentile: 90}.sample(&many))
	require.Equal(t, []string{"198", "180"}, []string{Table{Percentile: UsualPercentile}.late(&many), Table{Percentile: 90}.late(&many)})
}
