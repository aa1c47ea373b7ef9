package catalog

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A membership service whose line does not say until when it lasts ends when it always has, whatever its faults are. Lines are added without
// an end, and -update tells it.
func TestServicesEndWhenTheyAlwaysHave(t *testing.T) {
	const file = "testdata/ends.golden"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var all strings.Builder
	for row := range strings.Lines(string(text)) {
		words, _, _ := strings.Cut(strings.TrimSpace(row), ": ")
		end := ""
		if run, err := ParseLine(words); err != nil {
			end = err.Error()
		} else {
			end = run.Experiment().Chosen["until"]
		}
		fmt.Fprintf(&all, "%s: %s\n", words, end)
	}
	requireGolden(t, file, all.String())
}
