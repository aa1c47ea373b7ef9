package catalog

import (
	"fmt"
	"strings"
	"testing"
)

// A membership service whose line does not say until when it lasts ends when it always has, whatever its faults are. Lines are added without
// an end, and -update tells it.
func TestServicesEndWhenTheyAlwaysHave(t *testing.T) {
	const file = "testdata/ends.golden"
	var all strings.Builder
	for _, row := range linesOf(t, file) {
		words, _, _ := strings.Cut(row, ": ")
		fmt.Fprintf(&all, "%s: %s\n", words, mustParse(t, words).Experiment().Chosen["until"])
	}
	requireGolden(t, file, all.String())
}
