package scenarios_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Columns keep their order, and decimals all of their digits.
func TestAnAnswerInJSONAndAsText(t *testing.T) {
	answer := &scenarios.Answer{Columns: []string{"key", "worth", "day"}, Rows: [][]any{
		{int64(7), json.Number("12.5000"), "1995-03-14"},
		{int64(3), json.Number("0.0001"), `"`},
	}}
	require.Contains(t, inJSON(t, &scenarios.Outcome{Report: &report.Report{}, Answer: answer}),
		`"answer":[{"key":7,"worth":12.5000,"day":"1995-03-14"},{"key":3,"worth":0.0001,"day":"\""}],"notes":`)
	require.Equal(t, []string{"key|worth|day", "7|12.5000|1995-03-14", `3|0.0001|"`}, answer.Lines())

	_, err := json.Marshal(&scenarios.Answer{Columns: []string{"key"}, Rows: [][]any{{json.Number("x")}}})
	require.ErrorContains(t, err, "invalid number")
}

// An answer without rows is not the same as none.
func TestAnEmptyAnswerInJSONAndAsText(t *testing.T) {
	answer := &scenarios.Answer{Columns: []string{"key", "worth"}}
	require.Contains(t, inJSON(t, &scenarios.Outcome{Report: &report.Report{}, Answer: answer}), `"answer":[],`)
	require.Equal(t, []string{"key|worth"}, answer.Lines())
	require.NotContains(t, inJSON(t, &scenarios.Outcome{Report: &report.Report{}}), "answer")
}
