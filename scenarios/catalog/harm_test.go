package catalog

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Verdicts turn at the same instant as ever: what a run has left is changed at random in one place, mostly in when something happened, by
// as little as a tick, and judged again. What is then told otherwise stays the same. Lines are added at the end, and -update tells the rest.
func TestVerdictsTurnWhereTheyDid(t *testing.T) {
	const file = "testdata/harmed.golden"
	var all strings.Builder
	for i, text := range linesOf(t, file) {
		fmt.Fprintln(&all, text)
		x := leaveAnything(t, text)
		before := x.run.Judge(x.rep).Guarantees
		for n := range uint64(16) {
			if told := x.harm(before, splitmix.At(uint64(i), n+1)); told != "" {
				fmt.Fprintf(&all, "\t%s\n", told)
			}
		}
	}
	requireGolden(t, file, all.String())
}

// harmable is what a run has left, and when something happened in it.
type harmable struct {
	leavings
	times []clock.Time
}

// leaveAnything is leave for lines that need not keep their promises. Few promises of members look at events, and these are many.
func leaveAnything(t *testing.T, line string) *harmable {
	run := mustParse(t, line)
	outcome, err := run.Execute(t.Context(), scenarios.Options{Trace: emu.TraceEvents})
	require.NoError(t, err)
	x := &harmable{leavings: leavings{t: t, run: run, whole: *outcome.Report}}
	for _, e := range x.whole.Events {
		x.times = append(x.times, e.Time)
	}
	if run.Protocol().Name == membershipProtocol.Name {
		x.whole.Events = nil
	}
	x.states = saved(t, run, len(x.whole.Ranks))
	x.restore()
	return x
}

// dice are numbers that look random.
type dice struct{ seed, n uint64 }

// below is a number from 0 to n-1.
func (d *dice) below(n int) int {
	d.n++
	return int(splitmix.At(d.seed, d.n) % uint64(n))
}

// harm changes something, and says what is told otherwise because of it; "" if nothing is.
func (x *harmable) harm(before []guarantee.Verdict, seed uint64) string {
	x.restore()
	x.rep.Failed, x.rep.Rejoined = slices.Clone(x.rep.Failed), slices.Clone(x.rep.Rejoined)
	d := &dice{seed: seed}
	what := ""
	if m, ok := x.run.Experiment().State.(membershipDetails); ok && d.below(4) > 0 {
		what = harmRecords(m.service, x.rep, d)
	} else {
		what = x.harmReport(d)
	}
	var told []string
	for i, v := range x.run.Judge(x.rep).Guarantees {
		if !reflect.DeepEqual(v, before[i]) && v.Name != (guarantee.Integrity{}).Name() { // which is about the order of events
			told = append(told, v.String())
		}
	}
	if told == nil {
		return ""
	}
	return what + ": " + strings.Join(told, "; ")
}

// harmReport has something happen at another time, or otherwise.
func (x *harmable) harmReport(d *dice) string {
	rep := x.rep
	at := max(0, x.times[d.below(len(x.times))]+clock.Time(d.below(3)-1))
	rank := d.below(len(rep.Ranks))
	switch r := &rep.Ranks[rank]; d.below(6) {
	case 0:
		r.Exit = at
		return fmt.Sprintf("rank %d returns at t=%d", rank, at)
	case 1:
		r.Coloured = at
		return fmt.Sprintf("rank %d coloured at t=%d", rank, at)
	case 2:
		if len(rep.Rejoined) == 0 {
			return ""
		}
		rep.Rejoined[0].Time = at
		return fmt.Sprintf("rank %d comes back at t=%d", rep.Rejoined[0].Rank, at)
	}
	if len(rep.Failed) == 0 {
		return ""
	}
	f := &rep.Failed[d.below(len(rep.Failed))]
	f.Time = at
	f.Outcome = []report.Outcome{report.Crashed, report.Hung}[d.below(2)]
	rep.Ranks[f.Rank].Outcome = f.Outcome
	for i := range rep.Events {
		if e := &rep.Events[i]; e.Rank == f.Rank && (e.Kind == report.EventCrash || e.Kind == report.EventHang) {
			e.Time, e.Kind = at, map[report.Outcome]report.EventKind{report.Crashed: report.EventCrash, report.Hung: report.EventHang}[f.Outcome]
		}
	}
	return f.String()
}

// harmRecords changes what a member has noted, mostly to about when all is calm.
func harmRecords(s *membership.Service, rep *report.Report, d *dice) string {
	instants := []clock.Time{s.Options().Until}
	groups, _ := partitions(rep, s)
	for _, p := range groups {
		for i, c := range p.outcomes(s) {
			if instants = append(instants, c.at); i < len(p.unrest) {
				instants = append(instants, p.unrest[i].From)
			}
		}
	}
	at := max(0, instants[d.below(len(instants))]+clock.Time(d.below(3)-1))
	rank := d.below(len(s.Records()))
	r, other := &s.Records()[rank], &s.Records()[d.below(len(s.Records()))]
	if len(r.Stays) == 0 || len(r.Installed) == 0 || len(other.Installed) == 0 {
		return ""
	}
	stay, view := &r.Stays[d.below(len(r.Stays))], &r.Installed[d.below(len(r.Installed))]
	switch d.below(12) {
	case 0, 1:
		view.At = at
		return fmt.Sprintf("rank %d installs a view at t=%d", rank, at)
	case 2:
		stay.To = at
		return fmt.Sprintf("rank %d leaves at t=%d", rank, at)
	case 3:
		stay.From = at
		return fmt.Sprintf("rank %d enters at t=%d", rank, at)
	case 4:
		r.View = other.View
		return fmt.Sprintf("rank %d has the view of another", rank)
	case 5:
		r.Member = !r.Member
		return fmt.Sprintf("rank %d member: %v", rank, r.Member)
	case 6:
		r.Aborted, stay.To = !r.Aborted, at
		return fmt.Sprintf("rank %d aborted: %v, at t=%d", rank, r.Aborted, at)
	case 7:
		view.GoesOn = !view.GoesOn
		return fmt.Sprintf("rank %d goes on in a view: %v", rank, view.GoesOn)
	case 8:
		*view = other.Installed[d.below(len(other.Installed))]
		return fmt.Sprintf("rank %d installs the view of another", rank)
	case 9:
		view.Term++
		return fmt.Sprintf("rank %d installs a view in another term", rank)
	case 10:
		r.Excluded, r.Founded = 1, d.below(2)
		return fmt.Sprintf("rank %d excluded, founded %d", rank, r.Founded)
	}
	for root := range s.Records() {
		if led := s.Records()[root].Led; len(led) > 0 {
			last := &led[d.below(len(led))]
			last.At, last.Stable = view.At+clock.Time(d.below(3)-1), true
			return fmt.Sprintf("root %d takes a view for stable at t=%d", root, last.At)
		}
	}
	return ""
}
