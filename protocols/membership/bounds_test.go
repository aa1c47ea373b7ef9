package membership_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

var update = flag.Bool("update", false, "rewrite testdata/bounds.golden")

// describeUnrest says when views may differ.
func describeUnrest(all []membership.Unrest) string {
	var spans []string
	for _, u := range all {
		spans = append(spans, fmt.Sprintf("%d-%d", u.From, u.To))
	}
	return strings.Join(spans, " ")
}

// vague makes the times of some events uncertain.
func vague(make disaster) disaster {
	return func(r *rand.Rand, ranks int) []membership.Event {
		events := make(r, ranks)
		for i := range events {
			if !events[i].Comes {
				events[i].Early = clock.Time(r.Int64N(60))
			}
		}
		return events
	}
}

// Bounds do not change by mistake. TestBoundIsTrueAndNear says whether they are true and near; each row of this file has
// a service, what happens to it, and when views may differ.
func TestBoundsAreTheSameForEver(t *testing.T) {
	disasters := []disaster{
		crashes(0, 1), crashes(30, 1), crashes(90, 1), crashes(20, 300), crashes(40, 9000), cascade(3, 1), cascade(4, 300),
		back, returns(1, 500), returns(3, 900), joins(1, 1), joins(3, 100), joins(3, 3000), vague(crashes(10, 1)), vague(returns(2, 400)),
		both(crashes(10, 500), joins(3, 500)), both(crashes(10, 1), joins(2, 9)), both(returns(2, 700), joins(2, 500)), both(back, crashes(0, 1000)),
	}
	var rows strings.Builder
	for i, make := range disasters {
		for seed := range uint64(6) {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			ranks := []int{7, 16, 50}[seed%3]
			o := usual(papers(ranks), 2<<(seed%2))
			o.Compute, o.PerByte, o.Every = clock.Time(seed), clock.Time(seed/4), clock.Time(60+70*r.IntN(8))
			events := make(r, ranks)
			slices.SortStableFunc(events, func(a, b membership.Event) int { return int(a.At - b.At) })
			planJoins(&o, ranks, events)
			s, err := membership.New(ranks, o)
			require.NoError(t, err)
			fmt.Fprintf(&rows, "P=%d a=%d compute=%d G=%d every=%d %v: %s\n", ranks, o.Children, o.Compute, o.PerByte, o.Every, events, describeUnrest(s.Unrest(events)))
		}
	}
	const file = "testdata/bounds.golden"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(rows.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, strings.Split(string(want), "\n"), strings.Split(rows.String(), "\n"), "run with -update, and TestBoundIsTrueAndNear with -thorough")
}

// Rank 7 is below rank 3, which is below rank 1. An inquiry has found it at the very instant at which the view change ends
// that finds the others; so there is no other one that waits for it.
func TestInquiryFindsSomebodyJustInTime(t *testing.T) {
	o := usual(papers(16), 2)
	o.Every = 196
	s, err := membership.New(16, o)
	require.NoError(t, err)
	require.Equal(t, clock.Time(669), s.Bound([]membership.Event{{At: 261, Rank: 1}, {At: 261, Rank: 3}, {At: 261, Rank: 7}}))
	require.Equal(t, clock.Time(845), s.Bound([]membership.Event{{At: 262, Rank: 1}, {At: 262, Rank: 3}, {At: 262, Rank: 7}}), "a tick too late")
}
