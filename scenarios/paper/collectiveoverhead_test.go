package paper

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The averages of docs/collectives.md. Of the thesis' factors that of the reduce is the only one that is
// not near.
func TestAveragesOfToleranceAreThoseOfTheThesisButForReduce(t *testing.T) {
	r := evaluated(t, "collectives", 1, 8) // up to 128 ranks, as in the thesis
	want := map[string]string{"broadcast": "4.25", "scatter": "4.25", "gather": "4.09", "reduce": "4.09"}
	for _, c := range r.Claims {
		op, _, average := strings.Cut(c.What, ":")
		if !average {
			require.Equal(t, Claim{What: "an agreement over a broadcast of one number", Paper: "more than 1", Ours: "2.00", Holds: true}, claim(t, r, c.What))
			continue
		}
		require.Equal(t, want[op], c.Ours, op)
		require.Equal(t, op != "reduce", c.Holds, op)
		delete(want, op)
	}
	require.Empty(t, want)
	require.Contains(t, r.Foot, "alltoall: 2.40")
	requireInDocument(t, "collectives.md", r.Table.Text())
	requireReadable(t, r)
}

// Two agreements are twice up and down the tree, an operation is once up or down.
func TestToleranceTakesFiveTimesAsManyMessages(t *testing.T) {
	r := evaluated(t, "collectives", 1, 8)
	for _, row := range r.Table.Rows {
		op, ranks, messages := row[0], row[1], row[len(row)-1]
		switch {
		case ranks == 1:
			require.Nil(t, messages, "there are none to compare with")
		case op != "alltoall":
			require.Equal(t, 5.0, messages, "%v on %v ranks", op, ranks)
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
