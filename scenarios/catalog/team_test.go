package catalog

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// applications are small instances of the computations with several phases, and these.
var applications = map[string][]string{
	"samplesort P=8 n=400":      {"gather", "broadcast", "alltoall", "alltoallv"},
	"tpch-q3 P=8 sf=0.0005":     {"gather", "broadcast", "alltoallv", "reduce"},
	"samplesort P=5 distinct=3": {"gather", "broadcast", "alltoall", "alltoallv"},
}

// requireHeld runs a line whose guarantees must hold, and whose faults must have happened.
func requireHeld(t *testing.T, line string) *scenarios.Outcome {
	t.Helper()
	outcome := mustExecute(t, line, scenarios.Options{})
	for _, g := range outcome.Guarantees {
		require.NotEqual(t, guarantee.Broken, g.Value, "%s: %s: %s", line, g.Name, g.Evidence)
	}
	require.Empty(t, outcome.Report.Unfired, line)
	require.NotEqual(t, clock.Never, outcome.Completion.At, line)
	require.Contains(t, outcome.Guarantees[0].Evidence, "compared", line)
	return outcome
}

func TestApplicationsSurviveAFailureInEveryPhase(t *testing.T) {
	for application, phases := range applications {
		for _, strategy := range []string{"tolerant", "optimistic", "restart"} {
			for _, phase := range phases {
				for _, rank := range []int{0, 1, 4} {
					requireHeld(t, fmt.Sprintf("%s strategy=%s faults=crash:%d@step:%s", application, strategy, rank, phase))
				}
			}
		}
	}
}

func TestApplicationsSurviveThreeFailures(t *testing.T) {
	for application, phases := range applications {
		requireHeld(t, fmt.Sprintf("%s faults=crash:0@step:%s,crash:1@step:%s,crash:3@step:%s", application, phases[1], phases[2], phases[3]))
		requireHeld(t, fmt.Sprintf("%s faults=crash:0@step:%s,crash:1@step:%s,crash:2@step:%s", application, phases[0], phases[0], phases[1]))
	}
}

func TestApplicationsSurviveFailuresDuringRepair(t *testing.T) {
	for application, phases := range applications {
		for _, phase := range phases {
			for _, step := range []string{"repair", "repaired"} {
				requireHeld(t, fmt.Sprintf("%s faults=crash:0@step:%s,crash:1@step:%s", application, phase, step))
				requireHeld(t, fmt.Sprintf("%s faults=crash:2@step:%s,crash:0@step:%s", application, phase, step))
			}
		}
	}
}

func TestOneRankFinishesAlone(t *testing.T) {
	for application, phases := range applications {
		ranks := 8
		if strings.Contains(application, "P=5") {
			ranks = 5
		}
		for _, phase := range phases {
			for survivor := range ranks {
				var all []string
				for rank := range ranks {
					if rank != survivor {
						all = append(all, fmt.Sprintf("crash:%d@step:%s", rank, phase))
					}
				}
				requireHeld(t, application+" faults="+strings.Join(all, ","))
			}
		}
	}
}

func TestEveryCrashPointOfSmallApplications(t *testing.T) {
	for _, line := range []string{"samplesort P=4 n=30", "tpch-q3 P=4 sf=0.0001", "tpch-q3 P=4 sf=0.0001 strategy=optimistic backup=all", "samplesort P=3 n=9 strategy=restart"} {
		run, err := ParseLine(line)
		require.NoError(t, err)
		found, err := search.Explore(context.Background(), run.Subject(), search.ExploreOptions{Faults: 1, Roots: true, Kinds: []faults.Kind{faults.Crash}, Every: !testing.Short()})
		require.NoError(t, err)
		require.Empty(t, found.Violations, line)
	}
}

func TestPlainOperationsGiveUp(t *testing.T) {
	outcome := mustExecute(t, "samplesort P=8 n=400 strategy=plain faults=crash:3@step:alltoallv", scenarios.Options{})
	require.Equal(t, clock.Never, outcome.Completion.At)
	require.Positive(t, outcome.Completion.Ended)
	require.Empty(t, outcome.Report.Deadlocks)
	require.Contains(t, outcome.Guarantees[0].Evidence, "nobody fails (rank 3 crashed")
	require.Equal(t, guarantee.NotClaimed, outcome.Verdict())
}

func TestHangsNeedADetectorThatNoticesThem(t *testing.T) {
	const line = "collective op=reduce P=8 faults=hang:3@step:exchange"
	outcome := mustExecute(t, line, scenarios.Options{})
	require.NotEmpty(t, outcome.Report.Deadlocks)
	require.Contains(t, outcome.Guarantees[0].Evidence, "notices all failures, and nothing else (not that rank 3 hung")
	var waits []string
	for _, f := range outcome.Details {
		if strings.HasPrefix(f.Name, "rank ") {
			waits = append(waits, f.Name+" "+f.Text)
		}
	}
	require.NotEmpty(t, waits)
	require.Contains(t, strings.Join(waits, "\n"), "waiting for the decision from rank", "%v", waits)
	requireHeld(t, line+" detector=heartbeat")
}

func TestADetectorThatIsWrongPromisesNothing(t *testing.T) {
	outcome := mustExecute(t, "collective op=reduce P=8 detector=wrong faults=slow:3x50@step:exchange", scenarios.Options{})
	require.Equal(t, guarantee.NotClaimed, outcome.Verdict())
	require.Contains(t, outcome.Guarantees[0].Evidence, "takes slow ranks for failed")
}

func TestEveryOperationHasALine(t *testing.T) {
	for _, op := range collectiveCalls.Names() {
		for _, strategy := range teamStrategies.Names() {
			requireHeld(t, fmt.Sprintf("collective op=%s P=6 n=3 root=2 strategy=%s", op, strategy))
			failing := "faults=crash:2@step:exchange,crash:0@step:repair"
			if strategy == "respawn" {
				failing += ",rejoin:2@t900,rejoin:0@t950"
			}
			if strategy != "plain" {
				requireHeld(t, fmt.Sprintf("collective op=%s P=6 n=3 root=2 strategy=%s %s", op, strategy, failing))
			}
		}
	}
}

// Others than respawn do not let ranks come back: they are compared without.
func TestCostsOfRespawnCompareWithThoseWhoStayAway(t *testing.T) {
	run, err := ParseLine("tpch-q3 P=8 sf=0.008 strategy=respawn faults=crash:3@step:reduce,rejoin:3@t3000")
	require.NoError(t, err)
	costs, err := Costs(context.Background(), run, scenarios.Options{})
	require.NoError(t, err)
	require.Len(t, costs, 5)
	require.Equal(t, run.String(), costs[2].Line)
	require.Greater(t, costs[2].Time, clock.Time(3000))
	require.Equal(t, "tpch-q3 P=8 sf=0.008 faults=crash:3@step:reduce strategy=restart", costs[3].Line)
	require.Equal(t, "tpch-q3 P=8 sf=0.008 faults=crash:3@step:reduce strategy=plain", costs[4].Line)
}

func TestCostsCompareWithPlainAndRestart(t *testing.T) {
	run, err := ParseLine("tpch-q3 P=8 sf=0.008 restart=7 faults=crash:3@step:reduce")
	require.NoError(t, err)
	costs, err := Costs(context.Background(), run, scenarios.Options{})
	require.NoError(t, err)
	require.Len(t, costs, 5)
	require.EqualValues(t, 1, costs[0].TimesTime)
	require.Equal(t, "tpch-q3 P=8 sf=0.008 restart=7 strategy=plain", costs[0].Line)
	agreements := int64(4 * 2 * 2 * 7) // two in each of four operations, up and down
	require.Equal(t, costs[0].Messages+agreements, costs[1].Messages)
	require.Greater(t, costs[2].Time, costs[1].Time)
	require.Greater(t, costs[3].Time, costs[0].Time*2)
	given := mustExecute(t, "tpch-q3 P=8 sf=0.008 restart=7 faults=crash:3@step:reduce strategy=plain", scenarios.Options{}).Completion.Ended
	require.Equal(t, given+7+costs[0].Time, costs[4].Time)

	again, err := Costs(context.Background(), run, scenarios.Options{}, costs...)
	require.NoError(t, err)
	require.Equal(t, costs, again)
	costs[0].Time, costs[1].Messages, costs[2].Time = 1000, 7, 1 // what others have measured is taken from them, if nobody fails
	again, err = Costs(context.Background(), run, scenarios.Options{}, costs...)
	require.NoError(t, err)
	require.EqualValues(t, 1000, again[0].Time)
	require.EqualValues(t, 7, again[1].Messages)
	require.Greater(t, again[2].Time, again[1].Time)
	require.Equal(t, given+7+1000, again[4].Time)
	other, err := Costs(context.Background(), run.WithSetting("P", "9"), scenarios.Options{}, costs...) // and of the same line
	require.NoError(t, err)
	require.NotEqualValues(t, 1000, other[0].Time)

	run, err = ParseLine("collective P=8 faults=crash:4@t40") // plain ones are done before
	require.NoError(t, err)
	costs, err = Costs(context.Background(), run, scenarios.Options{})
	require.NoError(t, err)
	require.Equal(t, costs[0].Time, costs[4].Time)

	require.Equal(t, "plain, done before", costs[4].Name)

	run, err = ParseLine("collective P=8 faults=hang:3@t2") // which nobody notices
	require.NoError(t, err)
	costs, err = Costs(context.Background(), run, scenarios.Options{})
	require.NoError(t, err)
	require.True(t, costs[0].Done)
	require.False(t, costs[2].Done)

	run, err = ParseLine("broadcast P=8")
	require.NoError(t, err)
	_, err = Costs(context.Background(), run, scenarios.Options{})
	require.ErrorIs(t, err, errNoPlain)
}

func TestRestoringFromReplicasIsFaster(t *testing.T) {
	const line = "tpch-q3 P=4 sf=0.02 generate=100 faults=crash:2@step:reduce"
	slow, fast := requireHeld(t, line), requireHeld(t, line+" restore=0")
	rows := int64(0.02 * 7_650_000 / 4)
	saved := int64(slow.Completion.At - fast.Completion.At)
	require.InDelta(t, rows/10, saved, float64(rows)/100) // a hundred ticks for a thousand rows
}

// detailNames are the first words of what is told of a run.
func detailNames(outcome *scenarios.Outcome) (names []string) {
	for _, f := range outcome.Details {
		names = append(names, f.Name)
	}
	return names
}

func TestPhasesAreShownInOrder(t *testing.T) {
	outcome := requireHeld(t, "tpch-q3 P=8 sf=0.001 faults=crash:0@step:broadcast")
	require.Equal(t, []string{"answer", "done", "gather", "broadcast", "gather", "alltoallv", "reduce"}, detailNames(outcome))
	require.Contains(t, outcome.Details[3].Text, "repair")
	require.NotContains(t, outcome.Details[2].Text, "repair")
}

func TestPhasesOfARestartAreKeptApart(t *testing.T) {
	outcome := requireHeld(t, "collective op=allreduce P=8 strategy=restart faults=crash:3@step:exchange")
	require.Equal(t, []string{"done", "reduce", "broadcast", "restart", "2: reduce", "2: broadcast", "2: restart"}, detailNames(outcome))
}

func TestNobodyIsLeft(t *testing.T) {
	outcome := mustExecute(t, "collective P=8 faults=crash:~8@t20", scenarios.Options{})
	require.Equal(t, scenarios.Detail{Name: "done", Text: "never: no rank is left"}, outcome.Details[0])
	require.Equal(t, clock.Never, outcome.Completion.At)
}

func TestBackupsOfTheQueryDependOnWhatTheySave(t *testing.T) {
	messages := func(line string) int64 { return requireHeld(t, "tpch-q3 P=16 risk=1 "+line).Report.Messages }
	none, all := messages("backup=none"), messages("backup=all")
	require.Equal(t, none+15, all)
	require.Equal(t, none, messages("backup=auto work=0 restore=0"))
	require.Equal(t, all, messages("backup=auto work=100000"))
}

func TestRunsOfTeamsRepeat(t *testing.T) {
	for _, line := range []string{"samplesort P=8 n=400 faults=crash:0@step:broadcast", "collective op=alltoallv P=9 faults=crash:~3@t20"} {
		run, err := ParseLine(line)
		require.NoError(t, err)
		var hashes []report.Hash
		for _, workers := range []int{1, 2, 7} {
			outcome, err := run.Execute(context.Background(), scenarios.Options{Workers: workers})
			require.NoError(t, err)
			hashes = append(hashes, outcome.Report.Hash)
		}
		require.Equal(t, hashes[0], hashes[1])
		require.Equal(t, hashes[0], hashes[2])
	}
}

func TestTeamsRefuseWhatDoesNotFit(t *testing.T) {
	for line, want := range map[string]string{
		"collective P=2097152":                    "a team has a task for each rank, and no more than 1048576: P=2097152",
		"collective detect=3":                     "detect=3, want auto or 4 (2o+L) or more",
		"collective detector=heartbeat detect=10": "detect=10, want auto or 20 (period+2o+L) or more",
		"collective op=reduction":                 `want broadcast, scatter, gather, reduce, alltoall, alltoallv, allgather, allreduce or barrier`,
		"collective root=9 P=8":                   "root=9: P=8 has ranks 0 to 7",
		"tpch-q3 sf=0":                            `"sf=0": want a number from 1e-06 to 1000`,
		"tpch-q3 date=1999-01-01":                 "want 1992-01-01 to 1998-12-31",
		"tpch-q3 segment=SPACE":                   "AUTOMOBILE",
		"samplesort n=x":                          "want a number from 0 to 1073741824",
		"collective risk=2":                       "want a number from 0 to 1",
	} {
		_, err := ParseLine(line)
		require.ErrorContains(t, err, want, line)
	}
}
