package collective_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/report"
)

// The test plan of the thesis' section 5.2.1: ranks fail at the beginning of the algorithm and of its
// iterations, in all combinations that leave one of them. What its plan leaves out is added:
// failures in agreements and in repairs.

// passages counts how often a rank passes each step of an operation without failures, at the most.
func passages(t testing.TB, ranks int, c call, options collective.Options) map[string]int {
	l := labOf(t, emu.Config{
		LogP:      clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1},
		Detection: emu.Detection{Delay: 4},
		Trace:     emu.TraceEvents,
	}, c.instance(ranks, options, 1))
	l.must(t, nil)
	most := make(map[string]int)
	counts := make([]map[string]int, ranks)
	for _, e := range l.report.Events {
		if e.Kind != report.EventStep {
			continue
		}
		if counts[e.Rank] == nil {
			counts[e.Rank] = make(map[string]int)
		}
		counts[e.Rank][e.Step]++
		most[e.Step] = max(most[e.Step], counts[e.Rank][e.Step])
	}
	return most
}

// nth are the first passages of a step.
func nth(step string, n int) []faults.Point {
	var points []faults.Point
	for i := range n {
		points = append(points, faults.OnStep(step, i+1))
	}
	return points
}

// iterations are where the thesis lets ranks fail: at the beginning of the algorithm, then of each
// iteration, if there are any.
func iterations(t testing.TB, ranks int, c call, options collective.Options) []faults.Point {
	most := passages(t, ranks, c, options)
	return append(nth("exchange", most["exchange"]), nth("iteration", most["iteration"])...)
}

// everyStep are all steps of an operation, those after a failure included.
func everyStep(t testing.TB, ranks int, c call, options collective.Options) []faults.Point {
	agreements := passages(t, ranks, c, options)["agree"] + 1 // there is one more if one of them fails
	if options.Strategy == collective.Tolerant {
		agreements--
	}
	points := append(iterations(t, ranks, c, options), nth("agree", agreements)...)
	return append(points, faults.OnStep("repair", 1), faults.OnStep("repaired", 1))
}

// requireAllFired says that no point was tested in vain.
func (l *lab) requireAllFired(t testing.TB, points []faults.Point) {
	for _, p := range points {
		require.Positive(t, l.fired[p], "no rank ever failed at %v in %d runs", p, l.runs)
	}
}

// chosen says whether a schedule is run: with -thorough all of them, but a seventh with the optimistic strategy, which
// has one agreement less and else nothing of its own; without it a seventh, and fewer still with -short. Tests
// make sure that each point is reached nevertheless.
func chosen(number int, options collective.Options) bool {
	switch optimistic := options.Strategy == collective.Optimistic; {
	case testing.Short() || optimistic && !thorough.All():
		return number%29 == 0
	case optimistic || !thorough.All():
		return number%7 == 0
	}
	return true
}

func TestThePlanHasTheIterationsOfTheAlgorithms(t *testing.T) {
	for _, c := range calls(5, 3) {
		want := map[string]int{"reduce": 3, "alltoall": 5, "alltoallv": 5, "allreduce": 3, "barrier": 3}[c.name]
		require.Equal(t, want, passages(t, 5, c, collective.Options{})["iteration"], c.name)
	}
	for _, c := range calls(8, 6) {
		want := map[string]int{"reduce": 3, "alltoall": 7, "alltoallv": 7, "allreduce": 3, "barrier": 3}[c.name]
		require.Equal(t, want, passages(t, 8, c, collective.Options{})["iteration"], c.name)
	}
}

// Ranks pass iterations only as long as they have something to do in them, unlike those of the thesis.
// So not all of these failures happen; each point is reached by somebody.
func TestEveryAssignmentOfFailuresToFiveRanks(t *testing.T) {
	const ranks = 5
	each(t, ranks, func(t *testing.T, c call, options collective.Options) {
		t.Parallel()
		var points []faults.Point
		switch c.name {
		case "broadcast", "scatter", "gather":
			points = everyStep(t, ranks, c, options)
		case "alltoall", "alltoallv":
			points = iterations(t, ranks, c, options)[1:] // it begins with its first iteration
		default:
			points = iterations(t, ranks, c, options)
		}
		l := newLab(t, ranks, c, options, 1)
		choice := make([]int, ranks) // 0: does not fail
		for number := 0; ; number++ {
			if schedule, failures := assigned(choice, points); failures < ranks && chosen(number, options) {
				l.must(t, schedule)
			}
			if !advance(choice, len(points)+1) {
				break
			}
		}
		l.requireAllFired(t, points)
	})
}

// Table 5.1: 0 fails in the first iteration, 1 and 2 in the second, 3 in the third, and 4 alone finishes.
// As each failure leads to another attempt, these are the attempts' beginnings.
func TestTheScenarioOfTable51(t *testing.T) {
	schedule := faults.MustParse("crash:0@step:exchange,crash:1@step:exchange#2,crash:2@step:exchange#2,crash:3@step:exchange#3")
	each(t, 5, func(t *testing.T, c call, options collective.Options) {
		l := newLab(t, 5, c, options, 1)
		l.must(t, schedule)
		require.Len(t, l.report.Failed, 4)
	})
}

// assigned makes a schedule of the points that ranks have chosen, from 1.
func assigned(choice []int, points []faults.Point) (schedule faults.Schedule, failures int) {
	for rank, i := range choice {
		if i > 0 {
			schedule = append(schedule, crash(rank, points[i-1]))
		}
	}
	return schedule, len(schedule)
}

// advance counts the digits up; false after the last number.
func advance(digits []int, base int) bool {
	for i := range digits {
		if digits[i]++; digits[i] < base {
			return true
		}
		digits[i] = 0
	}
	return false
}

func TestEverySetOfUpToSevenOfEightRanksFailsInAnIteration(t *testing.T) {
	const ranks = 8
	each(t, ranks, func(t *testing.T, c call, options collective.Options) {
		t.Parallel()
		points := iterations(t, ranks, c, options)
		l := newLab(t, ranks, c, options, 1)
		for i, p := range points {
			for set := uint(1); set < 1<<ranks-1; set++ {
				if chosen(int(set)+i, options) {
					l.must(t, crashes(set, p))
				}
			}
		}
		l.requireAllFired(t, points)
	})
}

// crashes lets all ranks of a set crash at the same point.
func crashes(set uint, at faults.Point) (schedule faults.Schedule) {
	for ; set != 0; set &= set - 1 {
		schedule = append(schedule, crash(bits.TrailingZeros(set), at))
	}
	return schedule
}

func TestRandomAssignmentsOfFailuresToEightRanks(t *testing.T) {
	const ranks = 8
	each(t, ranks, func(t *testing.T, c call, options collective.Options) {
		t.Parallel()
		points := append(everyStep(t, ranks, c, options), nth("repair", 3)...)
		points = append(points, nth("repaired", 3)...)
		points = append(points, nth("exchange", 4)...)
		l := newLab(t, ranks, c, options, 2)
		random := rand.New(rand.NewPCG(1, 2))
		for number := range 120 {
			choice := make([]int, ranks)
			for rank := range choice {
				choice[rank] = max(0, random.IntN(2*len(points))-len(points)+1)
			}
			choice[random.IntN(ranks)] = 0
			if schedule, _ := assigned(choice, points); chosen(number, options) {
				l.must(t, schedule)
			}
		}
	})
}

func TestOneSurvivorFinishesAlone(t *testing.T) {
	const ranks = 8
	each(t, ranks, func(t *testing.T, c call, options collective.Options) {
		t.Parallel()
		points := everyStep(t, ranks, c, options)
		together := newLab(t, ranks, c, options, 1)
		inTurn := newLab(t, ranks, c, options, 1)
		for survivor := range ranks {
			for number, p := range points {
				if chosen(number+survivor, options) {
					together.must(t, crashes((1<<ranks-1)&^(1<<survivor), p))
				}
			}
			var schedule faults.Schedule // each in an attempt of its own
			for i := range ranks - 1 {
				schedule = append(schedule, crash((survivor+1+i)%ranks, faults.OnStep("exchange", i+1)))
			}
			inTurn.must(t, schedule)
			require.Len(t, inTurn.report.Failed, ranks-1)
		}
	})
}

// triples are three different ranks in every order, or some of them.
func triples(ranks int, options collective.Options, do func(first, second, third int)) {
	number := 0
	for first := range ranks {
		for second := range ranks {
			for third := range ranks {
				number++
				if first != second && first != third && second != third && chosen(number, options) {
					do(first, second, third)
				}
			}
		}
	}
}

func TestFailuresInARepair(t *testing.T) {
	const ranks = 5
	each(t, ranks, func(t *testing.T, c call, options collective.Options) {
		t.Parallel()
		l := newLab(t, ranks, c, options, 1)
		triples(ranks, options, func(first, second, third int) {
			begin := crash(first, faults.OnStep("exchange", 1))
			for _, at := range [][2]string{{"repair", "repair"}, {"repair", "repaired"}, {"repaired", "repaired"}} {
				l.must(t, faults.Schedule{begin, crash(second, faults.OnStep(at[0], 1)), crash(third, faults.OnStep(at[1], 1))})
				require.Len(t, l.report.Failed, 3)
			}
			// The second is a member of the smaller communicator; the third fails in the repair of that.
			l.must(t, faults.Schedule{begin, crash(second, faults.OnStep("repaired", 1)), crash(third, faults.OnStep("repair", 2))})
		})
		l.requireAllFired(t, append(nth("repair", 2), nth("repaired", 1)...))
	})
}

// A rank after the other fails while the rest try again, the root among them or not, at any place in
// the order.
func TestThreeFailuresInOneCall(t *testing.T) {
	const ranks = 6
	each(t, ranks, func(t *testing.T, c call, options collective.Options) {
		t.Parallel()
		l := newLab(t, ranks, c, options, 1)
		triples(ranks, options, func(first, second, third int) {
			l.must(t, faults.Schedule{
				crash(first, faults.OnStep("exchange", 1)),
				crash(second, faults.OnStep("exchange", 2)),
				crash(third, faults.OnStep("exchange", 3)),
			})
			require.Len(t, l.report.Failed, 3)
		})
	})
}
