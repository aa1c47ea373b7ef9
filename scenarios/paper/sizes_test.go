package paper

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// The best time to gossip is that of the shortest runs, or the first that misses nobody.
func TestTheBestTimeToGossip(t *testing.T) {
	m := made(t, "gossip-free", func(p point, s *campaign.Summary) {
		s.Quiescence = just(50)
		if p.settings.Text("T") == "17" {
			s.Quiescence = just(40)
		}
		if p.settings.Number("T") < 16 {
			s.Missed = just(3)
		} else {
			s.Missed = just(0)
		}
	})
	require.Equal(t, "17", bestBySize("", m.points, quiescence).points[0].settings.Text("T"))
	require.Equal(t, "16", bestBySize("", m.points, missedRanks).points[0].settings.Text("T"))
}
