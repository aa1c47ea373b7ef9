package launch_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
)

func seriesOf(t *testing.T, lines ...string) *launch.Series {
	t.Helper()
	var s launch.Series
	for _, line := range lines {
		run, err := catalog.ParseLine(line)
		require.NoError(t, err)
		outcome, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)
		s.Add(outcome)
	}
	return &s
}

func TestRunsOfASeriesAreSummedUp(t *testing.T) {
	s := seriesOf(t, "broadcast P=4", "broadcast P=8 faults=crash:1,crash:2", "broadcast P=4 correction=none faults=crash:1")
	assert.Equal(t, []int{3, 1, 3}, []int{s.Runs, s.Broken, s.Failed})
	var names []string
	for _, m := range s.Measures() {
		names = append(names, m.Name)
		want := 3
		if m.Name == "latency" {
			want = 0
		}
		assert.Equal(t, want, m.Values.Len(), m.Name)
		assert.Equal(t, m.Name != "messages", m.Ticks)
	}
	assert.Equal(t, []string{"messages", "latency", "colouring", "quiescence", "exit"}, names)
}

// What is a time for many broadcasts in turn is one for each of them, and nothing is coloured by a reduction.
func TestWhatIsMeasuredDependsOnTheProtocol(t *testing.T) {
	for line, want := range map[string][]int{
		"reduce P=4":             {1, 0, 0, 1, 1},
		"broadcast P=4 repeat=3": {1, 3, 0, 1, 1},
	} {
		var lens []int
		for _, m := range seriesOf(t, line).Measures() {
			lens = append(lens, m.Values.Len())
		}
		assert.Equal(t, want, lens, line)
	}
}
