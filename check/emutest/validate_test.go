package emutest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
)

func TestBadTestsAreRefusedWithValueAndRange(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*emutest.Test)
		want   string
	}{
		"machine":       {func(x *emutest.Test) { x.Machine.Latency = 0 }, "Machine: clock: latency L = 0 ticks, want 1 to"},
		"disk":          {func(x *emutest.Test) { x.Disk.Sync = -1 }, "Disk: clock: sync = -1 ticks, want 0 to 1099511627776"},
		"faults":        {func(x *emutest.Test) { x.Faults = -1 }, "Faults = -1, want 0 to 4 (as many as ranks that are not spared)"},
		"many faults":   {func(x *emutest.Test) { x.Faults = 5 }, "Faults = 5, want 0 to 4"},
		"random faults": {func(x *emutest.Test) { x.RandomFaults = 6 }, "RandomFaults = 6, want 0 to 4"},
		"random":        {func(x *emutest.Test) { x.Random = -20 }, "Random = -20, want 0 to 1099511627776 (schedules)"},
		"time limit":    {func(x *emutest.Test) { x.TimeLimit = -3 }, "TimeLimit = -3, want 0 to 1152921504606846976 (ticks)"},
		"root":          {func(x *emutest.Test) { x.Roots = []int{1, 5} }, "Roots: rank 5, want 0 to 4"},
		"spare":         {func(x *emutest.Test) { x.Spare = []int{-1} }, "Spare: rank -1, want 0 to 4"},
		"all spared":    {func(x *emutest.Test) { x.Spare, x.Faults, x.Random = []int{0, 1, 2, 3, 4, 4}, 0, 9 }, "Random = 9 schedules, want 0 if all ranks are spared"},
		"kind":          {func(x *emutest.Test) { x.Kinds = []faults.Kind{99} }, "Kinds: kind(99), want crash, hang, slow, rejoin, cut, mend, late, lose or twice"},
		"slow only":     {func(x *emutest.Test) { x.Kinds = []faults.Kind{faults.Slow} }, "Faults = 1 with neither crashes nor hangs, want 0"},
		"schedule":      {func(x *emutest.Test) { x.Schedules = []faults.Schedule{faults.MustParse("hang:9@t3")} }, "Schedules: faults: hang:9@t3: rank 9, want 0 to 4"},
		"drawn":         {func(x *emutest.Test) { x.Schedules = []faults.Schedule{faults.MustParse("hang:~2")} }, "Schedules: hang:~2@t0 draws ranks at random"},
		"no program":    {func(x *emutest.Test) { x.Program = protocols.Program{} }, "neither Program nor New, want one of them"},
		"both":          {func(x *emutest.Test) { x.New = func() emutest.Instance { return emutest.Instance{} } }, "both Program and New, want one of them"},
		"no main": {func(x *emutest.Test) {
			x.Program, x.New = protocols.Program{}, func() emutest.Instance { return emutest.Instance{} }
		}, "New makes an instance whose program has no Main"},
		"initiator":  {func(x *emutest.Test) { x.Program.Initiators = []int{8} }, "Initiators: rank 8, want 0 to 4"},
		"no promise": {func(x *emutest.Test) { x.Guarantees = nil }, "nothing is promised, want Guarantees or a Check"},
		"several": {func(x *emutest.Test) { x.Guarantees, x.Random, x.Faults = nil, -1, -2 },
			"emutest: Faults = -2, want 0 to 4 (as many as ranks that are not spared); Random = -1, want 0 to 1099511627776 (schedules); nothing is promised, want Guarantees or a Check"},
	} {
		t.Run(name, func(t *testing.T) {
			test := ringTest(2, 1)
			require.NoError(t, test.Validate())
			c.change(&test)
			f := run(t, test)
			require.Empty(t, f.errors)
			require.Contains(t, f.fatal, c.want)
			require.Contains(t, f.fatal, "emutest: ")
		})
	}
}

func TestRanksSparedTwiceCountOnce(t *testing.T) {
	test := ringTest(2, 3)
	test.Spare = []int{1, 0, 1, 0}
	require.NoError(t, test.Validate())
}

func TestTimeLimitCanBeRaised(t *testing.T) {
	test := emutest.Test{
		Machine:    machine(2),
		Guarantees: []guarantee.Guarantee{guarantee.Termination{}},
		Program:    protocols.Program{Main: func(p protocols.Proc) { p.WaitUntil(50_000) }},
	}
	f := run(t, test)
	require.Contains(t, f.all(), "rank 0 panicked at t=50000: emutest: the program goes on after the time limit of 40000 ticks (see Test.TimeLimit)")
	test.TimeLimit = 50_000
	f = run(t, test)
	require.False(t, f.failed(), f.all())
}
