package paper

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// To the nanosecond.
func TestWhatToleranceAddsDoesNotDependOnTheSizeOfMessages(t *testing.T) {
	r := evaluated(t, "collective-size", 1, 6)
	require.Len(t, r.Claims, 1)
	require.Equal(t, Claim{What: "what tolerance adds, us", Paper: "almost constant", Ours: "35.8", Holds: true}, claim(t, r, r.Claims[0].What))
	for _, name := range []string{"adds", "optimistic adds"} {
		added := column[float64](t, r, name)
		for _, x := range added {
			require.InDelta(t, added[0], x, 1e-6, name)
		}
	}
	requireReadable(t, r)
}

func TestVerdictsOnTheSizeOfMessages(t *testing.T) {
	base := computing(func(p point) float64 {
		return float64(p.settings.Int("n")) + map[string]float64{plain: 10_000, tolerant: 110_000, optimistic: 60_000}[p.way()]
	})
	adds := func(n int, ticks float64) filling {
		return func(_ string, p point) {
			if p.way() == tolerant && p.settings.Int("n") == n {
				p.Done = just(p.done() + ticks)
			}
		}
	}
	falls := []string{"what tolerance adds, us"}
	requireVerdicts(t, "collective-size", base, []spoiled{
		{adds(1, 900), nil}, {adds(1, 1100), falls}, {adds(32768, 1100), falls}, {adds(8, -1100), falls},
	})
}
