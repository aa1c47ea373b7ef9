package emutest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

func TestShortTestsHaveATenthOfTheRandomSchedules(t *testing.T) {
	for random, want := range map[int]int{-3: -3, 0: 0, 1: 1, 15: 1, 1000: 100} {
		require.Equal(t, want, shorter(random))
	}
}

func TestCommandNamesOneTestAndSurvivesTheShell(t *testing.T) {
	v := Violation{Schedule: faults.MustParse("crash:3@step:commit#2")}
	require.Equal(t, `go test -v -run '^TestA$/^P=4\+\(a\)$' -mangrove.faults='crash:3@step:commit#2' github.com/mangrove-emu/mangrove/check/emutest`, v.command("TestA/P=4+(a)", 0))
	require.Contains(t, v.command("TestA/it's", 0), ` -run '^TestA$/^it'"'"'s$' `)
}

func TestReplayPrintsEventsWithNamesOfKinds(t *testing.T) {
	test := Test{
		Machine:    clock.LogP{Ranks: 2, Latency: 2, Overhead: 1},
		Guarantees: []guarantee.Guarantee{guarantee.NoDeadlock{}},
		Program: protocols.Program{
			KindName: func(mailbox.Kind) string { return "vote" },
			Main: func(p protocols.Proc) {
				if p.Rank() == 0 {
					p.Send(1, mailbox.Message{Kind: 3, A: 9})
				}
			},
		},
	}.withDefaults()
	p, err := newPlayer(&test, test.judge, 1, emu.TraceEvents)
	require.NoError(t, err)
	run, err := p.play(t.Context(), nil, 0)
	require.NoError(t, err)
	require.Equal(t, `faults none
    t=0 rank 0 send to 1 kind=vote epoch=0 a=9
    t=0 rank 1 exit
    t=1 rank 0 exit
    t=4 rank 1 receive from 0 kind=vote epoch=0 a=9
1 messages, quiet at t=4
held: no deadlock: no rank waits for ever`, run.text(nil, test.Program.KindName, true))
	require.NotContains(t, run.text(nil, nil, false), "rank 0 send")
}

func TestReplayPrintsNoMoreThanSoManyEvents(t *testing.T) {
	var b strings.Builder
	writeEvents(&b, make([]report.Event, maxEvents+5), nil)
	require.Equal(t, maxEvents+1, strings.Count(b.String(), "\n"))
	require.Contains(t, b.String(), "and 5 more events")
}

func TestSampleLeavesSparedRanksAlone(t *testing.T) {
	test := Test{Machine: clock.LogP{Ranks: 40}, Faults: 1, Spare: []int{5, 6, 15}}.withDefaults()
	sample := test.sample()
	require.Len(t, sample, 6)
	require.Equal(t, "crash:10@after-send1", sample[1].String())
	test.Faults = 0
	require.Empty(t, test.sample())
}
