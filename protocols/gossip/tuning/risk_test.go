package tuning_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
)

// If each of so many broadcasts fails with the chance that PerRun says, the chance that any of them
// does is the one that was asked for.
func TestPerRunKeepsTheOverallChance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		overall := rapid.Float64Range(1e-12, 0.99).Draw(t, "overall")
		runs := rapid.IntRange(1, 1e9).Draw(t, "runs")
		delta, err := tuning.PerRun(overall, runs)
		require.NoError(t, err)
		anyFails := -math.Expm1(float64(runs) * math.Log1p(-delta)) // 1-(1-delta)^runs
		require.InEpsilon(t, overall, anyFails, 1e-12)
	})
}

func TestRiskRejectsWhatIsNoChance(t *testing.T) {
	_, err := tuning.PerRun(1, 0)
	require.EqualError(t, err, "tuning: overall chance = 1, want above 0 and below 1; runs = 0, want 1 to 9223372036854775807")
	_, err = tuning.PerRun(-0.5, 7)
	require.EqualError(t, err, "tuning: overall chance = -0.5, want above 0 and below 1")
}
