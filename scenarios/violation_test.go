package scenarios_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func parse(t *testing.T, line string) *scenarios.Run {
	t.Helper()
	run, err := catalog.ParseLine(line)
	require.NoError(t, err)
	return run
}

func TestViolationsAreLines(t *testing.T) {
	run := parse(t, "broadcast P=4 faults=hang:3")
	dead, differs := guarantee.Verdict{Name: "no deadlock"}, guarantee.Verdict{Name: search.Repeats}
	assert.Equal(t, []scenarios.Violation{
		{Line: "broadcast P=4 faults=crash:1@send2", Found: "broadcast P=4 faults=crash:1@send2", Count: 3, Broken: []guarantee.Verdict{dead}},
		{Line: "broadcast P=4", Found: "broadcast P=4", Count: 1, Check: true, Broken: []guarantee.Verdict{dead, differs}},
	}, run.Violations([]search.Violation{
		{Broken: []guarantee.Verdict{dead}, Schedule: faults.MustParse("crash:1@send2"), Count: 3},
		{Broken: []guarantee.Verdict{dead, differs}, Count: 1},
	}))
	assert.NotNil(t, run.Violations(nil), "an empty list in JSON")
}

func TestLinesThatBecomeTheSameAreCountedTogether(t *testing.T) {
	const small, large = "broadcast P=4 correction=none faults=crash:1@t0", "broadcast P=9 correction=none faults=crash:1@t0,hang:2@t3"
	run := parse(t, small)
	found := []scenarios.Violation{{Line: small, Found: small, Count: 3}, {Line: large, Found: large, Count: 4}}
	list, done := run.ShrinkAll(t.Context(), found, 500)
	assert.True(t, done)
	require.Len(t, list, 1)
	assert.EqualValues(t, 7, list[0].Count)
	assert.Equal(t, small, list[0].Line)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for ctx, runs := range map[context.Context]int{t.Context(): 0, over: 500} {
		list, done = run.ShrinkAll(ctx, found, runs)
		assert.False(t, done)
		assert.Equal(t, found, list)
	}
}

// What is not the same when repeated stays as found, and is not counted with what breaks
// something else.
func TestLinesThatDoNotRepeatAreNotMadeSmaller(t *testing.T) {
	const line = "broadcast P=9 correction=none faults=crash:1@t0,hang:2@t3"
	differs := scenarios.Violation{Line: line, Found: line, Count: 4, Check: true}
	list, done := parse(t, line).ShrinkAll(t.Context(), []scenarios.Violation{differs}, 500)
	assert.False(t, done)
	assert.Equal(t, []scenarios.Violation{differs}, list)
	list, _ = parse(t, line).ShrinkAll(t.Context(), []scenarios.Violation{differs, {Line: line, Found: line}}, 0)
	assert.Len(t, list, 2)
}

func TestARunIsRepeatedWithOtherWorkers(t *testing.T) {
	run := parse(t, "broadcast P=100")
	for workers, other := range map[int]int{1: 3, 2: 1, 7: 1} {
		options := scenarios.Options{Workers: workers}
		outcome, err := run.Execute(t.Context(), options)
		require.NoError(t, err)
		first, second, err := run.Repeat(t.Context(), outcome, options)
		require.NoError(t, err)
		assert.Equal(t, []int{workers, other}, []int{first, second})
		outcome.Report.Hash++
		_, _, err = run.Repeat(t.Context(), outcome, options)
		assert.ErrorContains(t, err, "the run does not repeat: hash ")
	}
	outcome, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	first, second, err := run.Repeat(t.Context(), outcome, scenarios.Options{})
	require.NoError(t, err)
	assert.Equal(t, runtime.GOMAXPROCS(0), first, "as many as there are processors")
	assert.NotEqual(t, first, second)
}
