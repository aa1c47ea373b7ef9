package emutest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Random schedules are as good a reason to repeat runs as all of them.
func TestSampleIsOfTestsWithFaultsOfEitherSort(t *testing.T) {
	require.Len(t, new(Test{Machine: clock.LogP{Ranks: 4}, Random: 5}.withDefaults()).sample(), 4)
	require.Len(t, new(Test{Machine: clock.LogP{Ranks: 4}, Faults: 1}.withDefaults()).sample(), 4)
	require.Len(t, new(Test{Machine: clock.LogP{Ranks: 9}, Faults: 1}.withDefaults()).sample(), 5, "eight at most, evenly spaced")
	require.Empty(t, new(Test{Machine: clock.LogP{Ranks: 4}}.withDefaults()).sample())
}

// Ranks that come back can fail again, so there is no limit to what a schedule can have but one that is far off.
func TestHowManyFaultsAScheduleCanHave(t *testing.T) {
	ranks := clock.LogP{Ranks: 6}
	for name, c := range map[string]struct {
		test Test
		want int64
	}{
		"one for each rank":     {Test{Machine: ranks}, 6},
		"that is not spared":    {Test{Machine: ranks, Spare: []int{1, 3, 1}}, 4},
		"rejoins":               {Test{Machine: ranks, Rejoins: []clock.Time{1}}, 1000},
		"cuts":                  {Test{Machine: ranks, Cuts: []clock.Time{1}}, 1000},
		"random rejoins":        {Test{Machine: ranks, Kinds: []faults.Kind{faults.Crash, faults.Rejoin}}, 1000},
		"random cuts":           {Test{Machine: ranks, Kinds: []faults.Kind{faults.Crash, faults.Cut}}, 1000},
		"random crashes, hangs": {Test{Machine: ranks, Kinds: []faults.Kind{faults.Crash, faults.Hang}}, 6},
	} {
		most, _ := c.test.mostFaults()
		require.Equal(t, c.want, most, name)
	}
}

// Somebody must have failed before anybody can come back, in schedules that are drawn.
func TestRandomRejoinsNeedFailures(t *testing.T) {
	for name, c := range map[string]struct {
		test Test
		good bool
	}{
		"nobody fails":   {Test{Random: 1, Kinds: []faults.Kind{faults.Rejoin}}, false},
		"crashes":        {Test{Random: 1, Kinds: []faults.Kind{faults.Rejoin, faults.Crash}}, true},
		"hangs":          {Test{Random: 1, Kinds: []faults.Kind{faults.Rejoin, faults.Hang}}, true},
		"slow ranks":     {Test{Random: 1, Kinds: []faults.Kind{faults.Rejoin, faults.Slow}}, false},
		"none are drawn": {Test{Kinds: []faults.Kind{faults.Rejoin}}, true},
	} {
		var wrong problems.List
		c.test.Machine.Ranks = 3
		c.test.checkRejoinsAndCuts(&wrong)
		require.Equal(t, c.good, len(wrong) == 0, name)
	}
}
