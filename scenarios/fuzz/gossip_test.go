package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/report"
)

// Correction begins at 9 here, L+o after T, and the first of its messages is sent at 10. As
// with other premises, every line stands next to one that differs in a single failure.
func TestGossipPromisesForFailuresBeforeCorrection(t *testing.T) {
	const (
		ccg    = "gossip P=8 L=2 o=1 T=6 partners=fixed "
		fcg    = ccg + "variant=fcg "
		rounds = "gossip P=8 L=2 o=1 rounds=3 partners=fixed "
		sharp  = ccg + "start=sharp " // correction begins at 6
	)
	for line, want := range map[string][3]bool{ // all, all or none, no SOS
		ccg:                               {true, true, false},
		ccg + "faults=crash:1@t9":         {true, true, false},
		ccg + "faults=crash:0@t9":         {false, true, false},
		ccg + "faults=crash:0@t10":        {false, false, false},
		ccg + "faults=hang:0@send7":       {false, true, false}, // of its first correction message
		ccg + "faults=hang:0@after-send7": {false, false, false},
		ccg + "faults=crash:1,crash:2@t3,hang:3@t8,crash:4@t9": {true, true, false},
		ccg + "faults=slow:0x16,crash:1@t9":                    {true, true, false},
		ccg + "variant=gos":                                    {false, false, false},
		ccg + "variant=ocg C=5":                                {false, false, false},
		sharp:                                                  {true, false, false},
		sharp + "faults=crash:3@t6":                            {true, false, false},
		sharp + "faults=crash:3@t7":                            {false, false, false}, // a g-node that has sent something
		sharp + "faults=crash:4@t9":                            {true, false, false},  // reached too late to correct
		sharp + "faults=crash:0@t6":                            {false, false, false},
		rounds:                                                 {true, true, false},
		rounds + "faults=crash:1":                              {true, true, false},
		rounds + "faults=crash:0@after-send3":                  {false, true, false},
		rounds + "faults=crash:0@after-send4":                  {false, false, false},
		fcg + "f=1":                                            {true, true, true},
		fcg + "f=1 faults=slow:3x2":                            {true, true, false},
		fcg + "f=1 faults=crash:0@t12":                         {false, true, true},
		fcg + "f=0 faults=crash:0@t12":                         {false, false, false},
		fcg + "f=1 faults=crash:0@t12,crash:3@t9":              {false, true, true},  // exactly f late ones
		fcg + "f=1 faults=crash:0@t12,crash:3@step:correction": {false, true, false}, // a g-node that has sent nothing
		fcg + "f=1 faults=crash:0@t12,crash:3@t12":             {false, false, false},
		fcg + "f=1 faults=crash:3@t12,crash:1":                 {true, true, true}, // rank 1 is no g-node
		fcg + "f=3 faults=crash:0@t12":                         {false, true, false},
		rounds + "variant=fcg f=1 faults=crash:0@after-send4":  {false, true, true},
	} {
		made := promised(of("gossip"), tried(t, of("gossip"), line))
		require.Equal(t, want, [3]bool{made[2], made[3], made[5]}, line)
	}
}

// A rank that corrects before its time is no excuse.
func TestWhoCorrectsTooEarlyIsJudged(t *testing.T) {
	for _, line := range []string{"gossip P=8 L=2 o=1 T=6 faults=crash:0@t9", "gossip P=8 L=2 o=1 T=6 start=sharp faults=crash:0@t6"} {
		run := tried(t, of("gossip"), line)
		happened(report.Event{Rank: 0, Kind: report.EventSend, Msg: correction.SOS})(run)
		require.True(t, run.hasCorrected(0), line)
		require.True(t, corrects(run), line)
	}
}
