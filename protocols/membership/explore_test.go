package membership_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// subject is a service to be explored. Runs that leave nobody to agree are counted.
func subject(logp clock.LogP, o membership.Options, desolate *atomic.Int64) *search.Subject {
	return &search.Subject{
		Machine: emu.Config{LogP: logp},
		Events:  true,
		NewTrial: func() (search.Trial, error) {
			s, err := membership.New(logp.Ranks, o)
			return search.Trial{
				Program: s.Program(), Prepare: s.Reset,
				Judge: func(rep *report.Report) []guarantee.Verdict {
					if len(rep.Failed) == logp.Ranks {
						desolate.Add(1)
					}
					return guarantee.Check(guarantee.Run{Report: rep}, catalog.Views(s)...)
				},
			}, err
		},
	}
}

// Every crash and hang of up to two ranks, the root included, at every point of the first rounds
// of inquiries and of the view changes that follow; with a rank that joins, with ranks that come
// back at once, soon or late, and with ranks that are cut off. All agree in the end.
func TestNoPairOfFailuresBreaksMembership(t *testing.T) {
	crash := []faults.Kind{faults.Crash}
	for name, test := range map[string]struct {
		ranks, children int
		joins           bool
		options         search.ExploreOptions
		runs            int64 // at least
		usual           bool  // also without -thorough
	}{
		"seven":           {7, 2, false, search.ExploreOptions{Faults: 2, Before: 260}, 700, true},
		"nine":            {9, 4, false, search.ExploreOptions{Faults: 2, Before: 260}, 1200, false},
		"seven, one new":  {7, 2, true, search.ExploreOptions{Faults: 2, Before: 200}, 700, false},
		"nine, one new":   {9, 4, true, search.ExploreOptions{Faults: 2, Before: 140}, 700, false},
		"seven, back":     {7, 2, false, search.ExploreOptions{Faults: 2, Before: 110, Rejoins: []clock.Time{1, 150, 600}, Kinds: crash}, 1500, false},
		"four, back":      {4, 4, true, search.ExploreOptions{Faults: 2, Before: 200, Rejoins: []clock.Time{20, 150}, Kinds: crash}, 1000, false},
		"three, anything": {3, 2, false, search.ExploreOptions{Faults: 3, Before: 180, Rejoins: []clock.Time{20, 150}, Kinds: crash}, 2000, false},
		"five, cut off":   {5, 2, false, search.ExploreOptions{Faults: 2, Before: 200, Cuts: []clock.Time{0, 105, 165, 175}}, 500, true},
	} {
		t.Run(name, func(t *testing.T) {
			logp := papers(test.ranks)
			o := usual(logp, test.children)
			if test.joins {
				o.Members = test.ranks - 1
				o.Joins = []membership.Join{{At: 90, Rank: test.ranks - 1}}
			}
			lost := 0
			if test.options.Cuts != nil {
				lost = test.ranks
			}
			lastsFor(t, test.ranks, &o, 2*test.options.Faults+len(o.Joins), lost)
			o.Until -= early / 2
			test.options.Roots = true
			if testing.Short() || !thorough.All() && !test.usual { // a sample: no pairs
				test.options.Faults, test.runs = 1, 1
			}
			var desolate atomic.Int64
			found, err := search.Explore(t.Context(), subject(logp, o, &desolate), test.options)
			require.NoError(t, err)
			judged := found.Tally.Counts[0].Judged // agreement
			t.Logf("%d runs for %d schedules, agreement judged in %d, nobody is left in %d", found.Runs, found.Covered, judged, desolate.Load())
			require.Empty(t, found.Violations)
			require.GreaterOrEqual(t, found.Runs, test.runs)
			require.Equal(t, found.Runs, judged+desolate.Load())
		})
	}
}
