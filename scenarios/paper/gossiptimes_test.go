package paper

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/thorough"
)

// What is measured for each T, and what the equations say, is close to figures 3 and 5, and below the
// bound of figure 9.
func TestGossipTimesStayBelowTheEquations(t *testing.T) {
	runs := map[string]int{"gossip-fig3": spreadRuns(), "gossip-fig5": thorough.Times(15), "gossip-fig9": thorough.Times(15)}
	for name, differs := range map[string]string{"gossip-fig3": "", "gossip-fig5": "best T by equation 4", "gossip-fig9": ""} {
		r := small(t, name, runs[name])
		require.Len(t, r.Table.Rows, 19, name)
		for what, holds := range verdicts(r) {
			if what != differs && what != "ticks by which the longest run with T=25 is shorter than it" { // few runs may all be short
				assert.True(t, holds, "%s: %s", name, what)
			}
		}
		if differs != "" {
			assert.False(t, verdicts(r)[differs], name)
		}
	}
}

// asPlanned takes as long as the equation says.
func asPlanned(_ string, p point) {
	plan := p.planned()
	p.Colouring, p.Exit = just(float64(plan.Latency)), just(float64(plan.Latency))
}

// until changes gossip that ends at T by so many ticks.
func until(end clock.Time, ticks float64) filling {
	return func(_ string, p point) {
		if p.gossipEnd() == end {
			p.Colouring, p.Exit = just(p.Colouring.Max()+ticks), just(p.Exit.Max()+ticks)
		}
	}
}

const beyondEquation = "ticks by which a run is longer than the equation"

func TestVerdictsOnGossipTimes(t *testing.T) {
	const below24, below25 = "ticks by which the longest run with T=24 is shorter than it", "ticks by which the longest run with T=25 is shorter than it"
	requireVerdicts(t, "gossip-fig3", asPlanned, []spoiled{
		{until(30, 1), nil},
		{until(30, 2), []string{beyondEquation}}, // one T is enough
		{until(18, 2), []string{beyondEquation}},
		{until(30, -9), nil},
		{until(24, -1), nil},
		{until(24, -2), []string{below24}},
		{func(_ string, p point) {
			if p.gossipEnd() == 36 {
				p.Complete = never
			}
		}, []string{"runs that miss somebody"}},
	}, "best T by equation 3")
	requireVerdicts(t, "gossip-fig5", asPlanned, []spoiled{
		{until(30, 2), nil},
		{until(30, 3), []string{beyondEquation}},
		{until(25, -2), nil},
		{until(25, -3), []string{below25}},
	}, "best T by equation 4")
	requireVerdicts(t, "gossip-fig9", asPlanned, []spoiled{
		{until(25, -9), nil},
		{until(30, 1), []string{"ticks by which a run is longer than the bound"}},
	})
}

// The equation says which T is best; what is measured has no part in it.
func TestVerdictOnTheBestTime(t *testing.T) {
	const best = "best T by equation 3"
	run := just(31)
	equation := func(at23, at24, at25 clock.Time) []Claim {
		return closeClaims([]timedGossip{{23, at23, &run}, {24, at24, &run}, {25, at25, &run}}, 3, 24, 1)
	}
	require.Empty(t, falling(equation(31, 31, 32)))
	require.Empty(t, falling(equation(32, 31, 32)))
	require.Equal(t, []string{best}, falling(equation(31, 32, 32)))
	require.Equal(t, []string{best}, falling(equation(32, 32, 31)))
	require.Equal(t, "23 and 24", equation(31, 31, 32)[0].Ours)
}
