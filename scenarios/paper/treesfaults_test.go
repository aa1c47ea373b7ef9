package paper

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// Figures 8 to 10 and table 1 have a campaign in common.
func TestFailuresTakeTimeAndSaveMessages(t *testing.T) {
	latency := small(t, "trees-fig8", thorough.Times(10))
	for _, name := range []string{"binomial", "4-ary", "Lamé", "optimal"} {
		require.Greater(t, cell(t, latency, "mean", name, 4.0), cell(t, latency, "mean", name, 0.1), name)
	}
	require.InDelta(t, 50, cell(t, latency, "mean", "binomial", 0.1), 2)
	messages := small(t, "trees-fig9", thorough.Times(10))
	require.True(t, claim(t, messages, "the more ranks are down, the fewer messages").Holds, messages.Text())
	require.True(t, claim(t, messages, "gossip at its fewest over trees at their most").Holds, messages.Text())
}

func TestVerdictsOnGrowth(t *testing.T) {
	at := func(factor float64) func(p point, s *campaign.Summary) {
		return func(p point, s *campaign.Summary) {
			s.Quiescence = just(100, 100)
			if p.downPercent() == 4 {
				s.Quiescence = just(100*factor, 100*factor)
			}
		}
	}
	for _, test := range []struct {
		trees, gossip       float64
		treesHold, gossipOK bool
	}{
		{1.13, 1.04, true, true}, {1.11, 1.04, false, true}, {1.15, 1.04, false, true}, {1.13, 1.13, true, false}, {1.13, 1.03, true, false},
	} {
		trees, gossip := made(t, "trees-faults", at(test.trees)), made(t, "gossip-faults", func(p point, s *campaign.Summary) {
			factor := map[string]float64{"38": test.gossip, "39": 1.01, "37": 1.02}[p.settings.Text("T")] // only the first is judged
			at(factor)(p, s)
		})
		require.Equal(t, test.treesHold, verdict(t, "trees-fig8", "trees: growth from 0.01 to 4 %", trees, gossip).Holds, "%+v", test)
		require.Equal(t, test.gossipOK, verdict(t, "trees-fig8", "gossip: growth from 0.01 to 4 %", trees, gossip).Holds, "%+v", test)
	}
}

// The others are told of, each with its own growth.
func TestFigure8TellsOfOtherGossips(t *testing.T) {
	grown := func(p point, s *campaign.Summary) {
		s.Quiescence = just(100, 100)
		if p.downPercent() == 4 {
			percent := float64(p.settings.Number("T") - 35)
			s.Quiescence = just(100+percent, 100+percent)
		}
	}
	r, err := faultLatencyFigure([]measured{made(t, "trees-faults", func(_ point, s *campaign.Summary) { s.Quiescence = just(99, 101) }), made(t, "gossip-faults", grown)})
	require.NoError(t, err)
	require.Contains(t, r.Foot, "gossip, T=38 is the fastest without failures")
	require.Contains(t, r.Foot, "gossip, T=39, the next, grows by 4.0 %")
	require.Contains(t, r.Foot, "gossip, T=37, drained, which corrects when the last gossip has come in, by 2.0 %")
}

func TestVerdictsOnDeviations(t *testing.T) {
	const what = "binomial: deviation at 4 % over that at 0.01 %"
	for factor, holds := range map[float64]bool{17: true, 14: true, 20: true, 12: false, 22: false} {
		trees := made(t, "trees-faults", func(p point, s *campaign.Summary) {
			s.Quiescence = just(99, 101)
			if p.downPercent() == 4 {
				s.Quiescence = just(110-factor, 110+factor)
			}
		})
		gossip := made(t, "gossip-faults", func(_ point, s *campaign.Summary) { s.Quiescence = just(50, 51) })
		require.Equal(t, holds, verdict(t, "trees-fig8", what, trees, gossip).Holds, "%v", factor)
	}
}

func TestVerdictsOnMessages(t *testing.T) {
	gossip := made(t, "gossip-faults", func(p point, s *campaign.Summary) { s.Messages = just(500_000 - 1000*p.downPercent()) })
	trees := func(middle float64) measured {
		return made(t, "trees-faults", func(p point, s *campaign.Summary) {
			s.Messages = just(400_000 - 1000*p.downPercent())
			if p.downPercent() == 1 {
				s.Messages = just(middle)
			}
		})
	}
	const falls, more = "the more ranks are down, the fewer messages", "gossip at its fewest over trees at their most"
	require.True(t, verdict(t, "trees-fig9", falls, trees(399_000), gossip).Holds)
	require.False(t, verdict(t, "trees-fig9", falls, trees(401_000), gossip).Holds, "a rate in between has more")
	require.True(t, verdict(t, "trees-fig9", more, trees(399_000), gossip).Holds)
	require.False(t, verdict(t, "trees-fig9", more, trees(497_000), gossip).Holds)
}

func TestTheNumberOfRunsIsSaidOnce(t *testing.T) {
	trees, gossip := imagined(t, "trees-faults", campaign.Full), imagined(t, "gossip-faults", campaign.Full)
	const same = "65,536 ranks, checked correction, L=2 o=1, 100,000 runs a row"
	require.Equal(t, same, faultNote([]measured{trees}))
	require.Equal(t, same, faultNote([]measured{trees, gossip}))
	gossip = imagined(t, "gossip-faults", campaign.Usual)
	require.Equal(t, "65,536 ranks, checked correction, L=2 o=1, 100,000 runs (gossip 200) a row", faultNote([]measured{trees, gossip}))
}
