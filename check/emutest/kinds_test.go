package emutest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
)

// A crash is simpler than a slow rank, and no explanation where nobody fails.
func TestNobodyFailsInTheSmallestScheduleOfATestWithoutFailures(t *testing.T) {
	quick := guarantee.Func("is over soon", false, func(run guarantee.Run) (bool, string) {
		return len(run.Report.Faults) == 0 || run.Report.Faults[0].Kind == faults.Late, run.Report.Faults.String()
	})
	for name, test := range map[string]emutest.Test{
		"no failures": {NoFailures: true},
		"only slow":   {Kinds: []faults.Kind{faults.Slow}},
	} {
		test.Machine, test.Program, test.Guarantees, test.Random = machine(3), ring(1), []guarantee.Guarantee{quick}, 500
		f := run(t, test)
		require.Contains(t, f.all(), "faults: slow:0x2@t0 (the smallest found", name)
	}
}
