package guarantee_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// waits is a run of eight ranks in which some failed, some were never reached and some wait for ever.
func waits(failed []report.Failure, unreached, waiting []int) guarantee.Run {
	run := reach(failed, unreached...)
	for _, rank := range unreached {
		run.Report.Ranks[rank].Coloured = clock.Never
	}
	for _, rank := range waiting {
		run.Report.Deadlocks = append(run.Report.Deadlocks, report.Deadlock{Rank: rank})
	}
	return run
}

func TestReachedRanksReturn(t *testing.T) {
	root := []report.Failure{crash(0, 3)}
	for name, c := range map[string]struct {
		run      guarantee.Run
		value    guarantee.Value
		evidence string
	}{
		"all reached, nobody waits":    {waits(nil, nil, nil), held, "none of 8 waits for ever"},
		"who was not reached waits":    {waits(nil, []int{3, 5}, []int{3, 5}), held, "none of 6 waits for ever"},
		"who was reached waits":        {waits(nil, []int{3, 5}, []int{3, 6}), broken, "rank 6 waiting for ever"},
		"several wait":                 {waits(nil, nil, []int{1, 6}), broken, "ranks 1 and 6 waiting for ever"},
		"the root failed, some wait":   {waits(root, []int{3}, []int{3, 4}), broken, "rank 4 waiting for ever"},
		"the root failed, none waits":  {waits(root, []int{3}, []int{3}), held, "none of 6 waits for ever"},
		"the root failed, none is hit": {waits(root, []int{1, 2, 3, 4, 5, 6, 7}, []int{1, 2, 3, 4, 5, 6, 7}), unclaimed, "none of 0 waits for ever"},
	} {
		t.Run(name, func(t *testing.T) { requireVerdict(t, c.run, guarantee.ReachedRanksReturn{}, c.value, c.evidence) })
	}
	require.Equal(t, "whoever is reached returns", guarantee.ReachedRanksReturn{}.Name())
	require.False(t, guarantee.ReachedRanksReturn{}.NeedsEvents())
}

// A chain in which a rank crashes has everybody behind it wait, though nobody who has the token does.
func TestRanksOfAChainReturnOnceReached(t *testing.T) {
	requireVerdict(t, run(t, 5, sleeper(0, 0), "crash:2@recv1"), guarantee.ReachedRanksReturn{}, held, "none of 2 waits for ever")
	requireVerdict(t, run(t, 3, sleeper(1, clock.Never), "none"), guarantee.ReachedRanksReturn{}, broken, "rank 1 waiting for ever")
}

// In a broadcast whose root failed, ranks that nothing has reached may wait.
func TestBroadcastsHaveNoDeadlockButForWhatDiedWithTheRoot(t *testing.T) {
	const others = "root failed (rank 0 crashed at t=3), only ranks that nothing reached wait"
	root, one := []report.Failure{crash(0, 3)}, []report.Failure{crash(5, 3)}
	noDeadlock := guarantee.Spreading(nil, nil)[1]
	for name, c := range map[string]struct {
		run      guarantee.Run
		value    guarantee.Value
		evidence string
	}{
		"nobody waits":                        {waits(nil, nil, nil), held, "no rank waits for ever"},
		"nobody waits without the root":       {waits(root, nil, nil), held, "no rank waits for ever"},
		"who was not reached waits":           {waits(one, []int{3}, []int{3}), broken, "rank 3 waiting for ever"},
		"the root failed, unreached ranks do": {waits(root, []int{3, 4}, []int{3, 4}), held, others},
		"the root failed, reached ranks do":   {waits(root, []int{3, 4}, []int{3, 6}), broken, "rank 6 waiting for ever"},
	} {
		t.Run(name, func(t *testing.T) { requireVerdict(t, c.run, noDeadlock, c.value, c.evidence) })
	}
}

func TestSpreadingPromisesReachUnderThePremisesAndSafetyAlways(t *testing.T) {
	premises, stands := []guarantee.Premise{guarantee.RootsLive}, []guarantee.Premise{guarantee.NobodyFails}
	type row struct {
		name             string
		premises, stands []string
		safety, events   bool
	}
	var got []row
	for _, g := range guarantee.Spreading(premises, stands) {
		p := guarantee.PromiseOf(g)
		got = append(got, row{p.Name(), saysOf(p.Premises), saysOf(p.Stands), p.IsSafety(), p.NeedsEvents()})
	}
	needs, claims := []string{"the root lives"}, []string{"nobody fails"}
	require.Equal(t, []row{
		{"reaches every live rank", needs, claims, false, false},
		{"no deadlock", needs, claims, true, false},
		{"integrity", nil, nil, true, true},
		{"only coloured ranks send", nil, nil, true, true},
		{"no duplicates", nil, nil, true, true},
	}, got)
}
