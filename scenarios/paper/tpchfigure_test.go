package paper

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// queriesOfTheThesis are times, made up, with which all that it concludes is so.
func queriesOfTheThesis() (all []queryTimes) {
	for i, phase := range queryPhases {
		for ranks := 4; ranks <= 16; ranks *= 2 {
			took := map[string]float64{plain: 18, tolerant: 18 + float64(ranks)/1000, optimistic: 18}
			if phase != "none" {
				took = map[string]float64{plain: 18, tolerant: 30, optimistic: 29, restart: 50, fresh: 35 + float64(i)}
			}
			all = append(all, queryTimes{phase: phase, ranks: ranks, took: took})
		}
	}
	return all
}

func TestVerdictsOnTheQuery(t *testing.T) {
	const (
		adds      = "no failure: tolerance adds, us"
		onLeft    = "failure: tolerant over restart on the ranks left"
		onFresh   = "failure: tolerant over restart on fresh ranks"
		grows     = "fresh - tolerant: last phase over the first"
		optimists = "last phase: optimistic over tolerant"
	)
	require.Empty(t, falling(queryResult(scaledQuery, queriesOfTheThesis()).Claims))
	fell := make(map[string]bool)
	for _, c := range []struct {
		phase string
		ranks int
		way   string
		took  float64
		falls []string
	}{
		{"none", 16, tolerant, 18.005, []string{adds}}, // less than on 8 ranks
		{"none", 4, tolerant, 17.9, []string{adds}},
		{"alltoallv", 4, restart, 30, []string{onLeft}},
		{"broadcast", 16, restart, 29, []string{onLeft}},
		{"broadcast", 8, fresh, 30, []string{onFresh}},
		{"alltoallv", 16, fresh, 29, []string{onFresh}},
		{"reduce", 16, fresh, 36, []string{grows}}, // as in the first phase
		{"reduce", 8, fresh, 36, nil},              // the most ranks count
		{"reduce", 16, fresh, 29, []string{onFresh, grows}},
		{"gather", 16, fresh, 29, []string{onFresh, grows}},
		{"gather", 16, optimistic, 31, nil}, // the last phase counts
		{"reduce", 4, optimistic, 30, []string{optimists}},
	} {
		all := queriesOfTheThesis()
		all[slices.IndexFunc(all, func(t queryTimes) bool { return t.phase == c.phase && t.ranks == c.ranks })].took[c.way] = c.took
		require.ElementsMatch(t, c.falls, falling(queryResult(scaledQuery, all).Claims), "%s on %d ranks", c.phase, c.ranks)
		for _, what := range c.falls {
			fell[what] = true
		}
	}
	require.Len(t, fell, len(queryClaims(queriesOfTheThesis())))
}

// Ways of which nothing is known are left out.
func TestAWayWithOneTimeIsDrawn(t *testing.T) {
	var drawn []string
	for _, s := range phasePanel("none", queriesOfTheThesis()[:1]).Series {
		require.Len(t, s.Points, 1)
		drawn = append(drawn, s.Name)
	}
	require.Equal(t, []string{plain, tolerant, optimistic}, drawn)
}

// The quotient of two losses is no gain.
func TestALossThatGrowsIsNoAdvantage(t *testing.T) {
	all := queriesOfTheThesis()
	for i := range all {
		switch all[i].phase {
		case "gather":
			all[i].took[fresh] = 29
		case "reduce":
			all[i].took[fresh] = 20
		}
	}
	c := claim(t, queryResult(scaledQuery, all), "fresh - tolerant: last phase over the first")
	require.False(t, c.Holds)
	require.Equal(t, "tolerant is not faster", c.Ours)
}
