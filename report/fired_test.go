package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

func TestFiredAreThoseThatAreNotUnfired(t *testing.T) {
	for _, c := range []struct{ faults, unfired, want string }{
		{"none", "none", "none"},
		{"crash:1@t3,slow:2x3@send1,cut:1|*@t9", "none", "crash:1@t3,slow:2x3@send1,cut:1|*@t9"},
		{"crash:1@t3,slow:2x3@send1,cut:1|*@t9", "crash:1@t3,cut:1|*@t9", "slow:2x3@send1"},
		{"crash:1@t3,slow:2x3@send1,cut:1|*@t9", "slow:2x3@send1", "crash:1@t3,cut:1|*@t9"},
		{"crash:1@t3", "crash:1@t3", "none"},
	} {
		rep := report.Report{Faults: faults.MustParse(c.faults), Unfired: faults.MustParse(c.unfired)}
		var fired faults.Schedule
		for f := range rep.Fired() {
			fired = append(fired, *f)
		}
		require.Equal(t, c.want, fired.String(), c)
		for f := range rep.Fired() {
			require.Equal(t, fired[0], *f, "the first one, and then no more")
			break
		}
	}
}
