package tuning_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
)

func TestOverallIsTheInverseOfPerRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		overall := rapid.Float64Range(1e-12, 0.99).Draw(t, "overall")
		runs := rapid.IntRange(1, 1e9).Draw(t, "runs")
		delta, err := tuning.PerRun(overall, runs)
		require.NoError(t, err)
		back, err := tuning.Overall(delta, runs)
		require.NoError(t, err)
		require.InEpsilon(t, overall, back, 1e-12)
	})
}

func TestRiskRejectsWhatIsNoChance(t *testing.T) {
	_, err := tuning.PerRun(1, 0)
	require.EqualError(t, err, "tuning: overall chance = 1, want above 0 and below 1; runs = 0, want 1 to 9223372036854775807")
	_, err = tuning.Overall(-0.5, 7)
	require.EqualError(t, err, "tuning: delta = -0.5, want above 0 and below 1")
}
