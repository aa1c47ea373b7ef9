package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/scenarios"
)

func TestSeriesAreJudgedBroadcastByBroadcast(t *testing.T) {
	for _, c := range []struct {
		line     string
		held     bool
		evidence string
		figures  []string
	}{
		{"broadcast P=64 repeat=3 period=200", true, "3 of 3 broadcasts, 64 live ranks",
			[]string{"3 of 3 reached every live rank", "median 24 ticks, quartiles 24 and 24, from 24 to 24"}},
		// One large gap, and no two broadcasts overlap.
		{"broadcast P=1024 numbering=in-order faults=crash:512 repeat=5", true, "5 of 5 broadcasts, 1023 live ranks",
			[]string{"5 of 5 reached every live rank", "median 302 ticks, quartiles 302 and 302, from 302 to 302"}},
		// Ranks that got the message and failed later do not make up for others.
		{"broadcast P=8 correction=none repeat=2 period=100 faults=crash:1@before-send1,crash:2@t50,crash:4@t50,crash:6@t50", false,
			"broadcast 1 of 2 reached 1 of 4 live ranks", []string{"0 of 2 reached every live rank"}},
		// The first one reaches all, later ones do not.
		{"broadcast P=8 correction=none repeat=4 period=100 faults=crash:1@t101", false,
			"broadcast 2 of 4 reached 4 of 7 live ranks", []string{"1 of 4 reached every live rank", "median 12 ticks, quartiles 12 and 12, from 12 to 12"}},
		// A root that fails in the middle has begun all the same.
		{"broadcast P=16 repeat=3 period=100 faults=crash:0@t118", true, "2 of 3 broadcasts, 15 live ranks",
			[]string{"2 of 3 reached every live rank", "median 16 ticks, quartiles 16 and 16, from 16 to 16"}},
	} {
		t.Run(c.line, func(t *testing.T) {
			outcome := mustExecute(t, c.line, scenarios.Options{})
			var figures []string
			for _, f := range outcome.Details {
				figures = append(figures, f.Text)
			}
			require.Equal(t, c.figures, figures)
			require.Equal(t, guarantee.ValueOf(c.held), outcome.Guarantees[0].Value)
			require.Equal(t, c.evidence, outcome.Guarantees[0].Evidence)
		})
	}
}

func TestTooShortAPeriodIsReported(t *testing.T) {
	outcome := mustExecute(t, "broadcast P=64 repeat=3 period=2", scenarios.Options{})
	last := outcome.Guarantees[len(outcome.Guarantees)-1]
	require.Equal(t, guarantee.Verdict{Name: "ranks are ready when a broadcast begins", Evidence: "128 times a rank was late; want a longer period", Safety: true}, last)
}
