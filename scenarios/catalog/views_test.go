package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// serve runs a membership service of seven.
func serve(t *testing.T, change func(*membership.Options), schedule string) (*membership.Service, *report.Report) {
	t.Helper()
	logp := clock.LogP{Ranks: 7, Latency: 2, Overhead: 1}
	o := membership.Options{
		Children: 2, Delivery: logp.Delivery(), Spacing: 1, Until: 9000, Inquiry: membership.Successor, Every: 100,
	}
	if change != nil {
		change(&o)
	}
	s, err := membership.New(7, o)
	require.NoError(t, err)
	machine, err := emu.New(emu.Config{LogP: logp, Trace: emu.TraceEvents})
	require.NoError(t, err)
	rep, err := machine.Run(t.Context(), s.Program(), emu.Options{Faults: faults.MustParse(schedule)})
	require.NoError(t, err)
	return s, rep
}

// brokenViews names the guarantees that a run breaks, with the evidence.
func brokenViews(s *membership.Service, rep *report.Report) map[string]string {
	broken := make(map[string]string)
	for _, v := range guarantee.OnlyBroken(guarantee.Check(guarantee.Run{Report: rep}, catalog.Views(s)...)) {
		broken[v.Name] = v.Evidence
	}
	return broken
}

const (
	agree  = "all live ranks hold the same view, of all live ranks"
	stable = "all live members of a stable view have installed it"
)

// without is the changes of a group that has lost some ranks.
func without(ranks ...int) (c membership.Changes) {
	for _, rank := range ranks {
		c = c.With(rank, 1)
	}
	return c
}

// Each case is what a service would leave behind that is wrong in one way.
func TestViewGuaranteesCatchBrokenServices(t *testing.T) {
	for name, test := range map[string]struct {
		harm   func(r []membership.Record)
		broken map[string]string
	}{
		"nothing": {func([]membership.Record) {}, map[string]string{}},
		"a view that differs": {
			func(r []membership.Record) { r[3].View = without(4, 5) },
			map[string]string{agree: "rank 3 does not have rank 5 in its view: 0-3+6 (5 members, 2 changes)"},
		},
		"a view with a failed rank": {
			func(r []membership.Record) {
				for rank := range r {
					r[rank].View = ""
				}
			},
			map[string]string{agree: "rank 0 has rank 4 in its view: 0-6 (7 members, 0 changes)"},
		},
		"a live rank outside": {
			func(r []membership.Record) { r[6].Member = false },
			map[string]string{agree: "rank 6 is live and no member"},
		},
		"a view without its owner": {
			func(r []membership.Record) {
				r[5].Installed[0].View = without(4, 5)
				r[5].Installed[0].Message = without(4, 5)
			},
			map[string]string{
				"a rank is a member of its own view": "rank 5 at t=105: installs 0-3+6 (5 members, 2 changes)",
				stable:                               "rank 5 has not installed 0-3+5-6 (6 members, 1 change) when its root 0 takes it for stable at t=114",
				agree:                                "rank 5 does not have rank 5 in its view: 0-3+6 (5 members, 2 changes), at t=242",
			},
		},
		"a view that is not that of its message": {
			func(r []membership.Record) { r[2].Installed[0].View = without(4, 6) },
			map[string]string{
				"whoever takes up a message of a view change has the same view": "rank 2 at t=101: is told of 0-3+5-6 (6 members, 1 change) and installs 0-3+5 (5 members, 2 changes)",
				stable: "rank 2 has not installed 0-3+5-6 (6 members, 1 change) when its root 0 takes it for stable at t=114",
				agree:  "rank 2 does not have rank 6 in its view: 0-3+5 (5 members, 2 changes), at t=242",
			},
		},
		"a view that comes twice": {
			func(r []membership.Record) { r[2].Installed = append(r[2].Installed, r[2].Installed[0]) },
			map[string]string{"no view comes twice": "rank 2 at t=101: installs 0-3+5-6 (6 members, 1 change) after 0-3+5-6 (6 members, 1 change)"},
		},
		"a view that goes back": {
			func(r []membership.Record) {
				back := r[2].Installed[0]
				back.View, back.Message = "", ""
				r[2].Installed = append(r[2].Installed, back)
			},
			map[string]string{
				"no view comes twice": "rank 2 at t=101: installs 0-6 (7 members, 0 changes) after 0-3+5-6 (6 members, 1 change)",
				agree:                 "rank 2 has rank 4 in its view: 0-6 (7 members, 0 changes), at t=242",
			},
		},
	} {
		s, rep := serve(t, nil, "crash:4@t10")
		test.harm(s.Records())
		require.Equal(t, test.broken, brokenViews(s, rep), name)
	}
}

// Where nothing is promised the evidence says why.
func TestAgreementSaysWhenItPromisesNothing(t *testing.T) {
	for _, test := range []struct {
		change func(*membership.Options)
		faults string
		why    string
	}{
		{func(o *membership.Options) { o.Inquiry = membership.Random }, "crash:4@t10", "failures are found by chance or not at all"},
		{func(o *membership.Options) { o.Inquiry, o.Every = membership.Nobody, 0 }, "crash:4@t10", "failures are found by chance or not at all"},
		{func(o *membership.Options) { o.Timeout = 3 }, "crash:4@t10", "timeout=3 is shorter than answers may take, 24 ticks"},
		{nil, "slow:4x9@t10", "slow:4x9@t10"},
		{func(o *membership.Options) { o.Abort = true }, "crash:4@t10,crash:5@t10,crash:6@t10,crash:1@t40", "how many have to be left depends on when others were found to be gone"},
		{nil, "crash:4@t8900", "the last change is at t=8900, views may differ until t=9142, and the service ends at t=9000"},
		{nil, "cut:0|1@t10", "links are cut within partitions"},
		{nil, "crash:~7@t10,rejoin:4@t500", "nobody has been a member throughout of those who now include rank 4"},
	} {
		schedule, err := faults.MustParse(test.faults).Expand(7, 0)
		require.NoError(t, err)
		s, rep := serve(t, test.change, schedule.String())
		for _, v := range guarantee.Check(guarantee.Run{Report: rep}, catalog.Views(s)...) {
			require.NotEqual(t, guarantee.Broken, v.Value, v)
			if v.Name == agree {
				require.Contains(t, v.Evidence, "("+test.why+")")
				require.Equal(t, guarantee.NotClaimed, v.Value)
			}
		}
	}
}

// In each partition the view is that of the partition.
func TestAgreementHoldsInEachPartition(t *testing.T) {
	s, rep := serve(t, nil, "cut:0-2|3-6@t10")
	require.Empty(t, brokenViews(s, rep))
	s.Records()[1].View = s.Records()[3].View
	require.Equal(t, map[string]string{agree: "rank 1 does not have rank 0 in its view: 3-6 (4 members, 3 changes)"}, brokenViews(s, rep))
}

// forget makes a rank that has aborted one that goes on.
func forget(r *membership.Record) {
	r.Aborted, r.Member = false, true
	r.Stays[len(r.Stays)-1].To = clock.Never
}

// A minority that does not abort, and a majority that does, are both broken.
func TestAbortsAreThoseOfMinorities(t *testing.T) {
	const disjoint = "when all is calm, no two views without a common member go on"
	abort := func(o *membership.Options) { o.Abort = true }
	s, rep := serve(t, abort, "cut:0-2|3-6@t10")
	require.Empty(t, brokenViews(s, rep))
	for rank := range 3 {
		require.True(t, s.Records()[rank].Aborted)
		forget(&s.Records()[rank])
	}
	broken := brokenViews(s, rep)
	require.Contains(t, broken[agree], "rank 0 goes on, and half of the members were lost, at t=")
	require.Contains(t, broken[disjoint], "rank 0 holds 0-2 (3 members, 4 changes) and rank 3 3-6 (4 members, 3 changes), at t=")

	s, rep = serve(t, abort, "crash:6@t10")
	last := &s.Records()[2].Stays[0]
	s.Records()[2].Aborted, s.Records()[2].Member, last.To = true, false, 5000
	require.Equal(t, map[string]string{agree: "rank 2 is live and no member"}, brokenViews(s, rep))
}

// Two groups side by side show however little time there is: the service ends long before all of a minority must have
// aborted.
func TestGroupsSideBySideAreSeenAtAnyTime(t *testing.T) {
	const beside, calm = "no two groups go on side by side", "when all is calm, no two views without a common member go on"
	short := func(o *membership.Options) { o.Abort, o.Until = true, 700 }
	s, rep := serve(t, short, "cut:0-2|3-6@t10")
	for rank := range 3 {
		forget(&s.Records()[rank])
	}
	verdicts := make(map[string]guarantee.Verdict)
	for _, v := range guarantee.Check(guarantee.Run{Report: rep}, catalog.Views(s)...) {
		verdicts[v.Name] = v
	}
	require.Equal(t, guarantee.NotClaimed, verdicts[calm].Value)
	require.Equal(t, guarantee.Held, verdicts[beside].Value, verdicts[beside])
	require.Contains(t, verdicts[beside].Evidence, "1 view in which all members go on")
	for rank := range 3 {
		installed := s.Records()[rank].Installed
		require.False(t, installed[len(installed)-1].GoesOn, "rank %d aborted", rank)
		installed[len(installed)-1].GoesOn = true
		want := map[string]string{}
		if rank == 2 {
			want[beside] = "all members of 3-6 (4 members, 3 changes) go on, and all of 0-2 (3 members, 4 changes)"
		}
		require.Equal(t, want, brokenViews(s, rep), "all but the last of them may not have found out yet")
	}
	s.Records()[5].Founded = 1
	require.Empty(t, brokenViews(s, rep), "whoever begins a group of its own asks nobody")
}

// A view is stable only when the last of its live members has it.
func TestStableViewsAreThoseOfAllTheirMembers(t *testing.T) {
	s, rep := serve(t, nil, "crash:4@t10")
	root := &s.Records()[0]
	require.Len(t, root.Led, 1)
	root.Led[0].At = s.Records()[6].Installed[0].At - 1
	require.Contains(t, brokenViews(s, rep)[stable], "has not installed 0-3+5-6 (6 members, 1 change) when its root 0 takes it for stable")
	root.Led[0].Stable = false
	require.Empty(t, brokenViews(s, rep))
}

// A disagreement between two changes is seen, though all agree in the end.
func TestAgreementIsJudgedAfterEachUnrest(t *testing.T) {
	s, rep := serve(t, nil, "crash:4@t10,crash:5@t4000")
	require.Empty(t, brokenViews(s, rep))
	s.Records()[2].Installed[0].At = 3900
	require.Contains(t, brokenViews(s, rep)[agree], "rank 2 has rank 4 in its view: 0-6 (7 members, 0 changes), at t=")
}

// What comes after the end of the service, or so late that there is no time for it, breaks nothing.
func TestNothingIsBrokenByWhatComesTooLate(t *testing.T) {
	for _, fault := range []string{"cut:0|*@", "cut:0-2|3-6@", "crash:4@", "hang:0@", "crash:4@t10,rejoin:4@", "crash:0@recv9,rejoin:0@"} {
		for _, at := range []string{"t8999", "t9000", "t9001", "t9002", "t9003", "t9004", "t9500"} {
			for _, abort := range []bool{false, true} {
				s, rep := serve(t, func(o *membership.Options) { o.Abort = abort }, fault+at)
				require.Empty(t, brokenViews(s, rep), fault+at)
			}
		}
	}
}
