package emu_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// fourInTwo has ranks 0 and 1 in one node, 2 and 3 in another: messages take 4+9+4 ticks between them and 2+1+2 inside.
var fourInTwo = emu.Config{
	LogP:    clock.LogP{Ranks: 4, Latency: 9, Overhead: 4},
	Network: clock.Nodes{Ranks: 4, Nodes: 2, Between: clock.Uniform(9), Inside: clock.Local{Latency: 1, Overhead: 2}},
	Trace:   emu.TraceEvents,
}

// Rank 0 tells 1, 2 and 1 again.
var insideAndOut = protocols.Program{Main: func(p protocols.Proc) {
	if p.Rank() == 0 {
		for i, to := range []int{1, 2, 1} {
			p.Send(to, mailbox.Message{A: int64(i)})
		}
	}
}}

func TestMessagesInsideANodeCostLessAtBothEnds(t *testing.T) {
	for schedule, want := range map[string]string{
		"none": "0 send to 1, 2 send to 2, 5 receive from 0, 6 send to 1, 8 exit, 11 receive from 0, 19 receive from 0",
		// Half of the send: one tick inside, two outside.
		"crash:0@send1":   "0 send-lost to 1, 1 crash",
		"crash:0@send2":   "0 send to 1, 2 send-lost to 2, 4 crash, 5 receive from 0",
		"crash:0@t7":      "0 send to 1, 2 send to 2, 5 receive from 0, 6 send-lost to 1, 7 crash, 19 receive from 0",
		"slow:0x3@send1":  "0 slow, 0 send to 1, 6 send to 2, 9 receive from 0, 18 send to 1, 24 exit, 27 receive from 0, 31 receive from 0",
		"slow:1x3@t0":     "0 send to 1, 2 send to 2, 6 send to 1, 8 exit, 9 receive from 0, 15 receive from 0, 19 receive from 0",
		"late:0@send1+3":  "0 send to 1, 2 late to 1 by 3, 2 send to 2, 6 send to 1, 8 exit, 8 receive from 0, 11 receive from 0, 19 receive from 0",
		"twice:0@send1+2": "0 send to 1, 2 twice to 1 by 2, 2 send to 2, 5 receive from 0, 6 send to 1, 7 receive from 0, 8 exit, 11 receive from 0, 19 receive from 0",
	} {
		rep := mustRun(t, fourInTwo, insideAndOut, emu.Options{Faults: faults.MustParse(schedule)})
		var got []string
		for _, e := range rep.Events {
			if e.Rank == 0 || e.Kind == report.EventReceive {
				text := strings.Replace(e.String(), "t=", "", 1)
				text, _, _ = strings.Cut(text, " kind=")
				for _, rank := range []string{"rank 0 ", "rank 1 ", "rank 2 "} {
					text = strings.Replace(text, rank, "", 1)
				}
				got = append(got, text)
			}
		}
		require.Equal(t, want, strings.Join(got, ", "), schedule)
	}
}

func TestConfigRefusesNodesThatDoNotFit(t *testing.T) {
	cfg := fourInTwo
	require.NoError(t, cfg.Validate())
	cfg.Ranks = 5
	require.EqualError(t, cfg.Validate(), "emu: ranks P = 5 ranks, want 4, which is how many the nodes have")
	cfg = fourInTwo
	cfg.ManyReceives = true
	require.EqualError(t, cfg.Validate(), "emu: ranks that share nodes and receive many messages at once, want one at a time")
	cfg = fourInTwo
	cfg.Network = clock.Nodes{}
	require.ErrorContains(t, cfg.Validate(), "clock: ")
}
