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
