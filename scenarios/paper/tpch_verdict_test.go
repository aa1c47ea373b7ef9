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
			t := queryTimes{phase: phase, ranks: ranks, plain: 18, tolerant: 18 + float64(ranks)/1000, optimistic: 18}
			if phase != "none" {
				t.tolerant, t.optimistic, t.restart, t.afresh = 30, 29, 50, 35+float64(i)
			}
			all = append(all, t)
		}
	}
	return all
}

func TestVerdictsOnTheQuery(t *testing.T) {
	const (
		adds       = "no failure: tolerance adds, us"
		left       = "failure: tolerant over restart on the ranks left"
		fresh      = "failure: tolerant over restart on fresh ranks"
		grows      = "fresh - tolerant: last phase over the first"
		optimistic = "last phase: optimistic over tolerant"
	)
	require.Empty(t, falling(queryResult(queriesOfTheThesis()).Claims))
	fell := make(map[string]bool)
	for _, c := range []struct {
		phase  string
		ranks  int
		change func(*queryTimes)
		falls  []string
	}{
		{"none", 16, func(t *queryTimes) { t.tolerant = 18.005 }, []string{adds}}, // less than on 8 ranks
		{"none", 4, func(t *queryTimes) { t.tolerant = 17.9 }, []string{adds}},
		{"alltoallv", 4, func(t *queryTimes) { t.restart = 30 }, []string{left}},
		{"broadcast", 16, func(t *queryTimes) { t.restart = 29 }, []string{left}},
		{"broadcast", 8, func(t *queryTimes) { t.afresh = 30 }, []string{fresh}},
		{"alltoallv", 16, func(t *queryTimes) { t.afresh = 29 }, []string{fresh}},
		{"reduce", 16, func(t *queryTimes) { t.afresh = 36 }, []string{grows}}, // as in the first phase
		{"reduce", 8, func(t *queryTimes) { t.afresh = 36 }, nil},              // the most ranks count
		{"reduce", 16, func(t *queryTimes) { t.afresh = 29 }, []string{fresh, grows}},
		{"gather", 16, func(t *queryTimes) { t.afresh = 29 }, []string{fresh, grows}},
		{"gather", 16, func(t *queryTimes) { t.optimistic = 31 }, nil}, // the last phase counts
		{"reduce", 4, func(t *queryTimes) { t.optimistic = 30 }, []string{optimistic}},
	} {
		all := queriesOfTheThesis()
		c.change(&all[slices.IndexFunc(all, func(t queryTimes) bool { return t.phase == c.phase && t.ranks == c.ranks })])
		require.ElementsMatch(t, c.falls, falling(queryResult(all).Claims), "%s on %d ranks", c.phase, c.ranks)
		for _, what := range c.falls {
			fell[what] = true
		}
	}
	require.Len(t, fell, len(queryClaims(queriesOfTheThesis())))
}

// The quotient of two losses is no gain.
func TestALossThatGrowsIsNoAdvantage(t *testing.T) {
	all := queriesOfTheThesis()
	for i := range all {
		switch all[i].phase {
		case "gather":
			all[i].afresh = 29
		case "reduce":
			all[i].afresh = 20
		}
	}
	c := claim(t, queryResult(all), "fresh - tolerant: last phase over the first")
	require.False(t, c.Holds)
	require.Equal(t, "tolerant is not faster", c.Ours)
}
