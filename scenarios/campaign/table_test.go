package campaign

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// A table has the columns that some of its rows have something to say in.
func TestTablesShowWhatWasMeasured(t *testing.T) {
	spread := Summary{Values: []string{"lame"}, Runs: 2, Held: stats.Proportion{Hits: 1, Runs: 2}}
	spread.Messages.Add(10, 12)
	spread.Colouring.Add(7, 9)
	spread.Quiescence.Add(20, 20)
	spread.Missed.Add(0, 3)
	computed := Summary{Values: []string{"none"}, Runs: 1, Held: stats.Proportion{Hits: 1, Runs: 1}}
	computed.Messages.Add(8)
	computed.Done.Add(30)
	none := Summary{Values: []string{"late"}}
	table := Table{Keys: []string{"tree"}, Points: []Summary{spread, none}, Percentile: 50}
	assert.Equal(t, ""+
		"tree  runs  messages          colouring          50 %  quiescence         50 %  missed  held %\n"+
		"lame     2      11.0  ± 12.7        8.0  ± 12.7     7        20.0  ± 0.0    20     1.5   50.00  9.45 to 90.55\n"+
		"late     0         -                  -             -           -            -       -       -\n", table.Text())
	table.Points = []Summary{computed}
	assert.Equal(t, ""+
		"tree  runs  messages    done    50 %  held %\n"+
		"none     1       8.0    30.0      30  100.00  20.65 to 100.00\n", table.Text())
	text, err := json.Marshal(table.JSON())
	require.NoError(t, err)
	assert.JSONEq(t, `[{"values":{"tree":"none"},"runs":1,
		"messages":{"mean":8,"median":8,"p99":8,"percentile":{"50":8},"min":8,"max":8},
		"done":{"mean":30,"median":30,"p99":30,"percentile":{"50":30},"min":30,"max":30},
		"held":{"hits":1,"runs":1,"wilson95":[0.20654931437723745,1]}}]`, string(text))
}

// Which columns there are does not depend on the order of rows. A row without runs counts as one that spreads something.
func TestColumnsAreThoseOfAllRows(t *testing.T) {
	var computed, spread, none Summary
	computed.Done.Add(30)
	spread.Colouring.Add(7)
	for _, c := range []struct {
		rows   []Summary
		header string
	}{
		{[]Summary{computed}, "runs messages done 99 % held %"},
		{[]Summary{computed, computed}, "runs messages done 99 % held %"},
		{[]Summary{spread}, "runs messages colouring 99 % quiescence 99 % missed held %"},
		{[]Summary{none, spread}, "runs messages colouring 99 % quiescence 99 % missed held %"},
		{[]Summary{computed, spread}, "runs messages done 99 % colouring 99 % quiescence 99 % missed held %"},
		{[]Summary{spread, computed}, "runs messages done 99 % colouring 99 % quiescence 99 % missed held %"},
		{[]Summary{computed, none}, "runs messages done 99 % colouring 99 % quiescence 99 % missed held %"},
		{[]Summary{none, computed, none}, "runs messages done 99 % colouring 99 % quiescence 99 % missed held %"},
	} {
		text := Table{Points: c.rows, Percentile: UsualPercentile}.Text()
		header, _, _ := strings.Cut(text, "\n")
		require.Equal(t, c.header, strings.Join(strings.Fields(header), " "))
		require.Equal(t, 1+len(c.rows), strings.Count(text, "\n"))
	}
}

func TestTablesNameWhatIsSwept(t *testing.T) {
	table := parse(t, small).Table([]Summary{{Runs: 5}})
	require.Equal(t, []string{"tree", "faults"}, table.Keys)
	require.Len(t, table.Points, 1)
	require.Equal(t, UsualPercentile, table.Percentile)
}

// The largest machine of all points counts, as many times as there are workers.
func TestCampaignsThatDoNotFitIntoMemoryAreRefused(t *testing.T) {
	c := parse(t, "name = \"x\"\nruns = 1\nline = \"broadcast\"\n[[sweep]]\nkey = \"P\"\nvalues = [4, 16777216, 8]\n")
	const many = 1_000_000
	wanted := emu.CheckMemory(1<<24, many)
	if err := c.CheckMemory(many); wanted == nil {
		require.NoError(t, err, "nobody knows how much memory there is")
	} else {
		require.ErrorContains(t, err, "not enough memory for P=16777216:")
	}
	require.NoError(t, parse(t, small).CheckMemory(1))
}

// Computations are compared by when their results are there, and by how many runs went well.
func TestComparisonsOfComputationsShowWhenTheyAreDone(t *testing.T) {
	computed, spread := Summary{Held: stats.Proportion{Hits: 1, Runs: 2}}, Summary{}
	computed.Done.Add(7, 9)
	spread.Colouring.Add(5)
	titles := func(all ...Summary) (titles []string) {
		for _, f := range comparisonFigures(all) {
			titles = append(titles, f.Title)
		}
		return titles
	}
	require.Equal(t, []string{"Time until the result is there", "Messages", "Runs in which all guarantees held"}, titles(spread, computed))
	require.Equal(t, []string{"Latency", "Messages", "Live ranks missed, on the average", "Runs that missed live ranks"}, titles(spread))
	held := comparisonFigures([]Summary{computed})[2]
	require.EqualValues(t, 100, held.Y.Max)
	require.EqualValues(t, 50, held.Series[0].Points[0].Y)
}
