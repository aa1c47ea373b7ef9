package emutest

import (
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Test is a protocol, what it promises, and which failures it must survive.
type Test struct {
	Machine clock.LogP
	// Network says how long messages are under way. Nil: Machine's latency, for all pairs.
	Network clock.Network
	// Disk is how long operations of stable storage take. The zero Disk takes no time.
	Disk clock.Disk
	// Detection is how the machine detects failures, if the protocol needs that.
	Detection emu.Detection
	// Seed is that of the ranks' random streams and of random schedules; 0 is a seed like any other. Random schedules have a seed each, unless
	// the test is Exact.
	Seed uint64
	// Unordered lets messages between two ranks overtake each other if one is late, as datagrams do. Otherwise those behind it wait,
	// as with TCP and MPI.
	Unordered bool

	// Program is the protocol, if its ranks leave no results to check.
	Program protocols.Program
	// New makes the protocol together with the memory for its results. It is called once
	// for each processor. A test has either Program or New.
	New func() Instance

	// Guarantees are what the protocol promises, besides what the instances check.
	Guarantees []guarantee.Guarantee
	// Roots are the ranks that begin. Many guarantees promise less if one of them fails.
	Roots []int
	// Events has the events of every run recorded for checks that look at them. Guarantees
	// that need events see to it themselves. It makes a test about three times as slow.
	Events bool

	// Given happens in every run, and what is explored is added to it: the failures that a program is about, or ranks that come back whoever
	// fails, such as rejoin:0@t900,rejoin:1@t900. It counts for none of the Faults. Schedules have none of it, and random ones cannot have it.
	Given faults.Schedule
	// Schedules are run in any case, such as those that an earlier search has found, with Seed and with each of the Seeds.
	Schedules []faults.Schedule
	Seeds     []uint64
	// Exact keeps to one timing: no message is late and no rank is slowed down, unless Kinds says so, and all runs have the same seed. What a
	// protocol promises on real networks is more than that.
	Exact bool
	// NoFailures lets nobody fail: only timing and seeds vary.
	NoFailures bool
	// Faults is up to how many faults every schedule is run.
	Faults int
	// Random is how many random schedules are run after that: at least so many, unless it is 0. Where timing varies there is one for each eight that
	// Faults comes to, for these have one timing.
	Random int
	// RandomFaults is how many faults these have at most. 0: as many as Faults, at least 1, or 2 if ranks come back.
	RandomFaults int
	// Kinds are the faults that happen, besides what Rejoins and Cuts add. Nil: crashes, hangs, slow-downs and late messages.
	// All but crashes, hangs and single late messages happen in random schedules only.
	Kinds []faults.Kind
	// Rejoins lets each rank that has failed come back so many ticks after it, or not. Its
	// program begins again (protocols.LifeOf says how often); results that it had left are
	// still there. A rejoin counts as one of the Faults.
	Rejoins []clock.Time
	// Cuts lets ranks be cut off from all others at these instants: each of the CutSets, or if
	// there are none, each rank that is not spared. A cut counts as one of the Faults.
	Cuts    []clock.Time
	CutSets []faults.Group
	// Spare are the ranks that never fail, except in Schedules.
	Spare []int
	// OnePerClass runs only one of those schedules that are the same to the ranks that live
	// on: all points of a rank between two of its sends. That takes a fraction of the time,
	// and misses what a rank has done wrong just before it failed.
	OnePerClass bool

	// TimeLimit is when a run must be over, in ticks; a rank that goes on after it breaks a
	// promise. 0: as long as 10,000 messages take one after the other, and as many operations of storage.
	TimeLimit clock.Time
}

// Instance is a protocol that is run again and again, never twice at the same time.
type Instance struct {
	Program protocols.Program
	// Prepare is called before each run, to forget the last one. Optional.
	Prepare func()
	// Check looks at what the ranks have left behind, failed ones included, and says what is
	// wrong with it. It must return an error rather than call t.FailNow or require, which
	// know nothing of the schedule. It must not keep the report. Optional.
	Check func(*report.Report) error
	// Guarantees are for several checks with names of their own: see guarantee.Func.
	Guarantees []guarantee.Guarantee
}

// defaultLimit is how many messages, one after the other, fit into the time limit.
const defaultLimit = 10_000

// withDefaults fills in what the user left out, and makes New the only way to an instance.
func (test Test) withDefaults() Test {
	if test.New == nil {
		program := test.Program
		test.New = func() Instance { return Instance{Program: program} }
	}
	if test.RandomFaults == 0 {
		test.RandomFaults = max(1, test.Faults)
		if len(test.Rejoins) > 0 {
			test.RandomFaults = max(2, test.Faults) // one that fails, and comes back
		}
	}
	if test.TimeLimit == 0 {
		test.TimeLimit = (test.delivery() + test.Disk.Write + test.Disk.Sync + test.Disk.Read).Times(defaultLimit)
	}
	if len(test.Kinds) == 0 {
		test.Kinds = test.usualKinds()
	}
	test.Kinds = test.withRejoinsAndCuts(test.Kinds)
	return test
}

// config is the machine, which records nothing yet.
func (test *Test) config() emu.Config {
	return emu.Config{LogP: test.Machine, Network: test.Network, Disk: test.Disk, Detection: test.Detection, Unordered: test.Unordered}
}

// delivery is how long a message takes on the longest way, if nothing holds it up.
func (test *Test) delivery() clock.Time {
	machine := test.Machine
	switch n := test.Network.(type) {
	case nil:
	case clock.Bounded:
		machine.Latency = n.MaxLatency()
	default:
		machine.Latency = n.MinLatency()
	}
	return machine.Delivery()
}
