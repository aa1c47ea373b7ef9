//go:build bug

package kv

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

func TestLinearizable(t *testing.T) {
	for _, bug := range []struct {
		name  string
		bugs  bugs
		kinds []faults.Kind
	}{
		{"the leader reads alone", bugs{readsAlone: true}, cuts},
		{"no sessions", bugs{noSessions: true}, []faults.Kind{faults.Lose}},
	} {
		t.Run(bug.name, func(t *testing.T) {
			plan := plan
			plan.bugs = bug.bugs
			emutest.Run(t, emutest.Test{
				Machine: machine, Disk: disk, New: instances(plan, new(tally)),
				Random: *schedules, RandomFaults: 5, Kinds: bug.kinds,
			})
		})
	}
}

// What a page shows of a stale read is that read, and the write that it should have seen. Rank 0 leads until it is cut off, together with a client.
func TestStaleReadsAreMarked(t *testing.T) {
	plan := plan
	plan.bugs = bugs{readsAlone: true}
	test := emutest.Test{Machine: machine, Disk: disk, New: instances(plan, new(tally)), Exact: true}
	for at := clock.Time(60); at < 300; at += 3 {
		test.Schedules = append(test.Schedules, faults.MustParse(fmt.Sprintf("cut:0+4|*@t%d", at)))
	}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.NotEmpty(t, result.Violations)
	for _, v := range result.Violations {
		var guilty []guarantee.Mark
		for _, mark := range v.Broken[0].Marks {
			if mark.Guilty {
				guilty = append(guilty, mark)
			}
		}
		require.Len(t, guilty, 1, "%v", v)
		require.Equal(t, 4, guilty[0].Rank)
		require.True(t, strings.HasPrefix(guilty[0].Text, "get "), guilty[0].Text)
		require.Greater(t, len(v.Broken[0].Marks), 1)
	}
}
