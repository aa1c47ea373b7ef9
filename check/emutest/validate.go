package emutest

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Validate returns an error that lists everything wrong with the test, or nil. It makes an
// instance to look at.
func (test Test) Validate() error {
	var wrong problems.List
	if err := test.Machine.Validate(); err != nil {
		wrong.Add("Machine: %w", err)
	} else { // the rest is measured by the number of ranks
		checkRanks(&wrong, "Roots", test.Roots, test.Machine.Ranks)
		checkRanks(&wrong, "Spare", test.Spare, test.Machine.Ranks)
		test.checkSchedules(&wrong)
		test.checkFaults(&wrong)
		if err := test.Disk.Validate(); err != nil {
			wrong.Add("Disk: %w", err)
			test.Disk = clock.Disk{} // which is no problem of what comes now
		}
		if err := (emu.Config{LogP: test.Machine, Network: test.Network}).Validate(); err != nil {
			wrong.Add("Network: %w", err)
		} else if err := test.config().Validate(); err != nil {
			wrong.Add("Detection: %w", err)
		}
	}
	test.checkPromises(&wrong)
	return wrong.Err("emutest")
}

// checkSchedules looks at the list of schedules.
func (test *Test) checkSchedules(wrong *problems.List) {
	for _, s := range test.Schedules {
		checkSchedule(wrong, "Schedules", s, test.Machine.Ranks)
	}
	checkSchedule(wrong, "Given", test.Given, test.Machine.Ranks)
	if len(test.Given) > 0 && test.Random > 0 {
		wrong.Add("Given with Random = %d: random schedules do not have it, want Random 0", test.Random)
	}
}

func checkSchedule(wrong *problems.List, name string, s faults.Schedule, ranks int) {
	if !s.Explicit() {
		wrong.Add("%s: %v draws ranks at random, want Schedule.Expand before", name, s)
	} else if err := s.Validate(ranks); err != nil {
		wrong.Add("%s: %w", name, err)
	}
}

// checkFaults looks at how far the search goes.
func (test *Test) checkFaults(wrong *problems.List) {
	most, unit := test.mostFaults()
	checkUpTo(wrong, "Faults", int64(test.Faults), most, unit)
	checkUpTo(wrong, "RandomFaults", int64(test.RandomFaults), most, unit)
	checkUpTo(wrong, "Random", int64(test.Random), 1<<40, "schedules")
	checkUpTo(wrong, "TimeLimit", int64(test.TimeLimit), int64(clock.Forever), "ticks")
	if most == 0 && test.Random > 0 && !test.varies() {
		wrong.Add("Random = %d schedules, want 0 if all ranks are spared", test.Random)
	}
	for _, kind := range test.Kinds {
		wrong.Check(kind <= faults.Twice, "Kinds: %v, want crash, hang, slow, rejoin, cut, mend, late, lose or twice", kind)
	}
	if test.Faults > 0 && len(test.Kinds) > 0 && len(stopping(test.Kinds)) == 0 {
		wrong.Add("Faults = %d with neither crashes nor hangs, want 0: other Kinds happen in random schedules only", test.Faults)
	}
	test.checkTiming(wrong)
	test.checkRejoinsAndCuts(wrong)
}

// checkPromises looks at the protocol, and whether it promises anything.
func (test *Test) checkPromises(wrong *problems.List) {
	hasProgram := test.Program.Main != nil
	switch {
	case hasProgram && test.New != nil:
		wrong.Add("both Program and New, want one of them")
		return
	case !hasProgram && test.New == nil:
		wrong.Add("neither Program nor New, want one of them")
		return
	}
	instance := Instance{Program: test.Program}
	if test.New != nil {
		instance = test.New()
	}
	wrong.Check(instance.Program.Main != nil, "New makes an instance whose program has no Main")
	checkRanks(wrong, "Initiators", instance.Program.Initiators, test.Machine.Ranks)
	if len(test.Guarantees)+len(instance.Guarantees) == 0 && instance.Check == nil {
		wrong.Add("nothing is promised, want Guarantees or a Check")
	}
}

// stopping are the kinds after which a rank does nothing more.
func stopping(kinds []faults.Kind) []faults.Kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(k faults.Kind) bool { return !k.Stops() })
}

// checkUpTo notes a value that is not in 0 to most.
func checkUpTo(wrong *problems.List, name string, value, most int64, unit string) {
	wrong.Check(value >= 0 && value <= most, "%s = %d, want 0 to %d (%s)", name, value, most, unit)
}

// checkRanks notes ranks that do not exist.
func checkRanks(wrong *problems.List, name string, ranks []int, size int) {
	for _, rank := range ranks {
		wrong.Check(rank >= 0 && rank < size, "%s: rank %d, want 0 to %d", name, rank, size-1)
	}
}
