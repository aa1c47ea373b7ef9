package statemachine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
	"github.com/mangrove-emu/mangrove/report"
)

// runOn runs a program on so many ranks, and has what happened in the report.
func runOn(t *testing.T, ranks int, schedule string, main func(protocols.Proc)) *report.Report {
	t.Helper()
	machine, err := emu.New(emu.Config{
		LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Disk: clock.Disk{Write: 1, Sync: 5}, Trace: emu.TraceEvents,
	})
	require.NoError(t, err)
	rep, err := machine.Run(t.Context(), protocols.Program{Main: main}, emu.Options{Faults: faults.MustParse(schedule), Seed: 7})
	require.NoError(t, err)
	return rep
}

// What is sent has been made safe before, and what is not needed any more goes last.
func TestNobodyHearsOfWhatIsNotSafe(t *testing.T) {
	rep := runOn(t, 1, "none", func(p protocols.Proc) {
		m := newTally(p)
		m.ticks = 1
		statemachine.Run(p, m, statemachine.Options{Every: 10})
	})
	var order []string
	for _, e := range rep.Events {
		switch e.Kind {
		case report.EventWrite, report.EventSync, report.EventSend, report.EventDelete:
			order = append(order, fmt.Sprint(e.Time, " ", e.Kind, " ", e.Step))
		}
	}
	require.Equal(t, []string{"10 write own", "11 write at1", "12 sync ", "17 send ", "18 delete at0"}, order)
}

// A machine takes ticks and messages until time is up, and does not wait longer than that.
func TestRunEndsOnTime(t *testing.T) {
	counts := make([]int, 3)
	rep := runOn(t, 3, "none", func(p protocols.Proc) {
		m := newTally(p)
		statemachine.Run(p, m, statemachine.Options{Every: 20, Until: 95})
		counts[p.Rank()] = m.counts[p.Rank()]
		require.Equal(t, clock.Time(95), p.Now())
		require.Equal(t, m.counts[p.Rank()], m.counts[(p.Rank()+2)%3], "what the rank before has told")
	})
	require.Equal(t, []int{4, 4, 4}, counts)
	require.Empty(t, rep.Deadlocks)
}

// Without ticks and without an end a machine is a server: it has finished when nothing can happen any more.
func TestAMachineWithoutTicksIsAServer(t *testing.T) {
	rep := runOn(t, 2, "none", func(p protocols.Proc) {
		if p.Rank() == 1 {
			p.WaitUntil(50)
			p.Send(0, mailbox.Message{Kind: 1, Payload: "\x02\x03"})
			return
		}
		m := newTally(p)
		defer func() { require.Equal(t, []int{2, 3}, m.counts) }()
		statemachine.Run(p, m, statemachine.Options{})
	})
	require.Empty(t, rep.Deadlocks)
	require.Equal(t, report.Finished, rep.ResultOf(0).Outcome)
}

// Messages that are not for the machine stay in the mailbox.
func TestAMachineTakesOnlyItsMessages(t *testing.T) {
	runOn(t, 2, "none", func(p protocols.Proc) {
		if p.Rank() == 1 {
			p.Send(0, mailbox.Message{Kind: 9, Payload: "for somebody else"})
			p.Send(0, mailbox.Message{Kind: 1, Payload: "\x00\x05"})
			return
		}
		m := newTally(p)
		statemachine.Run(p, m, statemachine.Options{Want: mailbox.OfKind(1), Until: 30})
		require.Equal(t, []int{0, 5}, m.counts)
		_, other, there := p.Poll(mailbox.Any)
		require.True(t, there)
		require.Equal(t, "for somebody else", other.Payload)
	})
}

// The first instant at which time can be up is 1: 0 stands for no end.
func TestTimeIsUpAtOnce(t *testing.T) {
	runOn(t, 1, "none", func(p protocols.Proc) {
		p.WaitUntil(1)
		statemachine.Run(p, newTally(p), statemachine.Options{Every: 20, Until: 1})
		require.EqualValues(t, 1, p.Now())
	})
}

// A rank so slow that ticks are always due ends on time, and hears what others tell it.
func TestASlowRankTakesMessages(t *testing.T) {
	runOn(t, 2, "slow:0x20@t0", func(p protocols.Proc) {
		m := newTally(p)
		statemachine.Run(p, m, statemachine.Options{Every: 20, Until: 1000})
		require.Less(t, p.Now(), clock.Time(1200))
		require.NotZero(t, m.counts[1-p.Rank()])
	})
}

// diskless is a rank of a machine that has no storage.
type diskless struct{ protocols.Proc }

func (diskless) Storage() protocols.Storage { return nil }

func TestRunSaysWhatIsWrong(t *testing.T) {
	runOn(t, 1, "none", func(p protocols.Proc) {
		require.PanicsWithValue(t, "statemachine: ticks of -1 until 0, want 0 or more for both", func() {
			statemachine.Run(p, newTally(p), statemachine.Options{Every: -1})
		})
		require.PanicsWithError(t, protocols.ErrNoStorage.Error(), func() {
			statemachine.Run(diskless{p}, newTally(diskless{p}), statemachine.Options{Every: 5, Until: 20})
		})
	})
}
