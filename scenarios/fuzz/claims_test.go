package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// What a run may be made to look like.
var (
	unreached = func(ranks ...int) func(*trial) { return func(t *trial) { t.report.Unreached = ranks } }
	stuck     = func(rank int) func(*trial) {
		return func(t *trial) { t.report.Deadlocks = []report.Deadlock{{Rank: rank, Call: "Recv"}} }
	}
	verdict = func(evidence string) func(*trial) {
		return func(t *trial) { t.outcome.Guarantees[0] = guarantee.Verdict{Name: "first", Evidence: evidence} }
	}
	// happened adds an event.
	happened = func(e report.Event) func(*trial) {
		return func(t *trial) { t.report.Events = append([]report.Event{e}, t.report.Events...) }
	}
	// unsoundly breaks a guarantee by its name.
	unsoundly = func(name string) func(*trial) {
		return func(t *trial) { t.outcome.Guarantees = []guarantee.Verdict{{Name: name, Evidence: "forged"}} }
	}
	colouredAt = func(rank int, at clock.Time) func(*trial) {
		return func(t *trial) { t.report.Ranks[rank].Coloured = at }
	}
	leftAt = func(rank int, at clock.Time) func(*trial) {
		return func(t *trial) { t.report.Ranks[rank].Exit = at }
	}
	// alive makes a rank that is missing in the results of others one that has not failed.
	alive  = func(rank int) func(*trial) { return func(t *trial) { t.report.Ranks[rank].Outcome = report.Finished } }
	both   = func(a, b func(*trial)) func(*trial) { return func(t *trial) { a(t); b(t) } }
	asItIs = func(*trial) {}
)

// Every promise of every protocol is judged where it is made: runs that kept it are made to look
// as if they had not.
func TestEveryPromiseIsJudged(t *testing.T) {
	const (
		checked = "broadcast P=8 correction=checked "
		proof   = "broadcast P=8 correction=failure-proof f=1 "
		tree    = "broadcast P=8 correction=none "
		trees   = "multitree P=8 trees=2 k=2 "
		all     = "allreduce P=8 f=1 correction=failure-proof "
		ccg     = "gossip P=8 T=6 "
		fcg     = "gossip P=8 T=6 variant=fcg f=1 "
		sixteen = "big P=16 "
		bfb     = "bfb P=8 "
		views   = "membership P=8 every=60 "
		team    = "collective P=8 op=gather "
	)
	reached, waits := "every live rank is reached and nobody waits for ever", "a rank that has the message does not wait for ever"
	divides := "either all live ranks are reached or none"
	help, near := "nobody sends SOS", "the neighbours of live g-nodes are reached"
	early, often := "when the root says so, all live ranks have the message", "there are no more attempts than failures meanwhile, and one"
	forEver, exclusion := "nobody waits for ever", "nobody who lives is excluded"
	held, finished := guarantees.says, "somebody has the right result"
	never := func(t *trial) { t.outcome.Completion.At = clock.Never }
	own := "nobody begins a group of its own while a first member lives"
	founded := happened(report.Event{Time: 90, Rank: 3, Kind: report.EventStep, Step: membership.StepFound})
	left := happened(report.Event{Time: 90, Rank: 3, Kind: report.EventStep, Step: membership.StepExcluded})
	alarm := happened(report.Event{Time: 20, Rank: 3, Kind: report.EventSend, Msg: correction.SOS})
	restart := happened(report.Event{Time: 20, Kind: report.EventStep, Step: buntinas.StepRestart})
	for _, c := range []struct {
		to    *target
		line  string
		forge func(*trial)
		says  string // what is broken; "" if nothing is
	}{
		{of("broadcast"), checked, stuck(3), waits},
		{of("broadcast"), tree + "faults=crash:1", stuck(2), waits},
		{of("broadcast"), tree + "faults=crash:1", stuck(3), ""}, // nothing has reached it
		{of("broadcast"), tree + "faults=crash:1", asItIs, ""},
		{of("broadcast"), "broadcast P=8 correction=ack faults=crash:1", stuck(0), ""},
		{of("broadcast"), checked, unreached(3), reached},
		{of("broadcast"), checked + "faults=crash:1", unreached(3), reached},
		{of("broadcast"), checked + "repeat=2", stuck(3), reached}, // for the second broadcast
		{of("broadcast"), checked + "faults=crash:1@after-send1", unreached(3), ""},
		{of("broadcast"), proof + "faults=crash:0@send2", unreached(3), divides},
		{of("broadcast"), proof + "faults=crash:0@send2", unreached(1, 2, 3, 4, 5, 6), divides},
		{of("broadcast"), proof + "faults=crash:0@send2", unreached(1, 2, 3, 4, 5, 6, 7), ""},
		{of("broadcast"), proof + "faults=crash:0@send2,crash:1@after-send1", unreached(3), ""},
		{of("broadcast"), checked + "repeat=2", verdict("late"), "every broadcast of a series is in time"},
		{of("broadcast"), checked + "repeat=2 faults=slow:3x2", verdict("late"), ""},
		{of("multitree"), trees + "faults=crash:1", stuck(3), waits},
		{of("multitree"), trees + "faults=crash:1,crash:2", stuck(0), waits},
		{of("multitree"), trees + "faults=crash:1", unreached(3), reached},
		{of("multitree"), trees + "faults=crash:1,crash:2", unreached(3), ""},
		{of("reduce"), "reduce P=8", verdict("wrong"), held},
		{of("allreduce"), all + "faults=crash:1", alive(1), "whole results are the same everywhere, each live rank once and in order"},
		{of("allreduce"), all + "faults=crash:1,crash:0@t90", alive(1), "whole results are the same everywhere, each live rank once and in order"},
		{of("allreduce"), all, stuck(3), "nobody waits for ever"},
		{of("allreduce"), all, verdict("no complete result on rank 3"), "every live rank has a whole result"},
		{of("allreduce"), all + "faults=crash:1,crash:2", verdict("no complete result on rank 3"), ""},
		{of("gossip"), ccg, unsoundly("integrity"), soundness.says},
		{of("gossip"), ccg + "variant=gos faults=slow:1x2,hang:0@t4", unsoundly("no duplicates"), soundness.says},
		{of("gossip"), ccg, unsoundly("another"), ""},
		{of("gossip"), ccg + "variant=gos faults=slow:1x2,hang:0@t4", stuck(0), waits},
		{of("gossip"), ccg + "faults=crash:1@t9", unreached(3), reached},
		{of("gossip"), ccg + "faults=slow:1x16", unreached(3), reached},
		{of("gossip"), ccg + "faults=crash:0@t9", unreached(3), divides},
		{of("gossip"), ccg + "faults=crash:0@t12", unreached(3), ""}, // it has corrected
		{of("gossip"), ccg + "faults=crash:0@t9", unreached(1, 2, 3, 4, 5, 6, 7), ""},
		{of("gossip"), fcg + "faults=crash:0@t12", unreached(3), divides},
		{of("gossip"), fcg + "faults=crash:1@t12", unreached(3), reached},
		{of("gossip"), fcg, alarm, help},
		{of("gossip"), fcg + "faults=slow:1x2", alarm, ""},
		{of("gossip"), "gossip P=8 T=0 variant=fcg f=1", alarm, ""}, // the root is the only g-node
		{of("gossip"), "gossip P=8 T=0 variant=ocg C=6", unreached(7), near},
		{of("gossip"), "gossip P=8 T=0 variant=ocg C=6", unreached(2), near},
		{of("gossip"), "gossip P=8 T=0 variant=ocg C=6", unreached(3), ""},
		{of("gossip"), "gossip P=8 T=0 variant=ocg C=6", unreached(6), ""},
		{of("gossip"), "gossip P=8 T=0 variant=ocg C=6 faults=crash:0@after-send2", unreached(7), ""},
		{of("big"), sixteen + "faults=crash:0@after-send1,slow:3x2", unsoundly("integrity"), soundness.says},
		{of("big"), sixteen + "faults=crash:0@after-send1,slow:3x2", stuck(1), waits},
		{of("big"), sixteen + "faults=crash:1,crash:2,crash:4,slow:3x2", unreached(3), reached},
		{of("big"), sixteen + "faults=crash:1,crash:2,crash:4,crash:8", unreached(3), ""},
		{of("big"), sixteen + "faults=crash:0@after-send1", unreached(3), ""},
		{of("big"), "big P=1", unreached(0), reached},
		{of("big"), "big P=1 faults=crash:0", unreached(), ""},
		{of("bfb"), bfb + "faults=hang:4@t7,slow:3x2", unsoundly("only coloured ranks send"), soundness.says},
		{of("bfb"), bfb, colouredAt(3, 40), early},
		{of("bfb"), bfb + "faults=hang:3@t7", colouredAt(3, 40), ""},
		{of("bfb"), bfb + "faults=crash:3", restart, often},
		{of("bfb"), bfb + "faults=crash:3@t255", restart, often},
		{of("bfb"), bfb + "faults=crash:3@after-send1", restart, ""},
		{of("bfb"), bfb + "faults=crash:4@t6", stuck(3), waits},
		{of("bfb"), bfb + "faults=crash:0@t6,hang:4@t6", stuck(2), ""},
		{of("bfb"), bfb + "faults=hang:0@t6,crash:4@t6", stuck(2), waits},
		{of("bfb"), bfb + "faults=crash:4@t6,slow:3x2", stuck(2), waits},
		{of("bfb"), bfb + "faults=crash:4@t6,slow:3x2", both(stuck(2), leftAt(3, 9)), ""},
		{of("bfb"), bfb + "faults=crash:4@t6", both(stuck(2), leftAt(3, 9)), waits},
		{of("bfb"), bfb + "faults=crash:4,slow:3x2", both(stuck(2), leftAt(3, 1)), waits},
		{of("bfb"), bfb + "faults=crash:4,slow:3x2", stuck(2), waits},
		{of("bfb"), bfb + "faults=crash:4@t6", unreached(3), reached},
		{of("bfb"), bfb + "faults=hang:4@t6", unreached(3), ""},
		{of("bfb"), bfb + "notices=hangs faults=hang:4@t6", unreached(3), reached},
		{of("bfb"), bfb + "faults=crash:0@t6", unreached(3), ""},
		{of("bfb"), bfb + "faults=hang:4@t6,crash:4@t9", stuck(2), waits},
		{of("bfb"), bfb + "faults=hang:4@t6,crash:4@t9", both(stuck(2), leftAt(3, 9)), ""},
		{of("bfb"), bfb + "notices=hangs faults=hang:4@t6,crash:4@t9", stuck(2), waits},
		{of("membership"), views, stuck(3), forEver},
		{of("membership"), views + "inquire=none faults=slow:3x16,crash:0@t30,rejoin:0@t300,cut:5|*@t0", stuck(3), forEver},
		{of("membership"), views, verdict("wrong"), held},
		{of("membership"), views + "timeout=7 faults=slow:3x16,crash:0@t30,rejoin:0@t300,cut:5|*@t0", verdict("wrong"), held},
		{of("membership"), views, founded, own},
		{of("membership"), views + "faults=crash:0@t30,rejoin:0@t300,crash:1@t60", founded, own},
		{of("membership"), "membership P=3 members=1 join=1@t0,2@t0 every=60", founded, own},
		{of("membership"), "membership P=3 members=1 join=1@t0,2@t0 every=60 faults=crash:0@t300", founded, ""},
		{of("membership"), "membership P=2 every=60 faults=crash:0@t30,rejoin:0@t300,crash:1@t750", founded, ""},
		{of("membership"), views + "faults=slow:5x2", founded, ""},
		{of("membership"), views + "faults=cut:5|*@t90", founded, ""},
		{of("membership"), views + "timeout=60", founded, ""},
		{of("membership"), views + "minority=abort", founded, ""},
		{of("membership"), views, left, exclusion},
		{of("membership"), views + "faults=crash:0@t30,hang:4@step:regroup", left, exclusion},
		{of("membership"), views + "minority=abort faults=crash:0,crash:1,crash:2,crash:4", left, exclusion},
		{of("membership"), views + "timeout=60", left, ""},
		{of("membership"), views + "faults=slow:5x2", left, ""},
		{of("membership"), "membership P=3 members=1 join=1@t0,2@t0 every=60 faults=crash:0@t300", both(left, founded), ""},
		{of("membership"), views + "faults=crash:4@t30,rejoin:4@t300", left, ""},
		{of("membership"), views + "faults=cut:4|*@t300", left, ""},
		{of("collective"), team, verdict("wrong"), held},
		{of("collective"), team + "faults=crash:3@step:exchange", verdict("wrong"), held},
		{of("collective"), team + "strategy=plain faults=crash:3@step:exchange", verdict("wrong"), held},
		{of("collective"), team, stuck(3), forEver},
		{of("collective"), team + "detector=heartbeat faults=crash:3@step:exchange,hang:5@t30", stuck(4), forEver},
		{of("collective"), team + "detector=perfect faults=crash:3@step:exchange", stuck(4), forEver},
		{of("collective"), team + "detector=perfect faults=hang:3@step:exchange", stuck(4), ""},
		{of("collective"), team + "detector=wrong faults=slow:3x16@t6", stuck(4), ""},
		{of("collective"), team + "strategy=plain faults=crash:3@step:exchange", stuck(4), forEver},
		{of("collective"), team, never, finished},
		{of("samplesort"), "samplesort P=8 n=40 faults=crash:3@step:gather", never, finished},
		{of("tpch-q3"), "tpch-q3 P=8 sf=0.00001 faults=crash:3@step:gather", never, finished},
		{of("collective"), team + "strategy=plain faults=crash:3@step:exchange", never, ""},
		{of("collective"), "collective P=2 op=gather faults=crash:0@t4,crash:1@t4", never, ""},
	} {
		run := tried(t, c.to, c.line)
		c.forge(run)
		err := c.to.promises.judge(run)
		if c.says == "" {
			require.NoError(t, err, c.line)
			continue
		}
		require.ErrorContains(t, err, c.says+": broken: ", c.line)
	}
}

// Whoever promises soundness has verdicts about all of it.
func TestSoundnessIsChecked(t *testing.T) {
	promising := 0
	for _, c := range corpora {
		if c.to.promises.list[0].says != soundness.says {
			continue
		}
		promising++
		var names []string
		for _, v := range tried(t, c.to, c.seeds["no-faults-twice"]).outcome.Guarantees {
			names = append(names, v.Name)
		}
		require.Subset(t, names, sound, c.target)
	}
	require.Equal(t, 3, promising)
}

// What is known of protocols is known of those that exist.
func TestPromisesAreThoseOfTheCatalogue(t *testing.T) {
	for name := range known {
		require.Contains(t, catalog.All().Names(), name)
	}
}
