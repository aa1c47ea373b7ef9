package catalog

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// stateLines are runs whose ranks leave something behind, and some that leave nothing.
func stateLines() []string {
	lines := []string{
		"broadcast P=32 faults=crash:3@send2",
		"broadcast P=16 repeat=3",
		"broadcast P=64 repeat=3 period=2", // ranks are late
		"broadcast P=24 repeat=3 root=5 faults=crash:~3",
		"broadcast P=16 repeat=3 period=100 faults=crash:0@t118", // the root fails on the way
		"broadcast P=16 repeat=3 period=100 faults=crash:0@t0",
		"broadcast P=16 repeat=4 start=overlapped correction=opportunistic d=2 tick=1us faults=hang:7@t30",
		"broadcast P=8 correction=none repeat=4 period=100 faults=crash:1@t101", // broken
		"multitree P=15 faults=crash:4",
		"gossip P=64 seed=3 faults=crash:~2",
		"gossip P=32 variant=ocg",
		"big P=20 faults=crash:7@send1",
		"bfb P=32",
		"bfb P=64 root=3 faults=crash:16@t20",
		"bfb P=16 faults=crash:0@send2",
		"bfb P=16 faults=hang:4@t2", // the root waits for ever
		"reduce P=20",
		"reduce P=50 f=2 root=7 faults=crash:20@send1,hang:21@t3",
		"reduce P=16 f=0 faults=crash:3@t0,crash:9@t0",
		"reduce P=16 faults=crash:0@t5",
		"reduce P=16 faults=slow:3x9@t0",
		"allreduce P=20",
		"allreduce P=50 f=2 correction=failure-proof faults=crash:~2@t7",
		"allreduce P=16 faults=crash:0@t9",
		"allreduce P=16 f=0 faults=crash:5@t0,crash:6@t0",
		"membership P=15",
		"membership P=16 a=4 faults=crash:5@t0",
		"membership P=9 members=7 join=7@t20,8@t90",
		"membership P=9 a=4 faults=crash:0@t50,rejoin:0@t900 until=9000",
		"membership P=9 faults=crash:0@t50,crash:1@t300 until=9000", // two that have led a change
		"membership P=27 network=mesh:3x3x3 compute=7 faults=hang:4@t90,crash:0@recv3 until=30000",
		"membership P=12 faults=cut:~3|*@t100 until=30000",
		"membership P=16 o=2 g=5 G=1 faults=crash:~4@t40,rejoin:~2@t700 until=600000",
		"membership P=8 minority=abort faults=crash:0@t10,crash:1@t10,crash:2@t10,crash:3@t10,crash:4@t10",
		"membership P=8 inquire=random faults=slow:3x50@t10",
		"collective op=allreduce P=6 detector=wrong faults=slow:2x30@t1",
		"collective op=broadcast P=4 strategy=plain faults=hang:0@t0", // ranks wait for ever
		"collective op=gather P=5 n=3 root=2 faults=crash:0@t3,crash:1@t3,crash:2@t3,crash:3@t3,crash:4@t3",
		"samplesort P=8 n=400",
		"samplesort P=5 distinct=3",
		"tpch-q3 P=8 sf=0.0005",
		"tpch-q3 P=3 sf=0.000001", // nobody has ordered anything
	}
	for _, strategy := range []string{"tolerant", "optimistic", "plain", "restart"} {
		for _, op := range collectiveCalls.Names() {
			lines = append(lines,
				fmt.Sprintf("collective op=%s P=7 n=2 root=0 strategy=%s", op, strategy),
				fmt.Sprintf("collective op=%s P=7 n=2 strategy=%s faults=crash:0@t4,crash:3@step:exchange", op, strategy),
				fmt.Sprintf("collective op=%s P=6 strategy=%s faults=crash:1@t300", op, strategy)) // it had done its part
		}
		for application, phases := range applications {
			lines = append(lines, fmt.Sprintf("%s strategy=%s faults=crash:0@step:%s,crash:2@step:%s", application, strategy, phases[1], phases[3]))
		}
	}
	return withEveryProtocol(lines)
}

// withEveryProtocol adds those that no line has.
func withEveryProtocol(lines []string) []string {
	for _, p := range All() {
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, p.Name+" ") }) {
			lines = append(lines, p.Name+" P=8")
		}
	}
	return lines
}

// forEachStateLine runs every line, and gives what is left of it to a test.
func forEachStateLine(t *testing.T, test func(t *testing.T, run *scenarios.Run, outcome *scenarios.Outcome)) {
	for _, line := range stateLines() {
		t.Run(line, func(t *testing.T) {
			run := mustParse(t, line)
			outcome, err := run.Execute(t.Context(), scenarios.Options{Trace: emu.TraceEvents})
			require.NoError(t, err)
			test(t, run, outcome)
		})
	}
}

// elsewhere is the same line in another process, with what some ranks have left behind.
func elsewhere(t *testing.T, run *scenarios.Run, loaded func(rank int) bool) *scenarios.Run {
	t.Helper()
	other := mustParse(t, run.String())
	other.Prepare()
	for rank := range run.Config().Ranks {
		if loaded(rank) {
			data, err := run.Save(rank)
			require.NoError(t, err)
			require.NoError(t, other.Load(rank, data))
		}
	}
	return other
}

func everyRank(int) bool { return true }
func noRank(int) bool    { return false }

func TestARunIsJudgedTheSameInAnotherProcess(t *testing.T) {
	forEachStateLine(t, func(t *testing.T, run *scenarios.Run, outcome *scenarios.Outcome) {
		other := elsewhere(t, run, everyRank)
		require.Equal(t, outcome, other.Judge(outcome.Report))
		third := elsewhere(t, other, everyRank)
		require.Equal(t, outcome, third.Judge(outcome.Report), "what was loaded can be saved")
	})
}

func TestGuaranteesDoWithoutWhatFailedRanksLeft(t *testing.T) {
	forEachStateLine(t, func(t *testing.T, run *scenarios.Run, outcome *scenarios.Outcome) {
		live := func(rank int) bool { return !outcome.Report.Ranks[rank].Outcome.Failed() }
		again := elsewhere(t, run, live).Judge(outcome.Report)
		require.Len(t, again.Guarantees, len(outcome.Guarantees))
		for i, g := range outcome.Guarantees {
			require.Equal(t, g.Name, again.Guarantees[i].Name)
			require.True(t, again.Guarantees[i].Value != guarantee.Broken || g.Value == guarantee.Broken, "%s: %s", g.Name, again.Guarantees[i].Evidence)
		}
		if len(outcome.Report.Failed) == 0 {
			require.Equal(t, outcome, again)
		}
	})
}

// Guarantees may be broken then, since live ranks have left nothing either; but they are checked.
func TestRunsAreJudgedEvenIfNothingIsLoaded(t *testing.T) {
	forEachStateLine(t, func(t *testing.T, run *scenarios.Run, outcome *scenarios.Outcome) {
		require.NotPanics(t, func() { elsewhere(t, run, noRank).Judge(outcome.Report) })
	})
}

// Without State a run would be judged by what is not there. Here this is seen in every protocol
// that keeps something, so the tests above look at something.
func TestProtocolsWithoutStateKeepNothing(t *testing.T) {
	differs := make(map[string]bool)
	forEachStateLine(t, func(t *testing.T, run *scenarios.Run, outcome *scenarios.Outcome) {
		without := elsewhere(t, run, noRank).Judge(outcome.Report)
		if run.Experiment().State == nil {
			require.Equal(t, outcome, without)
		} else {
			name := run.Protocol().Name
			differs[name] = differs[name] || !sameResults(outcome, without)
		}
	})
	for _, name := range []string{"broadcast", "bfb", "reduce", "allreduce", "membership", "collective", "samplesort", "tpch-q3"} {
		require.Contains(t, differs, name)
	}
	for name, different := range differs {
		require.True(t, different, "%s is judged the same without its state", name)
	}
}

func sameResults(a, b *scenarios.Outcome) bool {
	return reflect.DeepEqual(a.Guarantees, b.Guarantees) && slices.Equal(a.Details, b.Details) && a.Completion == b.Completion
}

func TestLoadRefusesWhatWasCut(t *testing.T) {
	for _, line := range []string{
		"broadcast P=4 repeat=3", "bfb P=4", "reduce P=4", "allreduce P=4", "membership P=4 faults=crash:2@t5",
		"collective P=4", "samplesort P=4 n=20", "tpch-q3 P=2 sf=0.0005",
	} {
		run := mustParse(t, line)
		outcome, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)
		data, err := run.Save(0)
		require.NoError(t, err)
		require.NotEmpty(t, data, line)
		other := elsewhere(t, run, noRank)
		before := other.Judge(outcome.Report)
		for n := 1; n < len(data); n++ { // nothing at all is what ranks leave that have nothing
			require.Error(t, other.Load(0, data[:n]), "%s: the first %d of %d bytes", line, n, len(data))
		}
		require.ErrorContains(t, other.Load(0, append(data, data...)), "belong to nothing", line)
		require.ErrorContains(t, other.Load(-1, data), "rank -1, want 0 to ", line)
		require.ErrorContains(t, other.Load(4, data), "rank 4, want 0 to ", line)
		require.Equal(t, before, other.Judge(outcome.Report), line)
	}
}

func TestLoadRefusesWhatNoRankCanHaveLeft(t *testing.T) {
	spent := func(a collective.Activity) []activity { return []activity{{Span: collective.Span{Activity: a}}} }
	for _, c := range []struct {
		line string
		left any
		want string
	}{
		{"reduce P=4", reduced{List: "0-x"}, `"0-x" in a list of ranks`},
		{"reduce P=4", reduced{List: "0,3-4"}, `"3-4" in a list of ranks, want ranges of 0 to 3`},
		{"reduce P=4 root=1", reduced{List: "0"}, "only root 1 leaves something"},
		{"allreduce P=4", reduced{List: "0,,1"}, `"" in a list of ranks`},
		{"bfb P=4", completion{At: -1}, "complete at t=-1"},
		{"broadcast P=4 repeat=2", seriesNotes{Got: 3, Begin: make([]clock.Time, 2), Last: make([]clock.Time, 2)}, "3 of 2 broadcasts, want 2"},
		{"broadcast P=4 repeat=2", seriesNotes{Got: 2, Begin: make([]clock.Time, 2), Last: make([]clock.Time, 3)}, "2 of 3 broadcasts, want 2"},
		{"broadcast P=4 repeat=2", seriesNotes{Got: 2, Last: make([]clock.Time, 2)}, "the beginnings of 0 broadcasts, want 2"},
		{"membership P=4", membership.Record{Last: membership.Passage{Slowest: 4}}, "a view change with rank 4, want -1 to 3"},
		{"collective P=4", share[[]int64]{Tasks: []int{4}}, "task 4, want 0 to 3"},
		{"collective P=4", share[[]int64]{Results: results[[]int64]{{Task: -1}}}, "task -1, want 0 to 3"},
		{"collective P=4", share[[]int64]{Results: results[[]int64]{{Task: 2}, {Task: 2}}}, "a result of task 2 behind that of task 2, want ascending tasks"},
		{"samplesort P=4", share[[]int64]{Spans: spent(3)}, "activity 3, want 0 to 2"},
		{"big P=4", reduced{}, "want none: big keeps nothing"},
		{"tpch-q3 P=4", reduced{}, "cannot load what rank 0 has left"},
	} {
		var data bytes.Buffer
		require.NoError(t, gob.NewEncoder(&data).Encode(c.left))
		run := mustParse(t, c.line)
		run.Prepare()
		require.ErrorContains(t, run.Load(0, data.Bytes()), c.want, c.line)
	}
}

// What is just within the bounds is taken, and what is just outside is not, of every number that another process may have sent.
func TestLoadTakesWhatIsWithinItsBounds(t *testing.T) {
	series := func(got int32, last, begin int) seriesNotes {
		return seriesNotes{Got: got, Last: make([]clock.Time, last), Begin: make([]clock.Time, begin)}
	}
	moved := func(task, rank int) share[[]int64] { return share[[]int64]{Moved: map[int]int{task: rank}} }
	tasks := func(task int) share[[]int64] { return share[[]int64]{Tasks: []int{task}} }
	resulting := func(task int) share[[]int64] { return share[[]int64]{Results: results[[]int64]{{Task: task}}} }
	spent := func(a collective.Activity) share[[]int64] {
		return share[[]int64]{Spans: []activity{{Span: collective.Span{Activity: a}}}}
	}
	passed := func(parent, slowest int) membership.Record {
		return membership.Record{Last: membership.Passage{Parent: parent, Slowest: slowest}}
	}
	for _, c := range []struct {
		line           string
		rank           int
		within, beyond []any
	}{
		{"reduce P=4", 0, []any{reduced{}, reduced{List: "0"}, reduced{List: "3"}, reduced{List: "0-3"}, reduced{List: "3-3,0"}},
			[]any{reduced{List: "4"}, reduced{List: "-1"}, reduced{List: "2-1"}, reduced{List: "0-4"}, reduced{List: "0,"}}},
		{"allreduce P=4", 2, []any{reduced{List: "0-3"}}, []any{reduced{List: "0-4"}}},
		{"bfb P=4", 0, []any{completion{}, completion{At: clock.Never, Attempts: 1}}, []any{completion{At: -1}, completion{Attempts: -1}}},
		{"broadcast P=4 repeat=2", 0, []any{series(0, 2, 2), series(2, 2, 2)},
			[]any{series(-1, 2, 2), series(3, 2, 2), series(2, 1, 2), series(2, 3, 2), series(2, 2, 1), series(2, 2, 3), series(2, 2, 0)}},
		{"broadcast P=4 repeat=2", 1, []any{series(0, 2, 0), series(2, 2, 0)}, []any{series(-1, 2, 0), series(2, 2, 1), series(2, 2, 2)}},
		{"membership P=4", 1, []any{passed(-1, -1), passed(0, 3), passed(3, 0)}, []any{passed(-2, 0), passed(0, -2), passed(4, 0), passed(0, 4)}},
		{"collective P=4", 1, []any{tasks(0), tasks(3), resulting(0), resulting(3), moved(0, 3), moved(3, 0), spent(0), spent(2)},
			[]any{tasks(-1), tasks(4), resulting(-1), resulting(4), moved(-1, 0), moved(4, 0), moved(0, -1), moved(0, 4), spent(3)}},
	} {
		load := func(left any) error {
			var data bytes.Buffer
			require.NoError(t, gob.NewEncoder(&data).Encode(left))
			run := mustParse(t, c.line)
			run.Prepare()
			return run.Load(c.rank, data.Bytes())
		}
		for _, left := range c.within {
			require.NoError(t, load(left), "%s: %+v", c.line, left)
		}
		for _, left := range c.beyond {
			require.Error(t, load(left), "%s: %+v", c.line, left)
		}
	}
}

// Ranks may come to their end with an error, or wait for ever. Both is said elsewhere, too.
func TestErrorsAndCallsTravelAsText(t *testing.T) {
	run := mustParse(t, "collective op=allreduce P=4 strategy=plain faults=crash:2@t3")
	_, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	here, err := run.Save(0)
	require.NoError(t, err)
	there, err := elsewhere(t, run, everyRank).Save(0)
	require.NoError(t, err)
	require.Contains(t, string(here), "ulfm: ")
	require.Equal(t, here, there)

	run = mustParse(t, "collective op=broadcast P=4 strategy=plain faults=hang:0@t0")
	outcome, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	figures := elsewhere(t, run, everyRank).Judge(outcome.Report).Details
	require.True(t, slices.ContainsFunc(figures, func(f scenarios.Detail) bool { return strings.HasPrefix(f.Name, "rank 2 in") }), "%v", figures)
}

// The root took its notes with it: when broadcasts began is not known any more, and no latency is
// made up.
func TestSeriesWithoutTheNotesOfItsRootHasNoLatency(t *testing.T) {
	run := mustParse(t, "broadcast P=16 repeat=3 period=100 faults=crash:0@t118")
	outcome, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	again := elsewhere(t, run, func(rank int) bool { return rank != 0 }).Judge(outcome.Report)
	require.Equal(t, []scenarios.Detail{{Name: "broadcasts", Text: "2 of 3 reached every live rank"}}, again.Details)
}
