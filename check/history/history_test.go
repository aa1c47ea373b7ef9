package history_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

var machine = clock.LogP{Ranks: 3, Latency: 2, Overhead: 1}

// Messages of a register that rank 0 keeps.
const (
	toWrite mailbox.Kind = iota
	toRead
	answer
)

// kept is a register at rank 0; the other ranks write their number and read twice. If they are hasty, they read 0 without asking.
func kept(h *history.History[request, int], hasty bool) protocols.Program {
	server := func(p protocols.Proc) {
		value := int64(0)
		for {
			from, m := p.Linger(mailbox.Any)
			if m.Kind == toWrite {
				value = m.A
			}
			p.Send(from, mailbox.Message{Kind: answer, A: value})
		}
	}
	client := func(p protocols.Proc) {
		own := p.Rank() + 10*p.Life()
		call := h.Invoke(p, request{"x", true, own})
		p.Send(0, mailbox.Message{Kind: toWrite, A: int64(own)})
		p.Recv(mailbox.OfKind(answer))
		call.Return(p, 0)
		for range 2 {
			call := h.Invoke(p, request{name: "x"})
			if hasty {
				call.Return(p, 0)
				continue
			}
			p.Send(0, mailbox.Message{Kind: toRead})
			_, m := p.Recv(mailbox.OfKind(answer))
			call.Return(p, int(m.A))
		}
	}
	return protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			server(p)
		}
		client(p)
	}}
}

// record runs a program on the emulator.
func record(t *testing.T, program protocols.Program, workers int, schedule string) *report.Report {
	t.Helper()
	m, err := emu.New(emu.Config{LogP: machine, Workers: workers})
	require.NoError(t, err)
	rep, err := m.Run(t.Context(), program, emu.Options{Faults: faults.MustParse(schedule)})
	require.NoError(t, err)
	return rep
}

func TestOperationsHaveTheTimesOfTheirRanks(t *testing.T) {
	h := history.New[request, int](machine.Ranks)
	record(t, kept(h, false), 1, "")
	all := h.Operations()
	require.Len(t, all, 6)
	first, last := all[0], all[5]
	require.Equal(t, []any{1, 0, 0, clock.Time(0), clock.Time(8)}, []any{first.Rank, first.Life, first.Client, first.Invoked, first.Returned})
	require.Equal(t, request{"x", true, 1}, first.In)
	require.Equal(t, []any{2, request{name: "x"}, 2}, []any{last.Rank, last.In, last.Out})
	for i := range all[1:] {
		require.LessOrEqual(t, all[i].Invoked, all[i+1].Invoked)
	}
}

func TestTheHistoryOfARunIsTheSameWithAnyNumberOfWorkers(t *testing.T) {
	h := history.New[request, int](machine.Ranks)
	record(t, kept(h, false), 1, "crash:2@t12")
	once := h.Operations()
	for _, workers := range []int{2, 3} {
		h.Reset()
		require.Empty(t, h.Operations())
		record(t, kept(h, false), workers, "crash:2@t12")
		require.Equal(t, once, h.Operations())
	}
}

func TestWhatARankAskedForBeforeItFailedStaysPending(t *testing.T) {
	h := history.New[request, int](machine.Ranks)
	record(t, kept(h, false), 1, "crash:2@t3,rejoin:2@t30,crash:1@t0")
	all := h.Operations()
	require.Len(t, all, 4)
	require.True(t, all[0].Pending())
	require.Equal(t, clock.Never, all[0].Returned)
	for life, o := range map[int]history.Operation[request, int]{0: all[0], 1: all[1]} {
		require.Equal(t, []int{2, life}, []int{o.Rank, o.Life})
	}
	require.Equal(t, 12, all[3].Out)
}

// A call that a deferred function ends when the rank has failed has not been seen to return.
func TestNothingIsRecordedAfterAFailure(t *testing.T) {
	h := history.New[request, int](machine.Ranks)
	record(t, protocols.Program{Main: func(p protocols.Proc) {
		call := h.Invoke(p, request{name: "x"})
		defer func() {
			defer h.Invoke(p, request{name: "y"})
			call.Return(p, 5)
		}()
		p.WaitUntil(10)
	}}, 1, "crash:0@t5,hang:1@t5")
	all := h.Operations()
	require.Len(t, all, 4)
	for rank, o := range all[:3] {
		require.Equal(t, rank < 2, o.Pending(), "%v", o)
	}
	require.Equal(t, request{name: "y"}, all[3].In)
	require.Equal(t, 2, all[3].Rank)
}

func TestARankMayActForSeveralClients(t *testing.T) {
	h := history.New[request, int](1)
	record1(t, func(p protocols.Proc) {
		first := h.InvokeAs(p, 1, request{"x", true, 1})
		p.WaitUntil(5)
		second := h.InvokeAs(p, 2, request{"x", true, 2})
		second.Return(p, 0)
		p.WaitUntil(9)
		first.Return(p, 0)
	})
	all := h.Operations()
	require.Equal(t, []int{1, 2}, []int{all[0].Client, all[1].Client})
	require.Equal(t, []clock.Time{9, 5}, []clock.Time{all[0].Returned, all[1].Returned})
	require.False(t, all[0].Before(all[1]))
	require.False(t, all[1].Before(all[0]))
}

// record1 runs a program on one rank.
func record1(t *testing.T, main func(protocols.Proc)) {
	t.Helper()
	m, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 1, Latency: 1, Overhead: 1}})
	require.NoError(t, err)
	_, err = m.Run(t.Context(), protocols.Program{Main: main}, emu.Options{})
	require.NoError(t, err)
}

// Of one instant the order on one rank is known, that of two ranks is not.
func TestWhatComesBeforeWhat(t *testing.T) {
	h := history.New[request, int](1)
	record1(t, func(p protocols.Proc) {
		for range 2 {
			h.Invoke(p, request{}).Return(p, 0)
		}
		both := h.InvokeAs(p, 1, request{})
		h.Invoke(p, request{}).Return(p, 0)
		both.Return(p, 0)
	})
	recorded := h.Operations()
	all := append(recorded[:4:4], operation{Rank: 1, Invoked: 0, Returned: 0}, operation{Rank: 1, Invoked: 1, Returned: clock.Never})
	before := [][]int{{1, 2, 3, 5}, {2, 3, 5}, {5}, {5}, {5}, {}}
	for i, a := range all {
		for j, b := range all {
			if i != j {
				require.Equal(t, contains(before[i], j), a.Before(b), "%d before %d", i, j)
			}
		}
	}
}

func contains(all []int, wanted int) bool {
	for _, one := range all {
		if one == wanted {
			return true
		}
	}
	return false
}

func TestMistakesInRecordingAreNamed(t *testing.T) {
	h := history.New[request, int](1)
	record1(t, func(p protocols.Proc) {
		call := h.Invoke(p, request{})
		p.WaitUntil(7)
		call.Return(p, 1)
		p.WaitUntil(9)
		require.PanicsWithValue(t, "history: an operation of rank 0 returns at t=7 and again at t=9", func() { call.Return(p, 1) })
		require.PanicsWithValue(t, "history: an operation of rank 0, want 0 to -1", func() { history.New[int, int](0).Invoke(p, 1) })
	})
}

// Who asks for something else has given up what he had asked for before, and may not see it end after all.
func TestAClientHasOneOperationAtATime(t *testing.T) {
	h := history.New[request, int](1)
	record1(t, func(p protocols.Proc) {
		first, other := h.Invoke(p, request{name: "x"}), h.InvokeAs(p, 1, request{name: "x"})
		p.WaitUntil(3)
		second := h.Invoke(p, request{name: "x"})
		p.WaitUntil(5)
		require.PanicsWithValue(t, "history: an operation of rank 0 returns at t=5, though its client has begun another one at t=3; ranks that act for several clients use InvokeAs",
			func() { first.Return(p, 1) })
		other.Return(p, 0)
		second.Return(p, 0)
	})
	all := h.Operations()
	require.Equal(t, []bool{true, false, false}, []bool{all[0].Pending(), all[1].Pending(), all[2].Pending()})
}

// Only who has begun an operation may see it end: not another rank, nor the same one when it has failed since and has come back.
func TestAnOperationReturnsToWhoHasBegunIt(t *testing.T) {
	h := history.New[request, int](machine.Ranks)
	calls := make([]history.Call[request, int], machine.Ranks)
	record(t, protocols.Program{Main: func(p protocols.Proc) {
		switch {
		case p.Rank() == 0:
			calls[0] = h.Invoke(p, request{name: "x"})
			p.Send(1, mailbox.Message{})
		case p.Rank() == 1:
			p.Recv(mailbox.Any)
			require.PanicsWithValue(t, "history: an operation of rank 0 in its life 0 returns at t=4 to rank 1 in its life 0, want the one that has begun it", func() { calls[0].Return(p, 1) })
		case p.Life() == 0:
			calls[2] = h.Invoke(p, request{name: "x"})
			p.WaitUntil(10)
		default:
			require.PanicsWithValue(t, "history: an operation of rank 2 in its life 0 returns at t=20 to rank 2 in its life 1, want the one that has begun it", func() { calls[2].Return(p, 1) })
		}
	}}, 1, "crash:2@t5,rejoin:2@t20")
	for _, o := range h.Operations() {
		require.True(t, o.Pending())
	}
}

// A history that is brought from elsewhere does not know which of two clients was first at one instant. A verdict may not depend on what nobody knows.
func TestClientsOfARankAtOneInstantAreConcurrentElsewhere(t *testing.T) {
	h := history.New[request, int](1)
	record1(t, func(p protocols.Proc) {
		one := h.InvokeAs(p, 1, request{"x", true, 1})
		p.WaitUntil(5)
		h.InvokeAs(p, 2, request{name: "x"}).Return(p, 0)
		one.Return(p, 0)
		h.InvokeAs(p, 1, request{name: "x"}).Return(p, 1)
	})
	all := history.Of(h.Operations()...).Operations()
	require.False(t, h.Operations()[0].Before(h.Operations()[1]))
	require.False(t, all[0].Before(all[1]))
	require.True(t, all[0].Before(all[2]), "one client is one after the other")
}

func TestImpossibleOperationsAreRefused(t *testing.T) {
	require.PanicsWithValue(t, "history: an operation of rank 1 from t=5 to t=0, want a rank of 0 or more and a return not before that, clock.Never if it is pending",
		func() { history.Of(operation{Rank: 1, Invoked: 5}) })
	require.Panics(t, func() { history.Of(write(-1, 0, 1, "x", 1)) })

	const words = "history: an operation of client 2 of rank 1 began at t=3 and is listed after one that began at t=4, want those of one client in the order in which they began"
	late, early := ofClient(2, read(1, 4, 5, "x", 0)), ofClient(2, read(1, 3, 3, "x", 0))
	require.PanicsWithValue(t, words, func() { history.Of(late, early) })
	require.NotPanics(t, func() { history.Of(late, ofClient(1, early), ofClient(2, read(0, 3, 3, "x", 0)), late) })
}

// In a test each processor has a history of its own, and every run begins with an empty one.
func TestHistoriesWorkInTestsOfPrograms(t *testing.T) {
	test := func(hasty bool) emutest.Test {
		return emutest.Test{
			Machine: machine,
			New: func() emutest.Instance {
				h := history.New[request, int](machine.Ranks)
				return emutest.Instance{
					Program:    kept(h, hasty),
					Prepare:    h.Reset,
					Guarantees: []guarantee.Guarantee{history.SequentiallyConsistent(h, registers), noSurprise(h)},
				}
			},
			Spare:  []int{0}, // who would forget the value
			Faults: 2, Random: 100, Rejoins: []clock.Time{20},
		}
	}
	emutest.Run(t, test(false))

	result, err := emutest.Check(t.Context(), test(true))
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Equal(t, "sequentially consistent", result.Violations[0].Broken[0].Name)
	require.NotEmpty(t, result.Violations[0].Broken[0].Marks)
}

// noSurprise holds if nobody reads what nobody has asked to write.
func noSurprise(h *history.History[request, int]) guarantee.Guarantee {
	return history.Func("no surprise", h, func(all []operation) (wrong string, guilty []operation) {
		written := map[int]bool{0: true}
		for _, o := range all {
			written[o.In.value] = true
		}
		for _, o := range all {
			if !o.In.write && !o.Pending() && !written[o.Out] {
				return "read what nobody wrote", []operation{o}
			}
		}
		return "", nil
	})
}

func TestFunctionsOverAHistoryAreGuarantees(t *testing.T) {
	verdict := func(all ...operation) guarantee.Verdict { return noSurprise(history.Of(all...)).Check(guarantee.Run{}) }
	require.Equal(t, "not claimed: no surprise: no operation was begun", verdict().String())
	v := verdict(write(0, 1, clock.Never, "x", 3), read(1, 2, 3, "x", 3))
	require.Equal(t, "held: no surprise: 2 operations, 1 of them pending", v.String())
	require.Empty(t, v.Marks)
	require.Equal(t, "held: no surprise: 1 operation", verdict(read(1, 2, 3, "x", 0)).String())
	v = verdict(read(1, 2, 4, "x", 3), write(0, 1, clock.Never, "x", 1))
	require.Equal(t, "broken: no surprise: read what nobody wrote", v.String())
	require.Equal(t, []guarantee.Mark{{Rank: 1, From: 2, To: 4, Text: "{x false 0} = 3", Guilty: true}}, v.Marks)
	pending := history.Func("all return", history.Of(read(1, 2, clock.Never, "x", 0)), func(all []operation) (string, []operation) { return "one does not", all })
	require.Equal(t, []guarantee.Mark{{Rank: 1, From: 2, To: clock.Forever, Text: "{x false 0}", Guilty: true}}, pending.Check(guarantee.Run{}).Marks)
	require.False(t, v.Safety)
}
