package emutest_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
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

// Whoever names kinds and says when ranks come back means both.
func TestRejoinsAndCutsAddToTheKinds(t *testing.T) {
	var lives, cuts atomic.Int64
	main := ring(1).Main
	f := run(t, emutest.Test{
		Machine: machine(3),
		Program: protocols.Program{Main: func(p protocols.Proc) {
			if p.Life() > 0 {
				lives.Add(1)
			}
			main(p)
		}},
		Guarantees: []guarantee.Guarantee{guarantee.Func("none", false, func(run guarantee.Run) (bool, string) {
			if run.Report.Faults.Has(faults.Cut) {
				cuts.Add(1)
			}
			return true, "nothing is promised"
		})},
		Kinds: []faults.Kind{faults.Crash}, Rejoins: []clock.Time{3}, Cuts: []clock.Time{2}, Random: 200,
	})
	require.False(t, f.Failed(), f.all())
	require.Positive(t, lives.Load())
	require.Positive(t, cuts.Load())
}
