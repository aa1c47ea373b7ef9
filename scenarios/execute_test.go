package scenarios_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// execute runs a line of the given registry.
func execute(t *testing.T, g scenarios.Registry, line string, opts scenarios.Options) (*scenarios.Outcome, error) {
	t.Helper()
	run, err := g.ParseLine(line)
	require.NoError(t, err)
	return run.Execute(t.Context(), opts)
}

func mustExecute(t *testing.T, line string, opts scenarios.Options) *scenarios.Outcome {
	t.Helper()
	outcome, err := execute(t, catalog.All(), line, opts)
	require.NoError(t, err)
	return outcome
}

func TestBroadcastTo65536RanksCostsWhatThePaperSays(t *testing.T) {
	outcome := mustExecute(t, "broadcast P=65536", scenarios.Options{})
	assert.Equal(t, int64(393215), outcome.Report.Messages)
	assert.Equal(t, clock.Time(64), outcome.Report.Colouring)
	assert.Equal(t, clock.Time(72), outcome.Report.Quiescence)
	assert.Equal(t, guarantee.Held, outcome.Verdict())
	assert.Equal(t, "broadcast P=65536", outcome.Line)
}

func TestTheSameLineGivesTheSameHash(t *testing.T) {
	const line = "broadcast P=300 L=3 o=2 g=3 seed=9 faults=crash:3%,slow:~2x3,hang:17@step:correction"
	first := mustExecute(t, line, scenarios.Options{Workers: 1})
	assert.NotZero(t, first.Report.Hash)
	for _, workers := range []int{1, 2, 7} {
		for _, trace := range []emu.TraceLevel{emu.TraceOff, emu.TraceHash, emu.TraceEvents} {
			again := mustExecute(t, first.Line, scenarios.Options{Workers: workers, Trace: trace})
			assert.Equal(t, first.Report.Hash, again.Report.Hash, "%d workers, trace level %d", workers, trace)
			assert.Equal(t, trace == emu.TraceEvents, len(again.Report.Events) > 0)
		}
	}
	other := mustExecute(t, "broadcast P=300 L=3 o=2 g=3 seed=10 faults=crash:3%", scenarios.Options{})
	assert.NotEqual(t, first.Report.Hash, other.Report.Hash)
}

func TestBadOptionsAreBadInput(t *testing.T) {
	_, err := execute(t, catalog.All(), "broadcast P=2", scenarios.Options{Workers: -1})
	var input *line.InputError
	require.ErrorAs(t, err, &input)
	assert.Contains(t, err.Error(), "workers = -1")
}

func TestACancelledContextEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	run, err := catalog.ParseLine("broadcast P=4")
	require.NoError(t, err)
	_, err = run.Execute(ctx, scenarios.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestAPanicIsAnErrorOfTheExecution(t *testing.T) {
	g := testRegistry(func(protocols.Proc) { panic("boom") })
	_, err := execute(t, g, "test P=2", scenarios.Options{})
	var panicked *emu.PanicError
	require.ErrorAs(t, err, &panicked)
	assert.Equal(t, 0, panicked.Rank)
	assert.Equal(t, "boom", panicked.Value)
}

func TestBuildMayRefuseSettingsThatDoNotGoTogether(t *testing.T) {
	g := testRegistry(func(protocols.Proc) {})
	g[0].Keys = []line.Key{line.NumberKey("k", 2, 1, 9, "a number that must not exceed P")}
	g[0].Build = func(s line.Settings) (scenarios.Experiment, error) {
		if k := s.Number("k"); k > s.Number("P") {
			return scenarios.Experiment{}, fmt.Errorf("k = %d, want at most P", k)
		}
		if s.Number("k") == 9 {
			_, err := tree.NewKary(0, 0, tree.InOrder)
			return scenarios.Experiment{}, err
		}
		return scenarios.Experiment{Program: protocols.Program{Main: func(protocols.Proc) {}}}, nil
	}
	_, err := g.ParseLine("test k=3 P=2")
	require.EqualError(t, err, "scenarios: k = 3, want at most P")
	_, err = g.ParseLine("test k=9 P=9")
	require.EqualError(t, err, "scenarios: ranks 0, want 1 to 2147483647; arity 0, want 1 to 2147483647", "the line does not say tree")
	_, err = g.ParseLine("test k=3 P=3")
	require.NoError(t, err)
}

func TestJSONShowsNeverAsNullAndNothingAsAnEmptyList(t *testing.T) {
	outcome := mustExecute(t, "broadcast P=2 g=5 faults=crash:0", scenarios.Options{})
	outcome.Report.Wall, outcome.Report.BytesPerRank = 12, 34
	text, err := json.Marshal(outcome)
	require.NoError(t, err)
	assert.JSONEq(t, `{
		"correction": {"from": 4, "gap": 1, "took": 0},
		"line": "broadcast P=2 g=5 faults=crash:0",
		"held": false, "verdict": "not claimed",
		"guarantees": [
			{"name": "reaches every live rank", "held": false, "verdict": "not claimed", "evidence": "the root lives (rank 0 crashed at t=0, and none of 1 live ranks was reached)"},
			{"name": "no deadlock", "held": true, "verdict": "held", "safety": true, "evidence": "root failed (rank 0 crashed at t=0), only ranks that nothing reached wait"},
			{"name": "whoever is reached returns", "held": false, "verdict": "not claimed", "safety": true, "evidence": "none of 0 waits for ever"}
		],
		"figures": [], "notes": [],
		"report": {
			"machine": {"P": 2, "L": 2, "o": 1, "g": 5, "G": 0},
			"seed": 0, "faults": "crash:0@t0",
			"messages": 0, "colouring": 0, "quiescence": 0, "exit": 0,
			"ranks": [
				{"outcome": "crashed", "coloured": 0, "exit": 0},
				{"outcome": "deadlocked", "coloured": null, "exit": null}
			],
			"failed": [{"rank": 0, "outcome": "crashed", "time": 0}],
			"unreached": [1],
			"deadlocks": [{"rank": 1, "call": "Recv", "want": "kind=tree..sos epoch=0", "since": 0, "cause": "no message is under way; rank 0 crashed at t=0"}],
			"unfired": "none",
			"windows": 1, "wakes": 1, "hash": "`+outcome.Report.Hash.String()+`",
			"wall_ns": 12, "bytes_per_rank": 34
		}
	}`, string(text))

	text, err = json.Marshal(mustExecute(t, "broadcast P=2", scenarios.Options{}))
	require.NoError(t, err)
	assert.Contains(t, string(text), `"failed":[],"unreached":[],"deadlocks":[]`)
}

// testRegistry has one protocol, "test", whose root is rank 0.
func testRegistry(main func(protocols.Proc)) scenarios.Registry {
	return scenarios.Registry{{
		Name: "test",
		Build: func(s line.Settings) (scenarios.Experiment, error) {
			return scenarios.Experiment{
				Program:  protocols.Program{Main: main, Initiators: []int{0}, KindName: func(mailbox.Kind) string { return "hello" }},
				Roots:    []int{0},
				Promises: guarantee.Spreading(nil, nil)[:2],
			}, nil
		},
	}}
}

// goleak sees what is left behind.
func TestAnExecutorThatKeepsRanksRepeatsItselfAndCanBeClosed(t *testing.T) {
	kept, plain := scenarios.NewExecutor(scenarios.Options{Keep: true}), scenarios.NewExecutor(scenarios.Options{})
	for _, line := range []string{"broadcast P=64", "broadcast P=64 faults=crash:3@send2", "broadcast P=32", "samplesort P=4 n=20", "broadcast P=64 seed=3"} {
		run, err := catalog.ParseLine(line)
		require.NoError(t, err)
		want, err := plain.Run(t.Context(), run)
		require.NoError(t, err)
		got, err := kept.Run(t.Context(), run)
		require.NoError(t, err)
		require.Equal(t, want.Report.Hash, got.Report.Hash, line)
	}
	require.NoError(t, kept.Close())
	require.NoError(t, kept.Close())
}

// A program that runs another one on its own executor would take its machine away.
func TestAnExecutorRunsOneLineAtATime(t *testing.T) {
	var executor *scenarios.Executor
	var second error
	g := testRegistry(func(p protocols.Proc) {
		if p.Rank() != 0 || p.Size() != 2 {
			return
		}
		other, err := testRegistry(nothing).ParseLine("test P=3")
		if err == nil {
			_, err = executor.Run(t.Context(), other)
		}
		second = err
	})
	run, err := g.ParseLine("test P=2")
	require.NoError(t, err)
	executor = scenarios.NewExecutor(scenarios.Options{})
	_, err = executor.Run(t.Context(), run)
	require.NoError(t, err)
	require.ErrorContains(t, second, "the machine is in use by a run")
}
