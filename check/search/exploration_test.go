package search

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// violation is one of a guarantee, by a schedule.
func violation(name, schedule string) Violation {
	return Violation{Broken: []guarantee.Verdict{{Name: name}}, Schedule: faults.MustParse(schedule), Count: 1}
}

// bySize are schedules, the smallest first: by the number of faults, then by how simple they are, then by their text.
var bySize = []string{
	"none", "crash:3@t0", "crash:1@after-send1", "crash:2@after-send1", "crash:1@after-send2", "crash:1@before-send1", "crash:1@t7", "hang:1@t0",
	"slow:1x2@t0", "cut:1|2@t0", "cut:1-2|3@t0", "crash:1@t0,crash:2@t0", "crash:1@after-send1,crash:2@before-send1", "crash:1@after-send50001,crash:2@after-send50001",
	"crash:1@t0,hang:2@t0", "crash:1@t0,crash:2@t0,crash:3@t0",
}

func TestSchedulesAreOrderedBySize(t *testing.T) {
	for i, a := range bySize {
		for j, b := range bySize {
			got := compareSize(faults.MustParse(a), faults.MustParse(b))
			require.Equal(t, [2]bool{i < j, i > j}, [2]bool{got < 0, got > 0}, "%s and %s", a, b)
		}
	}
}

// Whatever comes first, the smallest schedule stands for all that break the same.
func TestTheSmallestScheduleStandsForItsClass(t *testing.T) {
	for _, order := range [][]string{{"crash:1@t0,crash:2@t0", "hang:2@t0", "crash:1@t7"}, {"crash:1@t7", "crash:1@t0,crash:2@t0", "hang:2@t0"}} {
		x := newExploration(0)
		for _, schedule := range order {
			x.violate(violation("one", schedule))
		}
		x.violate(violation("another", "crash:5@t0,hang:6@t0"))
		x.finish()
		require.Len(t, x.Violations, 2)
		require.Equal(t, "crash:1@t7", x.Violations[0].Schedule.String())
		require.EqualValues(t, 3, x.Violations[0].Count)
		require.EqualValues(t, 1, x.Violations[1].Count)
	}
}

// Violations are told with the smallest schedule first, and those of equal ones by name.
func TestViolationsAreSorted(t *testing.T) {
	x := newExploration(0)
	for _, v := range []Violation{violation("c", "hang:1@t0"), violation("b", "crash:1@t0"), violation("a", "crash:1@t0"), violation("d", "none")} {
		x.violate(v)
	}
	x.finish()
	var names []string
	for _, v := range x.Violations {
		names = append(names, v.name())
	}
	require.Equal(t, []string{"d", "a", "b", "c"}, names)
}

// A part brings its runs, what they stand for, what happened in them, and what they broke.
func TestPartsAddUp(t *testing.T) {
	part := func(hashes ...report.Hash) *Exploration {
		x := newExploration(1)
		for _, h := range hashes {
			x.saw(h)
			x.add(faults.MustParse("crash:1@t0"), 0, []guarantee.Verdict{{Name: "one"}}, 5)
		}
		return x
	}
	sum := newExploration(2)
	sum.merge(part(1, 2))
	sum.merge(part(2, 3, 4))
	sum.finish()
	require.Equal(t, [3]int64{5, 25, 4}, [3]int64{sum.Runs, sum.Covered, sum.Distinct})
	require.Equal(t, []report.Hash{1, 2, 3, 4}, sum.Hashes)
	require.EqualValues(t, 5, sum.Violations[0].Count)
}

// What was interrupted will be made again, and counts then.
func TestWhatWasInterruptedIsForgottenWhenItIsResumed(t *testing.T) {
	x := newExploration(1)
	x.lost = []Violation{violation("one", "crash:1@t0")}
	require.Len(t, x.Seen(), 1)
	require.Empty(t, x.Violations)
	x.restore()
	require.Empty(t, x.Seen())
}
