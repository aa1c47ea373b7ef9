package emutest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
)

// Validate returns an error that lists everything wrong with the test, or nil. It makes an
// instance to look at.
func (test Test) Validate() error {
	var wrong problems
	if err := test.Machine.Validate(); err != nil {
		wrong.add("Machine: %v", err)
	} else { // the rest is measured by the number of ranks
		wrong.ranks("Roots", test.Roots, test.Machine.Ranks)
		wrong.ranks("Spare", test.Spare, test.Machine.Ranks)
		test.checkSchedules(&wrong)
		test.checkFaults(&wrong)
		if err := (emu.Config{LogP: test.Machine, Network: test.Network}).Validate(); err != nil {
			wrong.add("Network: %v", err)
		} else if err := (emu.Config{LogP: test.Machine, Network: test.Network, Detection: test.Detection}).Validate(); err != nil {
			wrong.add("Detection: %v", err)
		}
	}
	test.checkPromises(&wrong)
	return wrong.err()
}

// checkSchedules looks at the list of schedules.
func (test *Test) checkSchedules(wrong *problems) {
	for _, s := range test.Schedules {
		if !s.Explicit() {
			wrong.add("Schedules: %v draws ranks at random, want Schedule.Expand before", s)
		} else if err := s.Validate(test.Machine.Ranks); err != nil {
			wrong.add("Schedules: %v", err)
		}
	}
}

// checkFaults looks at how far the search goes.
func (test *Test) checkFaults(wrong *problems) {
	most, unit := test.mostFaults()
	wrong.within("Faults", int64(test.Faults), most, unit)
	wrong.within("RandomFaults", int64(test.RandomFaults), most, unit)
	wrong.within("Random", int64(test.Random), 1<<40, "schedules")
	wrong.within("TimeLimit", int64(test.TimeLimit), int64(clock.Forever), "ticks")
	if most == 0 && test.Random > 0 {
		wrong.add("Random = %d schedules, want 0 if all ranks are spared", test.Random)
	}
	for _, kind := range test.Kinds {
		if kind > faults.Cut {
			wrong.add("Kinds: %v, want crash, hang, slow, rejoin or cut", kind)
		}
	}
	if test.Faults > 0 && len(test.Kinds) > 0 && len(stopping(test.Kinds)) == 0 {
		wrong.add("Faults = %d with neither crashes nor hangs, want 0: other Kinds happen in random schedules only", test.Faults)
	}
	test.checkRejoinsAndCuts(wrong)
}

// checkPromises looks at the protocol, and whether it promises anything.
func (test *Test) checkPromises(wrong *problems) {
	hasProgram := test.Program.Main != nil
	switch {
	case hasProgram && test.New != nil:
		wrong.add("both Program and New, want one of them")
		return
	case !hasProgram && test.New == nil:
		wrong.add("neither Program nor New, want one of them")
		return
	}
	instance := Instance{Program: test.Program}
	if test.New != nil {
		instance = test.New()
	}
	if instance.Program.Main == nil {
		wrong.add("New makes an instance whose program has no Main")
	}
	wrong.ranks("Initiators", instance.Program.Initiators, test.Machine.Ranks)
	if len(test.Guarantees)+len(instance.Guarantees) == 0 && instance.Check == nil {
		wrong.add("nothing is promised, want Guarantees or a Check")
	}
}

// stopping are the kinds after which a rank does nothing more.
func stopping(kinds []faults.Kind) []faults.Kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(k faults.Kind) bool { return !k.Stops() })
}

// problems collects all that is wrong, for one error that lists it.
type problems []string

func (p *problems) add(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

// within notes a value that is not in 0 to most.
func (p *problems) within(name string, value, most int64, unit string) {
	if value < 0 || value > most {
		p.add("%s = %d, want 0 to %d (%s)", name, value, most, unit)
	}
}

// ranks notes ranks that do not exist.
func (p *problems) ranks(name string, ranks []int, size int) {
	for _, rank := range ranks {
		if rank < 0 || rank >= size {
			p.add("%s: rank %d, want 0 to %d", name, rank, size-1)
		}
	}
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return errors.New("emutest: " + strings.Join(p, "; "))
}
