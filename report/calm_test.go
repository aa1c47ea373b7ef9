package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

func TestNobodyFailedCountsRanksThatCameBack(t *testing.T) {
	for name, c := range map[string]struct {
		rep          report.Report
		nobody, calm bool
	}{
		"nothing":          {report.Report{}, true, true},
		"a crash":          {report.Report{Faults: faults.MustParse("crash:1"), Failed: []report.Failure{{Rank: 1, Outcome: report.Crashed}}}, false, false},
		"one that is back": {report.Report{Faults: faults.MustParse("hang:1,rejoin:1@t9"), Rejoined: []report.Rejoin{{Rank: 1, Time: 9}}}, false, false},
		"a cut":            {report.Report{Faults: faults.MustParse("cut:0|1@t5")}, true, false},
		"a slow rank":      {report.Report{Faults: faults.MustParse("slow:1x3")}, true, false},
		"a late message":   {report.Report{Faults: faults.MustParse("late:0@send1+20")}, true, false},
		"what never was":   {report.Report{Faults: faults.MustParse("crash:1@send9,cut:0|1@t999"), Unfired: faults.MustParse("crash:1@send9,cut:0|1@t999")}, true, true},
		"one of two":       {report.Report{Faults: faults.MustParse("crash:1@send9,lose:0@send1"), Unfired: faults.MustParse("crash:1@send9")}, true, false},
		"jitter":           {report.Report{Jitter: clock.UniformJitter{Most: 5}}, true, false},
		"noise":            {report.Report{Noise: &clock.Noise{}}, true, false},
	} {
		require.Equal(t, c.nobody, c.rep.NobodyFailed(), name)
		require.Equal(t, c.calm, c.rep.Calm(), name)
	}
}
