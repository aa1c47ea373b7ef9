package allreduce_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/allreduce"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// chain is an operation that is not commutative: it lists whose values it got.
func chain(left, right reduce.Value) reduce.Value {
	return reduce.Value{A: left.A + right.A, Payload: left.Payload + right.Payload}
}

func own(rank int) reduce.Value { return reduce.Value{A: 1, Payload: fmt.Sprintf("%d,", rank)} }

// trial runs all-reduces of one kind with different failures.
type trial struct {
	t        *testing.T
	machine  *emu.Machine
	all      *allreduce.AllReduce
	results  []reduce.Value
	complete []bool
}

func newTrial(t *testing.T, logp clock.LogP, f, root int, o broadcast.Options) *trial {
	t.Helper()
	shape, err := tree.WithRoot(tree.Binomial{Ranks: logp.Ranks}, root)
	require.NoError(t, err)
	o.Tree = shape
	all, err := allreduce.New(logp, reduce.Options{Root: root, Redundancy: f, Operation: chain, Bytes: 4 * logp.Ranks}, o)
	require.NoError(t, err)
	machine, err := emu.New(emu.Config{LogP: logp, Trace: emu.TraceHash})
	require.NoError(t, err)
	return &trial{t: t, machine: machine, all: all}
}

func (x *trial) run(schedule faults.Schedule) *report.Report {
	x.t.Helper()
	ranks := x.machine.Config().Ranks
	x.results, x.complete = make([]reduce.Value, ranks), make([]bool, ranks)
	program := x.all.Program(own, func(rank int, result reduce.Value, complete bool) {
		x.results[rank], x.complete[rank] = result, complete
	})
	rep, err := x.machine.Run(context.Background(), program, emu.Options{Faults: schedule})
	require.NoError(x.t, err)
	return rep
}

// agree fails unless all live ranks have one and the same result, with the value of every
// live rank once, those of failed ranks at most once, and in order.
func (x *trial) agree(schedule faults.Schedule, rep *report.Report) {
	x.t.Helper()
	failed := make(map[int]bool)
	for _, f := range rep.Failed {
		failed[f.Rank] = true
	}
	require.Empty(x.t, rep.Deadlocks, "faults %v", schedule)
	var common string
	for rank, result := range x.results {
		if failed[rank] {
			continue
		}
		require.True(x.t, x.complete[rank], "rank %d, faults %v", rank, schedule)
		if common == "" {
			common = result.Payload
		}
		require.Equal(x.t, common, result.Payload, "rank %d, faults %v", rank, schedule)
	}
	rest := common
	for rank := range x.results {
		var ok bool
		rest, ok = strings.CutPrefix(rest, fmt.Sprintf("%d,", rank))
		require.True(x.t, ok || failed[rank], "%q has no rank %d, faults %v", common, rank, schedule)
	}
	require.Empty(x.t, rest, "%q, faults %v", common, schedule)
}

// arrangements are all ways to correct that stand f failures at any time.
func arrangements(t *testing.T, logp clock.LogP, f int) []broadcast.Options {
	proof, err := correction.NewFailureProof(logp, f)
	require.NoError(t, err)
	return []broadcast.Options{{Correction: proof}, {Correction: proof, Overlapped: true}}
}

func TestEveryRankGetsTheResult(t *testing.T) {
	for ranks := 1; ranks <= 20; ranks++ {
		logp := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
		for f := range 3 {
			for _, o := range append(arrangements(t, logp, f), broadcast.Options{Correction: correction.Checked{}}) {
				x := newTrial(t, logp, f, ranks/2, o)
				x.agree(nil, x.run(nil))
				require.EqualValues(t, ranks, x.results[0].A)
			}
		}
	}
}

// Every crash of one rank but the root, at every instant and at every send.
func TestOneCrashAnywhereIsTolerated(t *testing.T) {
	for _, ranks := range []int{2, 3, 5, 8} {
		logp := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
		for _, o := range arrangements(t, logp, 1) {
			x := newTrial(t, logp, 1, 1, o)
			quiet := x.run(nil).Quiescence
			for rank := range ranks {
				if rank == 1 {
					continue
				}
				for _, at := range pointsUntil(quiet) {
					s := faults.Schedule{{Kind: faults.Crash, Rank: rank, At: at}}
					x.agree(s, x.run(s))
				}
			}
		}
	}
}

// Two crashes, at sampled instants.
func TestTwoCrashesAreTolerated(t *testing.T) {
	logp := clock.LogP{Ranks: 7, Latency: 2, Overhead: 1}
	for _, o := range arrangements(t, logp, 2) {
		x := newTrial(t, logp, 2, 0, o)
		quiet := x.run(nil).Quiescence
		for one := 1; one < 7; one++ {
			for two := one + 1; two < 7; two++ {
				for first := clock.Time(0); first < quiet; first += 7 {
					for second := clock.Time(0); second < quiet; second += 5 {
						s := faults.Schedule{
							{Kind: faults.Crash, Rank: one, At: faults.OnTime(first)},
							{Kind: faults.Hang, Rank: two, At: faults.OnTime(second)},
						}
						x.agree(s, x.run(s))
					}
				}
			}
		}
	}
}

func pointsUntil(quiet clock.Time) []faults.Point {
	var all []faults.Point
	for at := range quiet {
		all = append(all, faults.OnTime(at))
	}
	for n := 1; n <= 12; n++ {
		all = append(all, faults.BeforeNthSend(n), faults.DuringNthSend(n), faults.AfterNthSend(n), faults.OnNthRecv(n))
	}
	return all
}

// More failures than the reduce stands: all live ranks learn that there is no result.
func TestEverybodyLearnsThatThereIsNoResult(t *testing.T) {
	logp := clock.LogP{Ranks: 9, Latency: 2, Overhead: 1}
	x := newTrial(t, logp, 1, 0, broadcast.Options{Correction: correction.Checked{}})
	rep := x.run(faults.MustParse("crash:3,crash:4"))
	require.Empty(t, rep.Deadlocks)
	for rank := range x.results {
		require.False(t, x.complete[rank])
		require.Zero(t, x.results[rank])
	}
}

func TestNewRefusesWhatDoesNotFit(t *testing.T) {
	logp := clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}
	o := broadcast.Options{Tree: tree.Binomial{Ranks: 4}, Correction: correction.Checked{}}
	r := reduce.Options{Operation: reduce.Sum}
	_, err := allreduce.New(logp, reduce.Options{}, o)
	require.EqualError(t, err, "reduce: no operation, want one such as Sum")
	_, err = allreduce.New(logp, reduce.Options{Operation: reduce.Sum, Root: 2}, o)
	require.EqualError(t, err, "allreduce: the broadcast has root 0, want that of the reduce, 2")
	_, err = allreduce.New(logp, r, broadcast.Options{})
	require.EqualError(t, err, "broadcast: want a tree and a correction")
}

// A synchronized broadcast begins at the reduce's deadline, an overlapped one when the root
// has the result.
func TestBroadcastBeginsAfterTheReduce(t *testing.T) {
	logp := clock.LogP{Ranks: 12, Latency: 2, Overhead: 1}
	first, err := reduce.New(logp, reduce.Options{Redundancy: 1, Operation: chain})
	require.NoError(t, err)
	for _, overlapped := range []bool{false, true} {
		o := broadcast.Options{Tree: tree.Binomial{Ranks: 12}, Correction: correction.Checked{}, Overlapped: overlapped, Begin: 100}
		all, err := allreduce.New(logp, reduce.Options{Redundancy: 1, Operation: chain}, o)
		require.NoError(t, err)
		machine, err := emu.New(emu.Config{LogP: logp, Trace: emu.TraceEvents})
		require.NoError(t, err)
		rep, err := machine.Run(context.Background(), all.Program(own, func(int, reduce.Value, bool) {}), emu.Options{})
		require.NoError(t, err)
		began, result := clock.Never, clock.Never
		for _, e := range rep.Events {
			if e.Kind == report.EventSend && e.Msg == broadcast.Down {
				began = min(began, e.Time)
			}
			if e.Kind == report.EventReceive && e.Msg == reduce.Partial && e.Rank == 0 {
				result = min(result, e.Time)
			}
			require.GreaterOrEqual(t, e.Time, clock.Time(100))
		}
		if overlapped {
			require.Equal(t, result, began)
		} else {
			require.Equal(t, 100+first.Deadline(), began)
			require.Greater(t, began, result)
		}
	}
}

// All-reduces follow each other with epochs of their own and do not mix.
func TestAllReducesFollowEachOther(t *testing.T) {
	logp := clock.LogP{Ranks: 9, Latency: 2, Overhead: 1}
	const count = 4
	var all []*allreduce.AllReduce
	for i := range count {
		a, err := allreduce.New(logp, reduce.Options{Redundancy: 1, Operation: chain}, broadcast.Options{
			Tree: tree.Binomial{Ranks: 9}, Correction: correction.Checked{}, Overlapped: true, Epoch: uint32(i), Begin: clock.Time(60 * i),
		})
		require.NoError(t, err)
		all = append(all, a)
	}
	machine, err := emu.New(emu.Config{LogP: logp})
	require.NoError(t, err)
	results := make([][count]string, 9)
	rep, err := machine.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		for i, a := range all {
			value := reduce.Value{Payload: fmt.Sprintf("%d.%d ", i, p.Rank())}
			result, complete := a.Run(p, value)
			if complete {
				results[p.Rank()][i] = result.Payload
			}
		}
	}}, emu.Options{})
	require.NoError(t, err)
	require.Empty(t, rep.Deadlocks)
	for rank := range results {
		for i, text := range results[rank] {
			var want string
			for r := range 9 {
				want += fmt.Sprintf("%d.%d ", i, r)
			}
			require.Equal(t, want, text, "rank %d, all-reduce %d", rank, i)
		}
	}
}

func TestKindsHaveNames(t *testing.T) {
	require.Equal(t, "partial", allreduce.KindName(reduce.Partial))
	require.Equal(t, "tree", allreduce.KindName(broadcast.Down))
	require.Empty(t, allreduce.KindName(7))
}
