package reduce_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/report"
)

// series is one reduce after the other on all ranks.
type series struct {
	logp    clock.LogP
	reduces []reduce.Reduce
	results []reduce.Value
	report  *report.Report
}

// newSeries spaces the beginnings by so many ticks. Roots and, with them, places change each
// time.
func newSeries(t *testing.T, logp clock.LogP, count int, spacing func(*reduce.Reduce) clock.Time) *series {
	t.Helper()
	s := &series{logp: logp, results: make([]reduce.Value, count)}
	begin := clock.Time(0)
	for i := range count {
		r, err := reduce.New(logp, reduce.Options{Root: i % logp.Ranks, Redundancy: 2, Operation: concatenate})
		require.NoError(t, err)
		length := spacing(r)
		r.Begin, r.Epoch = begin, uint32(i)
		s.reduces = append(s.reduces, *r)
		begin += length
	}
	return s
}

// labelled is a rank's value in one of the operations.
func labelled(rank, i int) reduce.Value {
	return reduce.Value{A: 1, Payload: strconv.Itoa(1000*i+rank) + ","}
}

func (s *series) run(t *testing.T, schedule faults.Schedule) {
	t.Helper()
	clear(s.results)
	program := protocols.Program{KindName: reduce.KindName, Main: func(p protocols.Proc) {
		for i := range s.reduces {
			if result, complete := s.reduces[i].Run(p, labelled(p.Rank(), i)); complete {
				s.results[i] = result
			}
		}
	}}
	machine, err := emu.New(emu.Config{LogP: s.logp, Workers: 1})
	require.NoError(t, err)
	s.report, err = machine.Run(context.Background(), program, emu.Options{Faults: schedule})
	require.NoError(t, err)
	require.Empty(t, s.report.Deadlocks)
}

// ranks returns whose values are in a result, after checking that no other operation's are.
func (s *series) ranks(t *testing.T, i int) []int {
	t.Helper()
	ranks := ranksIn(s.results[i])
	for k := range ranks {
		ranks[k] -= 1000 * i
		require.True(t, 0 <= ranks[k] && ranks[k] < s.logp.Ranks, "a value of another operation in %q", s.results[i].Payload)
		require.True(t, k == 0 || ranks[k-1] < ranks[k], "order of %q", s.results[i].Payload)
	}
	return ranks
}

// At the deadline of one operation the next can begin, whoever has failed: as the promise
// says, ports are free. Ranks that fail in one are down in all later ones.
func TestNextOperationCanBeginAtTheDeadline(t *testing.T) {
	t.Parallel()
	for _, logp := range machines {
		if logp.PerByte > 0 {
			continue
		}
		logp.Ranks = 11
		s := newSeries(t, logp, 8, (*reduce.Reduce).Deadline)
		for at := clock.Time(0); at < s.reduces[2].Begin; at += 1 + s.reduces[2].Begin/64 {
			// The series ends before one of these is root.
			schedule := faults.Schedule{
				{Kind: faults.Crash, Rank: 9, At: faults.OnTime(at)},
				{Kind: faults.Hang, Rank: 10, At: faults.OnTime(at + at/2)},
			}
			s.run(t, schedule)
			for i := range s.reduces {
				require.GreaterOrEqual(t, len(s.ranks(t, i)), 9, "%+v, faults %v, operation %d", logp, schedule, i)
			}
		}
	}
}

// Without failures operations can follow each other faster than their deadlines: as soon as
// all ranks are done. What comes late belongs to an earlier epoch and is dropped.
func TestOperationsOverlapTheDeadlinesOfEarlierOnes(t *testing.T) {
	logp := clock.LogP{Ranks: 11, Latency: 2, Overhead: 1}
	b := newTrial(t, logp, reduce.Options{Redundancy: 2})
	b.run(t, nil)
	busy := b.report.Exit
	require.Less(t, busy, b.reduce.Deadline())
	s := newSeries(t, logp, 40, func(*reduce.Reduce) clock.Time { return busy })
	s.run(t, nil)
	for i := range s.reduces {
		require.Len(t, s.ranks(t, i), 11, "operation %d", i)
	}
}

// Ranks that are done go on to the next operation while others are still busy with this one.
// What they send early stays in the mailbox until it is wanted: with deadlines that allow
// for it, nothing gets lost.
func TestEarlyMessagesWaitInTheMailbox(t *testing.T) {
	logp := clock.LogP{Ranks: 11, Latency: 2, Overhead: 1}
	s := newSeries(t, logp, 40, func(r *reduce.Reduce) clock.Time {
		*r = *r.Patient()
		return 0
	})
	s.run(t, nil)
	for i := range s.reduces {
		require.Len(t, s.ranks(t, i), 11, "operation %d", i)
	}
}

// A run that begins later is the same run, only later.
func TestNobodyActsBeforeTheBeginning(t *testing.T) {
	b := newTrial(t, clock.LogP{Ranks: 11, Latency: 2, Overhead: 1}, reduce.Options{Root: 3, Redundancy: 2})
	schedule := faults.MustParse("crash:7@send2,hang:9@recv2")
	now := b.trace(t, schedule)
	b.reduce.Begin = 100
	later := b.trace(t, schedule)
	for i := range now {
		now[i].Time += 100
	}
	require.Equal(t, now, later)
}

// If they begin too early, ranks are late and results may lack something. Still no value
// gets into the result of another operation.
func TestOperationsThatOverlapDoNotMix(t *testing.T) {
	t.Parallel()
	logp := clock.LogP{Ranks: 11, Latency: 2, Overhead: 1}
	results := 0
	for spacing := range clock.Time(12) {
		for rank := range logp.Ranks {
			s := newSeries(t, logp, 20, func(*reduce.Reduce) clock.Time { return spacing })
			s.run(t, faults.Schedule{{Kind: faults.Slow, Rank: rank, Factor: 4, At: faults.OnTime(0)}})
			for i := range s.reduces {
				if len(s.ranks(t, i)) > 0 {
					results++
				}
			}
		}
	}
	require.NotZero(t, results)
}
