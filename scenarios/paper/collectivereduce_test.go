package paper

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// Optimistic operations keep no backups while nobody fails; if the root fails late, backups pay for
// tolerant ones and come too late for optimistic ones.
func TestBackupsPayIfTheRootFailsLate(t *testing.T) {
	r := upTo(t, moderate()/4, "collective-reduce", 1)
	require.Equal(t, map[string]bool{"nobody fails: optimistic over tolerant": true, "nobody fails: optimistic over plain": false}, verdicts(r))
	late := 0
	for i, failure := range column[string](t, r, "failure") {
		took := func(way string) float64 { return column[float64](t, r, way)[i] }
		if failure == "none" {
			require.Equal(t, took(optimistic), took(optimisticBackups))
			require.LessOrEqual(t, took(tolerant), took(tolerantBackups))
			continue
		}
		late++
		require.Less(t, took(tolerantBackups), took(tolerant))
		require.Greater(t, took(optimisticBackups), took(optimistic))
		require.Less(t, took(plain), took(tolerantBackups))
	}
	require.Equal(t, bits.Len(uint(moderate()/4))-2, late, "from 4 ranks on")
	requireReadable(t, r)
}

func TestVerdictsOnWaysToReduce(t *testing.T) {
	base := computing(func(p point) float64 {
		return float64(p.ranks()-1) * map[string]float64{plain: 20, tolerant: 30, tolerantBackups: 40, optimistic: 10, optimisticBackups: 10}[p.way()]
	})
	takes := func(way string, ranks int, campaign string, aRank float64) filling {
		return func(name string, p point) {
			if name == campaign && p.way() == way && p.ranks() == ranks {
				p.Done = just(aRank * float64(ranks-1))
			}
		}
	}
	const overTolerant, overPlain = "nobody fails: optimistic over tolerant", "nobody fails: optimistic over plain"
	requireVerdicts(t, "collective-reduce", base, []spoiled{
		{takes(optimistic, 1024, "collective-reduce", 20), []string{overPlain}}, // no faster
		{takes(optimistic, 2, "collective-reduce", 25), []string{overPlain}},
		{takes(tolerant, 64, "collective-reduce", 10), []string{overTolerant}},
		{takes(optimistic, 64, "collective-reduce", 35), []string{overTolerant, overPlain}},
		{takes(optimistic, 64, "collective-late", 100), nil}, // somebody fails there
	})
}
