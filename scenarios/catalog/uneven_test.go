package catalog_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func TestDetectorsOfLines(t *testing.T) {
	for words, want := range map[string]emu.Detection{
		"detector=perfect":                                       {Delay: 4},
		"detector=uneven":                                        {Delay: 4, Spread: 36},
		"detector=uneven L=5 o=2":                                {Delay: 9, Spread: 81},
		"detector=uneven detect=10 spread=3":                     {Delay: 10, Spread: 3},
		"detector=uneven spread=0":                               {Delay: 4},
		"detector=heartbeat":                                     {Delay: 40, Period: 16, Hangs: true},
		"detector=heartbeat spread=25":                           {Delay: 40, Period: 16, Hangs: true, Spread: 25},
		"detector=delayed spread=25":                             {Delay: 40}, // it has no effect
		"detector=uneven detect=1099511627776":                   {Delay: clock.MaxCost},
		"detector=uneven detect=1099511627770 spread=6":          {Delay: clock.MaxCost - 6, Spread: 6},
		"detector=uneven L=1ms o=1ms tick=1ms spread=20ms":       {Delay: 3, Spread: 20},
		"detector=heartbeat period=3 detect=7 spread=1000000000": {Delay: 7, Period: 3, Hangs: true, Spread: 1000000000},
	} {
		run, err := catalog.ParseLine("collective P=5 " + words)
		require.NoError(t, err, words)
		require.Equal(t, want, run.Config().Detection, words)
	}
	for words, want := range map[string]string{
		"detector=uneven detect=3":                      "detect=3, want auto or 4 (2o+L) or more",
		"detector=uneven spread=x":                      `"spread=x": want auto or a number from 0 to 1099511627776`,
		"detector=uneven detect=1099511627770 spread=7": "spread=7, want auto or 0 to 6 (1099511627776 less detect)",
		"detector=odd":                                  "want perfect, delayed, heartbeat, wrong or uneven",
	} {
		_, err := catalog.ParseLine("collective P=5 " + words)
		require.ErrorContains(t, err, want, words)
	}
	run, err := catalog.ParseLine("collective P=5 detector=delayed spread=25")
	require.NoError(t, err)
	require.Len(t, run.Notes(), 1)
	require.Contains(t, run.Notes()[0], "spread")
}

// When a failure was noticed is when the first live rank could have known of it.
func TestAFailureIsNoticedByTheFirstLiveRankThatKnows(t *testing.T) {
	for _, words := range []string{"seed=1", "seed=2", "seed=3 spread=200", "seed=4 spread=0", "seed=5 detect=60"} {
		run, err := catalog.ParseLine("collective op=reduce strategy=plain P=6 detector=uneven faults=crash:0@t2 " + words)
		require.NoError(t, err)
		outcome, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)

		machine, err := emu.New(run.Config())
		require.NoError(t, err)
		first, mu := clock.Never, sync.Mutex{}
		_, err = machine.Run(t.Context(), protocols.Program{Main: func(p protocols.Proc) {
			p.Detector().Watch(0)
			p.Recv(mailbox.OfKind(protocols.Failed))
			mu.Lock()
			defer mu.Unlock()
			first = min(first, p.Now())
		}}, emu.Options{Seed: run.Settings().Seed(), Faults: run.Settings().Faults()})
		require.NoError(t, err)
		require.Equal(t, first, outcome.Completion.Noticed, words)
	}
}
