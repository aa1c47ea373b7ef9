package campaign

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
