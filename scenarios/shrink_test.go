package scenarios_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

func shrink(t *testing.T, line string, options scenarios.ShrinkOptions) scenarios.Shrunk {
	t.Helper()
	run, err := catalog.ParseLine(line)
	require.NoError(t, err)
	options.Runs = 3000
	small, err := run.Shrink(t.Context(), options)
	require.NoError(t, err, line)
	return small
}

func TestLinesAreShrunk(t *testing.T) {
	const kary = "broadcast P=64 L=3 o=2 correction=opportunistic d=2 tree=kary k=5 root=3 faults=crash:4@t0,crash:5@t0,crash:6@t0,crash:7@t0,crash:8@t0"
	for _, c := range []struct {
		options    scenarios.ShrinkOptions
		line, want string
	}{
		{scenarios.ShrinkOptions{}, "broadcast P=900 seed=77 correction=none faults=crash:~9,hang:~3@t20", "broadcast P=4 correction=none faults=crash:1@t0"},
		{scenarios.ShrinkOptions{}, kary, "broadcast P=64 correction=opportunistic d=2 tree=kary k=5 root=3 faults=crash:0@t0,crash:7@t0,crash:8@t0"},
		{scenarios.ShrinkOptions{All: true}, kary, "broadcast P=3 correction=opportunistic d=0 tree=kary k=1 root=2 faults=crash:0@t0"},
		{scenarios.ShrinkOptions{All: true, Keep: []string{"d", "P", "L"}}, kary, "broadcast P=64 L=3 correction=opportunistic d=2 tree=kary k=1 root=3 faults=crash:0@t0"},
		{scenarios.ShrinkOptions{}, "broadcast P=16 numbering=in-order faults=hang:13@t30,crash:4,crash:7@t5,crash:3@t17,slow:5x3@t2,crash:8@t18,crash:11@recv2",
			"broadcast P=9 numbering=in-order faults=crash:4@t0,crash:3@after-send1,crash:8@after-send2"},
	} {
		small := shrink(t, c.line, c.options)
		require.Equal(t, c.want, small.Line)
		require.LessOrEqual(t, small.Runs, 3000)
		require.Equal(t, small, shrink(t, c.line, c.options), "the same again")
		outcome := mustExecute(t, small.Line, scenarios.Options{})
		require.Equal(t, small.Broken, guarantee.OnlyBroken(outcome.Guarantees), "pasting the line shows the same")
	}
}

func TestNothingToShrink(t *testing.T) {
	run, err := catalog.ParseLine("broadcast P=16")
	require.NoError(t, err)
	_, err = run.Shrink(t.Context(), scenarios.ShrinkOptions{Runs: 100})
	require.ErrorIs(t, err, scenarios.ErrHeld)
}

// A budget is kept, and what was found until then is returned.
func TestShrinkingIsBounded(t *testing.T) {
	run, err := catalog.ParseLine("broadcast P=900 seed=77 correction=none faults=crash:~9,hang:~3@t20")
	require.NoError(t, err)
	for _, runs := range []int{1, 2, 3, 10} {
		small, err := run.Shrink(t.Context(), scenarios.ShrinkOptions{Runs: runs})
		require.NoError(t, err, runs)
		require.Equal(t, runs, small.Runs, "there is more to try")
		require.NotEmpty(t, small.Broken)
	}
}

// A line that breaks two guarantees is not made one that breaks only one of them.
func TestShrinkingKeepsTheSetOfBrokenGuarantees(t *testing.T) {
	const line = "broadcast P=40 correction=none faults=hang:0@after-send2,crash:9@t3"
	before := guarantee.OnlyBroken(mustExecute(t, line, scenarios.Options{}).Guarantees)
	small := shrink(t, line, scenarios.ShrinkOptions{})
	require.Len(t, small.Broken, len(before))
	for i := range before {
		require.Equal(t, before[i].Name, small.Broken[i].Name)
	}
}

// If it is interrupted, it has the best line so far: after the first run the line itself, later a smaller one.
func TestShrinkingCanBeInterrupted(t *testing.T) {
	const line = "test P=12 faults=crash:1@t0,crash:3@t0,hang:5@t0,crash:8@t0,hang:9@t0"
	faultsLeft := func(text string) int { return strings.Count(text, "@t0") }
	small := interruptedShrink(t, line, 2)
	require.Equal(t, line, small.Line)
	require.NotEmpty(t, small.Broken)
	small = interruptedShrink(t, line, 12)
	require.NotEmpty(t, small.Broken)
	require.Less(t, faultsLeft(small.Line), faultsLeft(line))
	require.Positive(t, faultsLeft(small.Line))
	require.Equal(t, scenarios.Shrunk{}, interruptedShrink(t, line, 1), "not even the first run was over")
}

// interruptedShrink shrinks a line of a protocol that wants no failures, and is interrupted in the n-th run.
func interruptedShrink(t *testing.T, text string, n int64) scenarios.Shrunk {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var runs atomic.Int64
	g := changed(nothing, func(_ line.Settings, e *scenarios.Experiment) {
		e.Promises = []guarantee.Guarantee{guarantee.Func("all live", false, func(run guarantee.Run) (bool, string) {
			if runs.Add(1) == n {
				cancel()
			}
			return len(run.Report.Failed) == 0, "some failed"
		})}
	})
	run, err := g.ParseLine(text)
	require.NoError(t, err)
	small, err := run.Shrink(ctx, scenarios.ShrinkOptions{Runs: 1 << 30})
	require.ErrorIs(t, err, context.Canceled)
	return small
}

// changed is the test protocol with something else about its experiment.
func changed(main func(protocols.Proc), change func(line.Settings, *scenarios.Experiment)) scenarios.Registry {
	g := testRegistry(main)
	build := g[0].Build
	g[0].Build = func(s line.Settings) (scenarios.Experiment, error) {
		e, err := build(s)
		change(s, &e)
		return e, err
	}
	return g
}

// shrinkIn shrinks a line of another registry.
func shrinkIn(t *testing.T, g scenarios.Registry, line string) (scenarios.Shrunk, error) {
	t.Helper()
	run, err := g.ParseLine(line)
	require.NoError(t, err)
	return run.Shrink(t.Context(), scenarios.ShrinkOptions{Runs: 300})
}

func nothing(protocols.Proc) {}

// A smaller line that breaks something else, or more, will not do.
func TestShrinkingDoesNotBreakOtherGuarantees(t *testing.T) {
	g := changed(nothing, func(_ line.Settings, e *scenarios.Experiment) {
		e.Promises = []guarantee.Guarantee{
			guarantee.Func("rank 3 lives", false, func(run guarantee.Run) (bool, string) {
				return !run.Report.Ranks[min(3, len(run.Report.Ranks)-1)].Outcome.Failed(), "it failed"
			}),
			guarantee.Func("many ranks", false, func(run guarantee.Run) (bool, string) { return len(run.Report.Ranks) > 5, "few" }),
		}
	})
	small, err := shrinkIn(t, g, "test P=40 faults=hang:3@t0,crash:7")
	require.NoError(t, err)
	require.Equal(t, "test P=6 faults=crash:3@t0", small.Line)
	require.Equal(t, []guarantee.Verdict{{Name: "rank 3 lives", Evidence: "it failed"}}, small.Broken)
	small, err = shrinkIn(t, g, "test P=5 faults=hang:3@t0,crash:4")
	require.NoError(t, err)
	require.Equal(t, "test P=4 faults=crash:3@t0", small.Line)
	require.Len(t, small.Broken, 2)
}

func TestPanicsAreShrunk(t *testing.T) {
	g := testRegistry(func(p protocols.Proc) {
		if p.Size() > 6 {
			panic("boom")
		}
	})
	small, err := shrinkIn(t, g, "test P=40 faults=crash:7")
	require.NoError(t, err)
	require.Equal(t, "test P=7", small.Line)
	require.Equal(t, []guarantee.Verdict{{Name: search.Ran, Evidence: "rank 0 panicked at t=0: boom"}}, small.Broken)
}

// A line that cannot be run breaks nothing.
func TestLinesThatCannotBeRunAreNoPanics(t *testing.T) {
	impossible := emu.Detection{Delay: 1} // shorter than a message
	_, err := shrinkIn(t, changed(nothing, func(_ line.Settings, e *scenarios.Experiment) { e.Detection = impossible }), "test P=9")
	var input *line.InputError
	require.ErrorAs(t, err, &input)
	require.ErrorContains(t, err, "detector delay = 1")

	small, err := shrinkIn(t, changed(func(protocols.Proc) { panic("boom") }, func(s line.Settings, e *scenarios.Experiment) {
		if s.Int("P") < 5 {
			e.Detection = impossible
		}
	}), "test P=9")
	require.NoError(t, err)
	require.Equal(t, "test P=5", small.Line)
}

func TestShrinkingWantsRuns(t *testing.T) {
	run, err := catalog.ParseLine("broadcast P=9 correction=none faults=crash:1")
	require.NoError(t, err)
	_, err = run.Shrink(t.Context(), scenarios.ShrinkOptions{})
	require.EqualError(t, err, "scenarios: 0 runs to make a line smaller, want 1 or more")
	small, err := run.Shrink(t.Context(), scenarios.ShrinkOptions{Runs: 1})
	require.NoError(t, err)
	require.Equal(t, scenarios.Shrunk{"broadcast P=9 correction=none faults=crash:1@t0", small.Broken, 1}, small)
}

// What a line does not say comes from the file: leaving out a word sets it to that, and not to the
// default.
func TestShrinkingKnowsTheFile(t *testing.T) {
	name := writeFile(t, "L = 50\no = 1")
	g := testRegistry(func(p protocols.Proc) {
		if p.Rank() == 1 {
			p.Recv(mailbox.Any)
		}
	})
	run, err := g.ParseLine("test P=9 L=60 g=7 machine=" + name)
	require.NoError(t, err)
	latency, _ := line.CommonKeys().Lookup("L")
	require.Equal(t, "test P=9 g=7 machine="+name, run.InPlace(latency, "50"))
	require.Equal(t, "test P=9 L=2 g=7 machine="+name, run.InPlace(latency, "2"))
	small, err := run.Shrink(t.Context(), scenarios.ShrinkOptions{Runs: 100})
	require.NoError(t, err)
	require.Equal(t, "test P=2 machine="+name, small.Line)
	small, err = run.Shrink(t.Context(), scenarios.ShrinkOptions{Runs: 100, All: true})
	require.NoError(t, err)
	require.Equal(t, "test P=2", small.Line)
}

// What a search finds counts only if it breaks the same as a line. Here failures that are too few to break anything do in the
// search, which runs them with what the long line says.
func TestFewerFaultsCountOnlyIfTheLineBreaksTheSame(t *testing.T) {
	g := changed(nothing, func(s line.Settings, e *scenarios.Experiment) {
		tooMany := 1
		if len(s.Faults()) < 3 {
			tooMany = 3
		}
		e.Promises = []guarantee.Guarantee{guarantee.Func("few fail", false, func(run guarantee.Run) (bool, string) {
			return len(run.Report.Failed) < tooMany, "too many"
		})}
	})
	small, err := shrinkIn(t, g, "test P=4 faults=crash:1@t0,crash:2@t0,crash:3@t0")
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(small.Line, "crash:"), small.Line)
	require.Len(t, small.Broken, 1)
}

// A line that is broken without any faults needs none, also if it is not broken with some of them.
func TestFaultsThatCancelEachOtherOutAreLeftOut(t *testing.T) {
	g := changed(nothing, func(_ line.Settings, e *scenarios.Experiment) {
		e.Promises = []guarantee.Guarantee{guarantee.Func("one fails", false, func(run guarantee.Run) (bool, string) {
			return len(run.Report.Failed) == 1, "none or several"
		})}
	})
	small, err := shrinkIn(t, g, "test P=4 faults=crash:1@t0,crash:2@t0")
	require.NoError(t, err)
	require.NotContains(t, small.Line, "faults=")
}
