package search

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// wary is a program whose ranks send a message around a ring and do other things as soon as
// they know that another one has failed: at the start, or when they get a notice.
func wary(p protocols.Proc) {
	detector, err := protocols.DetectorOf(p)
	if err != nil {
		panic(err)
	}
	for i := 1; i < p.Size(); i++ {
		other := (p.Rank() + i) % p.Size()
		if detector.Suspects(other) {
			p.Step("suspect")
		}
		detector.Watch(other)
	}
	p.Send((p.Rank()+1)%p.Size(), mailbox.Message{})
	for {
		from, m, ok := p.RecvUntil(mailbox.Any, 20)
		switch {
		case !ok:
			return
		case m.Kind == protocols.Failed:
			p.Step("notice")
			p.Send((from+1)%p.Size(), mailbox.Message{A: int64(p.Now())})
		case p.Now()%2 == 0:
			p.Step("even")
		}
	}
}

// With a failure detector, too, an exploration runs every pair of faults that can happen, each
// of them once. What can happen is found by trying all points of each rank, in the run without
// faults and in those with one fault of another rank.
func TestNoPairOfDetectedFaultsIsMissedOrRunTwice(t *testing.T) {
	for _, hangs := range []bool{false, true} {
		s := subject(3, protocols.Program{Main: wary}, nil)
		s.Machine.LogP = clock.LogP{Ranks: 3, Latency: 1, Overhead: 2}
		s.Machine.Detection = emu.Detection{Delay: 6, Hangs: hangs}
		ran := &diary{}
		s.NewTrial = withJudge(s, ran.judge)
		explore(t, s, ExploreOptions{Faults: 2})

		want := allPairs(t, s)
		require.Greater(t, len(want), 500)
		var pairs []string
		for _, text := range ran.schedules {
			if schedule := faults.MustParse(text); len(schedule) == 2 {
				pairs = append(pairs, inOrder(schedule))
			}
		}
		slices.Sort(pairs)
		require.Equal(t, want, pairs)
	}
}

// allPairs lists the pairs of faults that both happen.
func allPairs(t *testing.T, s *Subject) []string {
	t.Helper()
	machine, err := emu.New(emu.Config{LogP: s.Machine.LogP, Detection: s.Machine.Detection, Trace: emu.TraceEvents, Workers: 1})
	require.NoError(t, err)
	run := func(schedule ...faults.Fault) *report.Report {
		rep, err := machine.Run(t.Context(), s.mustTrial(t).Program, emu.Options{Faults: schedule})
		require.NoError(t, err)
		return rep
	}
	var all []string
	calm := run()
	for one := range s.Machine.Ranks {
		for _, first := range faultsOf(calm, one) {
			after := run(first)
			for two := range s.Machine.Ranks {
				if two == one {
					continue
				}
				for _, second := range faultsOf(after, two) {
					if len(run(first, second).Unfired) == 0 {
						all = append(all, inOrder(faults.Schedule{first, second}))
					}
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all) // most are found in both orders
}

// faultsOf lists all crashes and hangs of a rank in a run.
func faultsOf(rep *report.Report, rank int) (all []faults.Fault) {
	for _, at := range pointsOf(rep, rank) {
		for _, kind := range []faults.Kind{faults.Crash, faults.Hang} {
			all = append(all, faults.Fault{Kind: kind, Rank: rank, At: at})
		}
	}
	return all
}

// inOrder writes a schedule in one way only.
func inOrder(s faults.Schedule) string {
	s = slices.SortedFunc(slices.Values(s), func(a, b faults.Fault) int { return a.Rank - b.Rank })
	return s.String()
}
