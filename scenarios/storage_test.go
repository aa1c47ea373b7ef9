package scenarios_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// notebook is a protocol whose ranks write something down and, when they come back, should still find it.
func notebook(sync bool) scenarios.Registry {
	return scenarios.Registry{{
		Name:    "notebook",
		Rejoins: true,
		Stores:  true,
		Build: func(line.Settings) (scenarios.Experiment, error) {
			return scenarios.Experiment{
				Program: protocols.Program{Main: func(p protocols.Proc) {
					disk := p.Storage()
					if _, ok := disk.Read("done"); !ok && p.Life() > 0 {
						p.Step("lost")
					}
					disk.Write("done", "1")
					if sync {
						disk.Sync()
					}
					p.Step("done")
				}},
				Promises: []guarantee.Guarantee{guarantee.Func("what is done stays done", true, func(run guarantee.Run) (bool, string) {
					done := make(map[int]bool)
					for _, e := range run.Report.Events {
						if e.Kind == report.EventStep && e.Step == "lost" && done[e.Rank] {
							return false, "it does not"
						}
						done[e.Rank] = done[e.Rank] || e.Kind == report.EventStep && e.Step == "done"
					}
					return true, "it does"
				})},
			}, nil
		},
	}}
}

func TestALineSaysHowLongStorageTakes(t *testing.T) {
	run, err := notebook(true).ParseLine("notebook P=2 write=3 sync=2us read=1 tick=100ns")
	require.NoError(t, err)
	require.Equal(t, clock.Disk{Write: 3, Sync: 20, Read: 1}, run.Config().Disk)
	rep, err := run.Execute(t.Context(), scenarios.Options{Trace: emu.TraceEvents})
	require.NoError(t, err)
	require.EqualValues(t, 24, rep.Report.Exit)

	_, err = notebook(true).ParseLine("notebook P=2 sync=-1")
	require.ErrorContains(t, err, "sync")
	plain := notebook(true)
	plain[0].Stores = false
	run, err = plain.ParseLine("notebook P=2")
	require.NoError(t, err)
	require.Zero(t, run.Config().Disk)
	_, err = plain.ParseLine("notebook P=2 sync=5")
	require.ErrorContains(t, err, `unknown key "sync"`)
}

// A machine that was kept for one line does for another only if its storage is as fast.
func TestAnExecutorKnowsHowLongStorageTakes(t *testing.T) {
	e := scenarios.NewExecutor(scenarios.Options{})
	for text, exit := range map[string]clock.Time{"notebook P=1 sync=5": 5, "notebook P=1 sync=70": 70, "notebook P=1": 0} {
		run, err := notebook(true).ParseLine(text)
		require.NoError(t, err)
		outcome, err := e.Run(t.Context(), run)
		require.NoError(t, err)
		require.Equal(t, exit, outcome.Report.Exit, text)
	}
}

func TestSearchesOfALineFailRanksInTheirStorage(t *testing.T) {
	for _, sync := range []bool{true, false} {
		run, err := notebook(sync).ParseLine("notebook P=1 write=1 sync=10")
		require.NoError(t, err)
		s := run.Subject()
		s.Events = true
		found, err := search.Explore(t.Context(), s, search.ExploreOptions{Faults: 2, Rejoins: []clock.Time{5}, Roots: true})
		require.NoError(t, err)
		if sync {
			require.Empty(t, found.Violations)
			continue
		}
		require.Len(t, found.Violations, 1)
		require.Equal(t, "crash:0@step:done,rejoin:0@t6", found.Violations[0].Schedule.String())
	}
}

func TestLinesAreMadeUpWithStorageIfTheProtocolHasSome(t *testing.T) {
	p := notebook(true)[0]
	text := p.MakeUp(func(_ line.Key, values []string) string { return values[len(values)-1] })
	require.Contains(t, text, "write=1 sync=9")
	require.True(t, p.Decoder(3).Storage)
	p.Stores = false
	require.False(t, p.Decoder(3).Storage)
	require.False(t, strings.Contains(p.MakeUp(func(_ line.Key, values []string) string { return values[0] }), "sync"))
}
