package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/guarantee/temporal"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// leaders is a protocol in which rank 1 leads if it hears of rank 0, and which promises that somebody does soon.
func leaders(ifAsked bool) scenarios.Registry {
	return scenarios.Registry{{
		Name:          "leaders",
		EventsIfAsked: ifAsked,
		Build: func(line.Settings) (scenarios.Experiment, error) {
			return scenarios.Experiment{
				Program: protocols.Program{Main: func(p protocols.Proc) {
					switch p.Rank() {
					case 0:
						p.Send(1, mailbox.Message{})
					case 1:
						if _, _, ok := p.RecvUntil(mailbox.Any, 50); ok {
							p.Step("lead")
						}
					}
				}},
				Promises: []guarantee.Guarantee{temporal.Eventually("a leader", temporal.Start, 40, temporal.Step("lead"))},
			}, nil
		},
	}}
}

// A promise over time is judged in every run of a line, by whoever runs it, unless the protocol leaves that to those who ask for a trace.
func TestPromisesOverTimeAreJudgedWhoeverRunsALine(t *testing.T) {
	for _, ifAsked := range []bool{false, true} {
		run, err := leaders(ifAsked).ParseLine("leaders P=3")
		require.NoError(t, err)
		require.Equal(t, !ifAsked, run.RecordsEvents())

		outcome, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)
		traced, err := run.Execute(t.Context(), scenarios.Options{Trace: emu.TraceEvents})
		require.NoError(t, err)
		require.Equal(t, guarantee.Held, traced.Verdict())
		require.Equal(t, traced.Report.Hash, outcome.Report.Hash)

		found, err := search.Explore(t.Context(), run.Subject(), search.ExploreOptions{Faults: 1, Kinds: []faults.Kind{faults.Crash}})
		require.NoError(t, err)
		if ifAsked {
			require.Equal(t, []string{"no deadlock"}, namesOf(outcome.Guarantees), "which all lines promise")
			require.Empty(t, found.Violations)
			continue
		}
		require.Equal(t, traced.Guarantees, outcome.Guarantees)
		require.Len(t, found.Violations, 1)
		require.Equal(t, "a leader", found.Violations[0].Broken[0].Name)
		require.Equal(t, found.Runs, found.Tally.Runs)
	}
}

func namesOf(all []guarantee.Verdict) (names []string) {
	for _, v := range all {
		names = append(names, v.Name)
	}
	return names
}

// One executor runs lines that need events and lines that do not, one after the other.
func TestAnExecutorRecordsEventsForThoseThatNeedThem(t *testing.T) {
	e := scenarios.NewExecutor(scenarios.Options{})
	for _, ifAsked := range []bool{true, false, true} {
		run, err := leaders(ifAsked).ParseLine("leaders P=3")
		require.NoError(t, err)
		outcome, err := e.Run(t.Context(), run)
		require.NoError(t, err)
		require.Equal(t, ifAsked, outcome.Report.Events == nil)
	}
}
