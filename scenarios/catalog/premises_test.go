package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// claims says of each promise of a line whether it is claimed for the run, and not beyond what the algorithm stands.
func claims(t *testing.T, line string) map[string]bool {
	t.Helper()
	run := mustParse(t, line)
	outcome, err := run.Execute(t.Context(), scenarios.Options{Trace: emu.TraceEvents, Workers: 1})
	require.NoError(t, err)
	judged := guarantee.Run{Report: outcome.Report, Roots: run.Experiment().Roots}
	made := make(map[string]bool)
	for _, p := range run.Promises() {
		made[p.Name()] = true
		for _, premise := range append(p.Premises, p.Stands...) {
			made[p.Name()] = made[p.Name()] && premise.Unmet(judged) == ""
		}
	}
	return made
}

const (
	reachesAll    = "reaches every live rank"
	eachReaches   = "every broadcast reaches every live rank"
	ready         = "ranks are ready when a broadcast begins"
	hasAllResults = "every live rank gets the value of every live rank once, in order"
	noDeadlock    = "no deadlock"
)

// A premise that is too strict would excuse what is promised, one that is too lax would accuse
// wrongly. So every line here stands next to one that differs in a single failure.
func TestPremisesOfBroadcastsAreAsWideAsThePromises(t *testing.T) {
	const proof = "broadcast P=9 L=2 o=1 correction=failure-proof "
	for line, want := range map[string]bool{
		proof + "f=2":                                                                     true,
		proof + "f=2 faults=crash:3@t9":                                                   true,
		proof + "f=2 faults=crash:3@t9,hang:4@send2":                                      true, // exactly f late ones
		proof + "f=1 faults=crash:3@t9,hang:4@send2":                                      false,
		proof + "f=0 faults=crash:3,crash:4":                                              true,
		proof + "f=0 faults=crash:3@t9":                                                   false,
		proof + "f=1 faults=crash:0@send2":                                                true,
		proof + "f=1 faults=crash:0@send2,crash:3":                                        true,
		proof + "f=1 faults=crash:0@send2,crash:3@t9":                                     false,
		"broadcast P=9 correction=checked faults=crash:3":                                 true,
		"broadcast P=9 correction=checked faults=crash:3@after-send1":                     false,
		"broadcast P=9 correction=delayed faults=hang:3":                                  true,
		"broadcast P=9 correction=delayed faults=hang:3@after-send1":                      false,
		"broadcast P=9 correction=ack":                                                    true,
		"broadcast P=9 correction=ack faults=crash:3":                                     false,
		"broadcast P=9 correction=none faults=slow:3x2":                                   true,
		"broadcast P=9 correction=none faults=crash:3":                                    false,
		"broadcast P=9 correction=opportunistic":                                          true,
		"broadcast P=9 correction=opportunistic faults=crash:3":                           false,
		"broadcast P=9 correction=opportunistic start=sync faults=slow:3x2":               false,
		"broadcast P=9 correction=optimized start=sync faults=slow:3x2":                   false,
		"broadcast P=9 correction=cautious start=sync faults=slow:3x2":                    false,
		"broadcast P=9 correction=cautious start=overlapped faults=slow:3x2":              true,
		"broadcast P=9 correction=optimized start=overlapped faults=crash:3@after-send60": true, // it did not fail
	} {
		made := claims(t, line)
		require.Equal(t, want, made[reachesAll], line)
		require.Equal(t, want, made[noDeadlock], line)
	}
}

// Series reach everybody under the same premises, but are in time only if nobody is slow or fails meanwhile.
func TestPremisesOfSeriesAreAsWideAsThePromises(t *testing.T) {
	const proof = "broadcast P=9 L=2 o=1 correction=failure-proof f=1 repeat=2 "
	for line, want := range map[string][2]bool{ // reached, in time
		proof:                                               {true, true},
		proof + "faults=slow:3x2":                           {true, false},
		proof + "faults=crash:3":                            {true, true},
		proof + "faults=crash:3@t9":                         {true, false},
		proof + "faults=crash:0@t9":                         {false, false},
		proof + "faults=crash:3@t9,hang:4@t9":               {false, false},
		"broadcast P=9 repeat=2 faults=crash:3":             {true, true},
		"broadcast P=9 repeat=2 faults=crash:3@after-send1": {false, false},
	} {
		made := claims(t, line)
		require.Equal(t, want, [2]bool{made[eachReaches], made[ready]}, line)
	}
}

func TestWhoDependsOnNobodyPromisesToReturn(t *testing.T) {
	for line, want := range map[string]bool{
		"broadcast P=9": true, "broadcast P=9 correction=none": true, "broadcast P=9 correction=ack": false, "broadcast P=9 repeat=2": false,
		"multitree P=9": true, "big P=9": true, "gossip P=9": true, "bfb P=9": true,
	} {
		_, promised := claims(t, line)[guarantee.ReachedRanksReturn{}.Name()]
		require.Equal(t, want, promised, line)
	}
}

func TestMultiTreesAndReductionsPromiseForAsManyFailuresAsTheyStand(t *testing.T) {
	for line, want := range map[string]bool{
		"multitree P=9 trees=3 k=3 faults=crash:1,crash:2@send1":                  true,
		"multitree P=9 trees=3 k=3 faults=crash:1,crash:2,crash:3":                false,
		"multitree P=9 trees=3 k=3 faults=crash:0@send1":                          false,
		"big P=16 faults=crash:1,crash:2,crash:4":                                 true,
		"big P=16 faults=crash:1,crash:2,crash:4,crash:8":                         false,
		"allreduce P=9 f=2 correction=failure-proof faults=crash:3,crash:4@t9":    true,
		"allreduce P=9 f=1 correction=failure-proof faults=crash:3,crash:4@t9":    false,
		"allreduce P=9 f=1 correction=failure-proof faults=slow:3x2":              false,
		"allreduce P=9 f=1 correction=none faults=crash:3":                        false,
		"allreduce P=9 f=1 correction=failure-proof faults=crash:0@step:coloured": false,
	} {
		made := claims(t, line)
		require.Equal(t, want, made[reachesAll] || made[hasAllResults], line)
	}
	for line, want := range map[string]bool{ // more failures than f leave no result, and nobody waiting
		"allreduce P=9 f=1 correction=failure-proof faults=crash:3,crash:4@t9":    true,
		"allreduce P=9 f=1 correction=failure-proof faults=slow:3x2":              true,
		"allreduce P=9 f=1 correction=none faults=crash:3":                        false,
		"allreduce P=9 f=1 correction=failure-proof faults=crash:0@step:coloured": false,
	} {
		require.Equal(t, want, claims(t, line)[noDeadlock], line)
	}
}

// Correction begins at 9 here, L+o after T, and the first of its messages is sent at 10. As
// with other premises, every line stands next to one that differs in a single failure.
func TestGossipPromisesForFailuresBeforeCorrection(t *testing.T) {
	const (
		ccg    = "gossip P=8 L=2 o=1 T=6 partners=fixed "
		fcg    = ccg + "variant=fcg "
		rounds = "gossip P=8 L=2 o=1 rounds=3 partners=fixed "
		sharp  = ccg + "start=sharp " // correction begins at 6
	)
	for line, want := range map[string][2]bool{ // all, or none if the root fails; no SOS
		ccg:                               {true, false},
		ccg + "faults=crash:1@t9":         {true, false},
		ccg + "faults=crash:0@t9":         {true, false},
		ccg + "faults=crash:0@t10":        {false, false},
		ccg + "faults=hang:0@send7":       {true, false}, // of its first correction message
		ccg + "faults=hang:0@after-send7": {false, false},
		ccg + "faults=crash:1,crash:2@t3,hang:3@t8,crash:4@t9": {true, false},
		ccg + "faults=slow:0x16,crash:1@t9":                    {true, false},
		ccg + "variant=gos":                                    {false, false},
		ccg + "variant=ocg C=5":                                {false, false},
		sharp:                                                  {true, false},
		sharp + "faults=crash:3@t6":                            {true, false},
		sharp + "faults=crash:3@t7":                            {false, false}, // a g-node that has sent something
		sharp + "faults=crash:4@t9":                            {true, false},  // reached too late to correct
		sharp + "faults=crash:0@t6":                            {false, false},
		rounds:                                                 {true, false},
		rounds + "faults=crash:1":                              {true, false},
		rounds + "faults=crash:0@after-send3":                  {true, false},
		rounds + "faults=crash:0@after-send4":                  {false, false},
		fcg + "f=1":                                            {true, true},
		fcg + "f=1 faults=slow:3x2":                            {true, false},
		fcg + "f=1 faults=crash:0@t12":                         {true, true},
		fcg + "f=0 faults=crash:0@t12":                         {false, false},
		fcg + "f=1 faults=crash:0@t12,crash:3@t9":              {true, true},  // exactly f late ones
		fcg + "f=1 faults=crash:0@t12,crash:3@step:correction": {true, false}, // a g-node that has sent nothing
		fcg + "f=1 faults=crash:0@t12,crash:3@t12":             {false, false},
		fcg + "f=1 faults=crash:3@t12,crash:1":                 {true, true}, // rank 1 is no g-node
		fcg + "f=3 faults=crash:0@t12":                         {true, false},
		rounds + "variant=fcg f=1 faults=crash:0@after-send4":  {true, true},
	} {
		made := claims(t, line)
		require.Equal(t, want, [2]bool{made[reachesAll], made["nobody sends SOS"]}, line)
	}
}

// A rank that corrects before its time is no excuse.
func TestWhoCorrectsTooEarlyIsJudged(t *testing.T) {
	for _, line := range []string{"gossip P=8 L=2 o=1 T=6 faults=crash:0@t9", "gossip P=8 L=2 o=1 T=6 start=sharp faults=crash:4@t6"} {
		forge := happened(report.Event{Rank: 0, Kind: report.EventSend, Msg: correction.SOS})
		require.Contains(t, claimed(forged(t, line, both(unreached(3), forge))), reachesAll, line)
	}
}

// Without events it is not known who has sent a correction message, and whoever fails late counts.
func TestLateFailuresOfAGossipCountIfNothingElseIsKnown(t *testing.T) {
	const line = "gossip P=8 L=2 o=1 T=6 partners=fixed variant=fcg f=0 faults=crash:1@t12"
	require.True(t, claims(t, line)[reachesAll])
	outcome := mustExecute(t, line, scenarios.Options{})
	require.Equal(t, guarantee.NotClaimed, outcome.Guarantees[0].Value)
	require.Equal(t, "nobody fails once correction has begun (rank 1 did)", outcome.Guarantees[0].Evidence)
}

func TestRanksAreSilentIfTheyFailBeforeTheyCanSend(t *testing.T) {
	for text, want := range map[string]bool{
		"crash:3":                        true,
		"hang:3":                         true,
		"crash:3@recv1":                  true,
		"crash:3@before-send1":           true,
		"hang:3@send1":                   true,
		"crash:3@step:coloured":          true,
		"crash:3@t40,crash:3@recv1":      true,
		"slow:3x2":                       false,
		"crash:2":                        false,
		"crash:3@t1":                     false,
		"crash:3@after-send1":            false,
		"crash:3@send2":                  false,
		"crash:3@recv2":                  false,
		"crash:3@step:coloured#2":        false,
		"crash:3@step:correction":        false,
		"slow:3x2@recv1,crash:3@send2":   false,
		"crash:3@step:exchanged,hang:2":  false, // no step of a broadcast
		"crash:3@before-send2,slow:3x16": false,
	} {
		require.Equal(t, want, silentIn(text, 3, 0, broadcast.StepColoured), text)
	}
}

// silentIn reports whether a rank is silent with these faults.
func silentIn(schedule string, rank, root int, unheard ...string) bool {
	rep := &report.Report{Faults: faults.MustParse(schedule)}
	return silent(guarantee.Run{Report: rep, Roots: []int{root}}, rank, unheard)
}

// In an all-reduce, what a rank sends in the reduce is no sign of life in the broadcast.
func TestRanksOfAnAllReduceAreSilentUntilTheyAreColoured(t *testing.T) {
	for text, want := range map[string]bool{
		"crash:3@step:exchanged":  true,
		"crash:3@step:reduced":    true,
		"crash:3@step:coloured":   true,
		"crash:3@step:correction": false,
	} {
		require.Equal(t, want, silentIn(text, 3, 0, reduce.StepExchanged, reduce.StepReduced, broadcast.StepColoured), text)
	}
}

// The root sends before it receives, so only a failure at time 0 is certain to come first.
func TestTheRootIsSilentOnlyIfItIsDownFromTheStart(t *testing.T) {
	for text, want := range map[string]bool{"crash:3": true, "crash:3@recv1": false, "crash:3@step:coloured": false} {
		require.Equal(t, want, silentIn(text, 3, 3, broadcast.StepColoured), text)
	}
}
