package emutest_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// counting is a protocol whose ranks say hello to each other and count their lives.
func counting(check func(rep *report.Report, lives []int) error) emutest.Test {
	return emutest.Test{
		Machine: machine(3),
		New: func() emutest.Instance {
			lives := make([]int, 3)
			return emutest.Instance{
				Program: protocols.Program{Main: func(p protocols.Proc) {
					lives[p.Rank()] = 1 + protocols.LifeOf(p)
					p.Send((p.Rank()+1)%p.Size(), mailbox.Message{})
					p.RecvUntil(mailbox.Any, p.Now()+20)
				}},
				Prepare: func() { clear(lives) },
				Check:   func(rep *report.Report) error { return check(rep, lives) },
			}
		},
		Faults: 2,
	}
}

// Ranks come back if the test says so, and know how often they have.
func TestRanksComeBack(t *testing.T) {
	var returned atomic.Int64
	test := counting(func(rep *report.Report, lives []int) error {
		for _, back := range rep.Rejoined {
			returned.Add(1)
			if lives[back.Rank] != 2 && !rep.Ranks[back.Rank].Outcome.Failed() {
				return fmt.Errorf("rank %d lives for the %d. time", back.Rank, lives[back.Rank])
			}
		}
		return nil
	})
	test.Rejoins = []clock.Time{4, 11}
	f := run(t, test)
	require.False(t, f.failed(), f.all())
	require.Greater(t, returned.Load(), int64(50))
}

// What a rank that comes back breaks is reported with the smallest schedule, exhaustively or by
// chance.
func TestWhatARankThatComesBackBreaksIsReported(t *testing.T) {
	test := counting(func(_ *report.Report, lives []int) error {
		for rank, n := range lives {
			if n > 1 {
				return fmt.Errorf("rank %d lives for the %d. time", rank, n)
			}
		}
		return nil
	})
	test.Rejoins = []clock.Time{4}
	f := run(t, test)
	require.Contains(t, f.all(), "rank 0 lives for the 2. time")
	require.Contains(t, f.all(), "faults: crash:0@t0,rejoin:0@t")
	test.Faults, test.Random, test.RandomFaults = 0, 1000, 5
	f = run(t, test)
	require.Contains(t, f.all(), "faults: crash:0@t0,rejoin:0@t1")
}

// Cuts happen if the test says so.
func TestRanksAreCutOff(t *testing.T) {
	heard := guarantee.Func("nothing is lost", false, func(run guarantee.Run) (held bool, evidence string) {
		cut := guarantee.LinksHold.Unmet(run)
		return cut == "", cut
	})
	test := counting(func(*report.Report, []int) error { return nil })
	test.Guarantees, test.Exact = []guarantee.Guarantee{heard}, true
	require.False(t, run(t, test).failed())
	test.Cuts = []clock.Time{3}
	require.Contains(t, run(t, test).all(), "faults: cut:0|*@t0")
	test.Spare = []int{0}
	require.Contains(t, run(t, test).all(), "faults: cut:1|*@t0")
	test.CutSets = []faults.Group{"1-2"}
	test.Faults = 1
	require.Contains(t, run(t, test).all(), "faults: cut:1|*@t0")
	test.CutSets, test.Cuts, test.Faults, test.Random, test.Kinds = nil, nil, 0, 200, []faults.Kind{faults.Cut}
	require.Contains(t, run(t, test).all(), "faults: cut:1|*@t0")
}

func TestRejoinsAndCutsThatMakeNoSenseAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*emutest.Test)
		want   string
	}{
		"delay":        {func(x *emutest.Test) { x.Rejoins = []clock.Time{3, 0} }, "Rejoins: 0 ticks after a failure, want 1 to 1099511627776"},
		"instant":      {func(x *emutest.Test) { x.Cuts = []clock.Time{-1} }, "Cuts = -1, want 0 to 1099511627776 (ticks)"},
		"set":          {func(x *emutest.Test) { x.Cuts, x.CutSets = []clock.Time{1}, []faults.Group{"2+1"} }, `CutSets: faults: cut:2+1|*@t0: left side "2+1", want "1-2"`},
		"never":        {func(x *emutest.Test) { x.CutSets = []faults.Group{"1"} }, "CutSets without Cuts"},
		"rejoins only": {func(x *emutest.Test) { x.Kinds, x.Faults, x.Random = []faults.Kind{faults.Rejoin}, 0, 9 }, "Kinds: rejoin without crash or hang: nobody would come back"},
		"alone":        {func(x *emutest.Test) { x.Machine.Ranks, x.Faults, x.Cuts = 1, 1, []clock.Time{1} }, "cuts on one rank, want two or more"},
		"many":         {func(x *emutest.Test) { x.Faults, x.Rejoins = 1001, []clock.Time{1} }, "Faults = 1001, want 0 to 1000 (with rejoins and cuts)"},
	} {
		test := counting(func(*report.Report, []int) error { return nil })
		c.change(&test)
		require.ErrorContains(t, test.Validate(), c.want, name)
	}
	test := counting(func(*report.Report, []int) error { return nil })
	test.Faults, test.Rejoins = 9, []clock.Time{1}
	require.NoError(t, test.Validate(), "ranks may fail more than once")
}
