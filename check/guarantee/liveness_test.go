package guarantee_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

func TestLevels(t *testing.T) {
	for live := range 5000 {
		require.Equal(t, live, guarantee.Strong.Of(live))
		require.Equal(t, min(live, 3), guarantee.AtLeast(3).Of(live))
		weak := 0
		for weak < live && float64(weak) <= float64(live)-math.Log2(float64(live)) {
			weak++
		}
		require.Equal(t, weak, guarantee.Weak.Of(live), "%d live", live)
	}
}

// reach is a run of eight ranks, some of which failed and some of which were never reached.
func reach(failed []report.Failure, unreached ...int) guarantee.Run {
	rep := reported(8, failed...)
	rep.Unreached = unreached
	return guarantee.Run{Report: rep, Roots: []int{0}}
}

func TestLivenessDependsOnRootsAndLevel(t *testing.T) {
	one, root := []report.Failure{crash(5, 3)}, []report.Failure{crash(0, 3)}
	nonfaulty, faulty := guarantee.NonfaultyLiveness, guarantee.FaultyLiveness
	for name, c := range map[string]struct {
		run      guarantee.Run
		g        guarantee.Guarantee
		value    guarantee.Value
		evidence string
	}{
		"all":                           {reach(nil), nonfaulty(guarantee.Strong), held, "8 of 8 live ranks reached, at least 8 promised"},
		"all live":                      {reach(one), nonfaulty(guarantee.Strong), held, "7 of 7 live ranks reached, at least 7 promised"},
		"all but one":                   {reach(nil, 6), nonfaulty(guarantee.Strong), broken, "7 of 8 live ranks reached, at least 8 promised; rank 6 never"},
		"all but one, weakly":           {reach(nil, 6), nonfaulty(guarantee.Weak), held, "7 of 8 live ranks reached, at least 6 promised"},
		"all but three, weakly":         {reach(nil, 5, 6, 7), nonfaulty(guarantee.Weak), broken, "5 of 8 live ranks reached, at least 6 promised; ranks 5, 6 and 7 never"},
		"half":                          {reach(nil, 4, 5, 6, 7), nonfaulty(guarantee.AtLeast(4)), held, "4 of 8 live ranks reached, at least 4 promised"},
		"less than half":                {reach(nil, 3, 4, 5, 6, 7), nonfaulty(guarantee.AtLeast(4)), broken, "3 of 8 live ranks reached, at least 4 promised; ranks 3, 4, 5, 6 and 7 never"},
		"nonfaulty with a failed root":  {reach(root, 6), nonfaulty(guarantee.Strong), unclaimed, "the root lives (rank 0 crashed at t=3)"},
		"faulty with live roots":        {reach(one, 6), faulty(guarantee.Strong), unclaimed, "a root fails (all of them live)"},
		"all in spite of it":            {reach(root), faulty(guarantee.Strong), held, "root failed (rank 0 crashed at t=3), 7 of 7 live ranks reached, none or at least 7 promised"},
		"none":                          {reach(root, 1, 2, 3, 4, 5, 6, 7), faulty(guarantee.Strong), held, "root failed (rank 0 crashed at t=3), 0 of 7 live ranks reached, none or at least 7 promised"},
		"some":                          {reach(root, 3, 7), faulty(guarantee.Strong), broken, "root failed (rank 0 crashed at t=3), 5 of 7 live ranks reached, none or at least 7 promised; ranks 3 and 7 never"},
		"some, weakly":                  {reach(root, 3, 7), faulty(guarantee.Weak), held, "root failed (rank 0 crashed at t=3), 5 of 7 live ranks reached, none or at least 5 promised"},
		"one alone":                     {reach(root, 2, 3, 4, 5, 6, 7), faulty(guarantee.Weak), broken, "root failed (rank 0 crashed at t=3), 1 of 7 live ranks reached, none or at least 5 promised; ranks 2, 3, 4, 5, 6 and 7 never"},
		"both: all":                     {reach(one), guarantee.ReachesEveryLiveRank{}, held, "all 7 live ranks reached"},
		"both: all but one":             {reach(one, 6), guarantee.ReachesEveryLiveRank{}, broken, "rank 6 never reached"},
		"both: nobody":                  {reach(one, 0, 1, 2, 3, 4, 6, 7), guarantee.ReachesEveryLiveRank{}, broken, "ranks 0, 1, 2, 3, 4, 6 and 7 never reached"},
		"both: the root failed, all":    {reach(root), guarantee.ReachesEveryLiveRank{}, held, "all 7 live ranks reached"},
		"both: the root failed, none":   {reach(root, 1, 2, 3, 4, 5, 6, 7), guarantee.ReachesEveryLiveRank{}, unclaimed, "the root lives (rank 0 crashed at t=3, and none of 7 live ranks was reached)"},
		"both: the root failed, one":    {reach(root, 2, 3, 4, 5, 6, 7), guarantee.ReachesEveryLiveRank{}, broken, "root failed (rank 0 crashed at t=3), 1 live ranks reached, ranks 2, 3, 4, 5, 6 and 7 never"},
		"both: the root failed halfway": {reach(root, 3, 7), guarantee.ReachesEveryLiveRank{}, broken, "root failed (rank 0 crashed at t=3), 5 live ranks reached, ranks 3 and 7 never"},
	} {
		t.Run(name, func(t *testing.T) {
			requireVerdict(t, c.run, c.g, c.value, c.evidence)
			require.False(t, c.g.NeedsEvents())
		})
	}
	require.Equal(t, "nonfaulty liveness (strong)", nonfaulty(guarantee.Strong).Name())
	require.Equal(t, "faulty liveness (weak)", faulty(guarantee.Weak).Name())
	require.Equal(t, "faulty liveness (at least 4)", faulty(guarantee.AtLeast(4)).Name())
	require.Equal(t, "reaches every live rank", guarantee.ReachesEveryLiveRank{}.Name())
}

// Any of several roots may be the one that failed.
func TestEveryRootCounts(t *testing.T) {
	run := reach([]report.Failure{crash(1, 2), crash(4, 7)}, 6)
	run.Roots = []int{0, 4, 6}
	root, failed := run.FailedRoot()
	require.True(t, failed)
	require.Equal(t, crash(4, 7), root)
	run.Roots = []int{0, 2, 7}
	_, failed = run.FailedRoot()
	require.False(t, failed)
}

// plainTree is a broadcast that makes up for nothing.
func plainTree(ranks int) protocols.Program {
	b := must(broadcast.New(machine(ranks), broadcast.Options{Tree: tree.Binomial{Ranks: ranks}, Correction: correction.None{}}))
	return b.Program(mailbox.Message{A: 42})
}

func TestLivenessCatchesAPlainTree(t *testing.T) {
	inner := run(t, 8, plainTree(8), "crash:1@t2")
	requireVerdict(t, inner, guarantee.ReachesEveryLiveRank{}, broken, "ranks 3, 5 and 7 never reached")
	requireVerdict(t, inner, guarantee.NonfaultyLiveness(guarantee.Strong), broken,
		"4 of 7 live ranks reached, at least 7 promised; ranks 3, 5 and 7 never")
	requireVerdict(t, inner, guarantee.NonfaultyLiveness(guarantee.Weak), broken,
		"4 of 7 live ranks reached, at least 5 promised; ranks 3, 5 and 7 never")
	requireVerdict(t, inner, guarantee.NonfaultyLiveness(guarantee.AtLeast(4)), held,
		"4 of 7 live ranks reached, at least 4 promised")

	root := run(t, 8, plainTree(8), "crash:0@send3")
	requireVerdict(t, root, guarantee.ReachesEveryLiveRank{}, broken,
		"root failed (rank 0 crashed at t=2), 6 live ranks reached, rank 4 never")
	requireVerdict(t, root, guarantee.FaultyLiveness(guarantee.Strong), broken,
		"root failed (rank 0 crashed at t=2), 6 of 7 live ranks reached, none or at least 7 promised; rank 4 never")
}
