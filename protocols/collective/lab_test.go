package collective_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/report"
)

// lab runs one program again and again on one machine.
type lab struct {
	machine  *emu.Machine
	instance emutest.Instance
	report   report.Report
	runs     int
	fired    map[faults.Point]int // how often a fault took effect, by where it was
}

// newLab makes a machine for an operation, which is called so many times.
func newLab(t testing.TB, ranks int, c call, options collective.Options, times int) *lab {
	return labOf(t, emu.Config{
		LogP:      clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1},
		Detection: emu.Detection{Delay: 4, Hangs: true},
	}, c.instance(ranks, options, times))
}

func labOf(t testing.TB, config emu.Config, instance emutest.Instance) *lab {
	config.Workers = 1
	machine, err := emu.New(config)
	require.NoError(t, err)
	machine.Keep()
	t.Cleanup(func() { require.NoError(t, machine.Close()) })
	return &lab{machine: machine, instance: instance, fired: make(map[faults.Point]int)}
}

// try runs the program with these faults and says what is wrong.
func (l *lab) try(t testing.TB, schedule faults.Schedule) error {
	if l.instance.Prepare != nil {
		l.instance.Prepare()
	}
	if err := l.machine.RunInto(t.Context(), l.instance.Program, emu.Options{Faults: schedule}, &l.report); err != nil {
		return err
	}
	l.count(schedule)
	if len(l.report.Deadlocks) > 0 {
		return fmt.Errorf("%v", l.report.Deadlocks[0])
	}
	if l.instance.Check == nil {
		return nil
	}
	return l.instance.Check(&l.report)
}

func (l *lab) count(schedule faults.Schedule) {
	l.runs++
	for _, f := range schedule {
		l.fired[f.At]++
	}
	for _, f := range l.report.Unfired {
		l.fired[f.At]--
	}
}

// must fails the test if anything is wrong, with the schedule.
func (l *lab) must(t testing.TB, schedule faults.Schedule) {
	t.Helper()
	if err := l.try(t, schedule); err != nil {
		t.Fatalf("faults %v: %v", schedule, err)
	}
}

// crash lets a rank crash at a point.
func crash(rank int, at faults.Point) faults.Fault {
	return faults.Fault{Kind: faults.Crash, Rank: rank, At: at}
}
