package paper

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// computing fills in when the last rank is done, by the way and the rest of a line.
func computing(done func(p point) float64) filling {
	return func(_ string, p point) { p.Done, p.Messages = just(done(p)), just(1) }
}

// ifSo changes the time of points by a factor.
func ifSo(is func(p point) bool, factor float64) filling {
	return func(_ string, p point) {
		if is(p) {
			p.Done = just(factor * p.done())
		}
	}
}

// likeTheThesis takes 10 ticks a rank, times what the thesis has; one rank sends nothing.
func likeTheThesis(p point) float64 {
	time := 10 * float64(p.ranks()-1)
	switch p.way() {
	case tolerant:
		if thesis, ok := thesisFactors[p.settings.Text("op")]; ok {
			return time * thesis.factor
		}
		return time * 3
	case optimistic:
		return time * 2.1
	}
	return time
}

func TestVerdictsOnTheCostOfTolerance(t *testing.T) {
	average := func(op string) string { return op + ": tolerant over plain, average of 2 to 128 ranks" }
	var changes []spoiled
	for op := range thesisFactors {
		is := func(p point) bool { return p.settings.Text("op") == op && p.way() == tolerant }
		changes = append(changes,
			spoiled{ifSo(is, 1.14), nil}, spoiled{ifSo(is, 1.16), []string{average(op)}},
			spoiled{ifSo(is, 0.86), nil}, spoiled{ifSo(is, 0.84), []string{average(op)}},
			spoiled{ifSo(func(p point) bool { return is(p) && p.ranks() == 128 }, 2.5), []string{average(op)}},
			spoiled{ifSo(func(p point) bool { return is(p) && p.ranks() > 128 }, 9), nil}) // not in the thesis
	}
	broadcast := func(p point) bool {
		return p.settings.Text("op") == "broadcast" && p.way() == optimistic && p.ranks() == 1024
	}
	changes = append(changes, spoiled{ifSo(broadcast, 2/2.1), []string{"an agreement over a broadcast of one number"}})
	requireVerdicts(t, "collectives", computing(likeTheThesis), changes)
}

// What the thesis has no number for is told, but is no claim.
func TestNumbersWithoutThoseOfTheThesisAreNoClaims(t *testing.T) {
	r := madeUp(t, "collectives", computing(likeTheThesis))
	require.Len(t, r.Claims, len(thesisFactors)+1)
	require.Contains(t, r.Foot, "\nalltoall: 3.00 on the average of 2 to 128 ranks; the thesis has no number")

	r = madeUp(t, "collective-4mb", computing(func(p point) float64 {
		least := leastAllToAll(p)
		switch {
		case p.way() == plain && p.ranks() == 64:
			return 1.2 * least
		case p.way() == tolerant && p.ranks() == 8:
			return 1.3 * least
		}
		return 1.1 * least
	}))
	require.Empty(t, r.Claims)
	require.Contains(t, r.Foot, "plain takes up to 20.0 % longer than that, and tolerance adds up to 18.2 %")
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
