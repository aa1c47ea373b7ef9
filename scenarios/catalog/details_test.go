package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Long lists are cut short, and say so: eight views, sixteen instants, eight ranks that wait, eight ranges of members.
func TestLongListsAreCutShort(t *testing.T) {
	for n, want := range map[int]string{7: "", 8: "", 9: "and 1 others", 12: "and 4 others"} {
		details := membershipWith(t, func(rank int, r *membership.Record) {
			r.Member, r.View = true, membership.Changes("").With(rank%n, 1)
		})
		views := details[:len(details)-1]
		if want != "" {
			require.Equal(t, scenarios.Detail{Name: "view", Text: want}, views[len(views)-1])
			views = views[:len(views)-1]
		}
		require.Len(t, views, min(n, 8), "%v", details)
	}
	for n, want := range map[int]string{1: "", 15: "", 16: "", 17: ", others until t=16", 30: ", others until t=29"} {
		details := membershipWith(t, func(rank int, r *membership.Record) {
			r.Member, r.Aborted = false, true
			r.Stays = []membership.Stay{{To: 1}, {To: clock.Time(rank % n)}}
		})
		require.Equal(t, "aborted", details[0].Name)
		require.Equal(t, min(n, 16), strings.Count(details[0].Text, " at t="), details[0].Text)
		_, last, _ := strings.Cut(details[0].Text, fmt.Sprintf(" at t=%d", min(n, 16)-1))
		require.Equal(t, want, last)
	}
	waiting := func(ranks int) (n int) {
		for _, d := range mustExecute(t, fmt.Sprintf("collective P=%d op=allgather strategy=plain faults=hang:0@t0", ranks), scenarios.Options{}).Details {
			if strings.HasPrefix(d.Name, "rank ") {
				n++
			}
		}
		return n
	}
	require.Equal(t, []int{7, 8, 8}, []int{waiting(8), waiting(9), waiting(12)})
	m := mustParse(t, "membership P=40").Experiment().State.(membershipDetails)
	for n, want := range map[int]string{
		7: "0+2+4+6+8+10+12+14-39 (33 members, 7 changes)",
		8: "0+2+4+6+...+10+12+14+16-39 (32 members, 8 changes)",
	} {
		var gone membership.Changes
		for i := range n {
			gone = gone.With(2*i+1, 1)
		}
		require.Equal(t, want, describe(m.service, gone))
	}
}

// membershipWith are the details of a service whose records are made up.
func membershipWith(t *testing.T, change func(rank int, r *membership.Record)) []scenarios.Detail {
	run := mustParse(t, "membership P=36")
	run.Prepare()
	m := run.Experiment().State.(membershipDetails)
	for rank := range m.service.Records() {
		change(rank, &m.service.Records()[rank])
	}
	return m.all(&report.Report{Ranks: make([]report.RankResult, 36)})
}

// Processes do not record what messages have waited for, and what failed ranks had noted is lost with them: neither is told as if it was nothing.
func TestMembershipOnProcessesTellsOnlyWhatIsKnown(t *testing.T) {
	const line = "membership P=8 faults=crash:5@t20,crash:0@t600"
	run := mustParse(t, line)
	outcome, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	names := func(details []scenarios.Detail) (all []string) {
		for _, d := range details {
			all = append(all, d.Name)
		}
		return all
	}
	require.Equal(t, []string{"view", "changes", "T_s", "base", "of T_s", "of T_s", "of T_s"}, names(outcome.Details))
	require.Equal(t, "2 view changes led to the end, 2 of them stable", outcome.Details[1].Text)

	m := run.Experiment().State.(membershipDetails)
	rep := *outcome.Report
	rep.Processes = true
	for _, f := range rep.Failed {
		m.service.Records()[f.Rank] = membership.Record{}
	}
	details := m.all(&rep)
	require.Equal(t, []string{"view", "changes", "T_s", "base"}, names(details))
	require.Equal(t, "1 view change led to the end, 1 of them stable; those that failed ranks have led are not known", details[1].Text)
	require.Equal(t, outcome.Details[2:4], details[2:], "it was led by a rank that lives")

	m.service.Reset()
	require.Equal(t, "no view change was completed; those that failed ranks have led are not known", m.all(&rep)[1].Text, "after those without a view")
	rep.Failed = nil
	require.Equal(t, "no view change was completed", m.all(&rep)[1].Text)
}
