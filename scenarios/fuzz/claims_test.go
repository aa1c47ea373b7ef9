package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
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
	both   = func(a, b func(*trial)) func(*trial) { return func(t *trial) { a(t); b(t) } }
	asItIs = func(*trial) {}
)

// Every promise of every family is judged where it is made: runs that kept it are made to look
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
	forEver, service, exclusion := "nobody waits for ever", "every guarantee of the service holds", "nobody who lives is excluded"
	computed, finished := "every guarantee of the computation holds", "somebody has the right result"
	never := func(t *trial) { t.outcome.Completion.At = clock.Never }
	own := "nobody begins a group of its own while a first member lives"
	founded := happened(report.Event{Time: 90, Rank: 3, Kind: report.EventStep, Step: stepFound})
	left := happened(report.Event{Time: 90, Rank: 3, Kind: report.EventStep, Step: stepExcluded})
	alarm := happened(report.Event{Time: 20, Rank: 3, Kind: report.EventSend, Msg: kindSOS})
	restart := happened(report.Event{Time: 20, Kind: report.EventStep, Step: stepRestart})
	for _, c := range []struct {
		family *family
		line   string
		forge  func(*trial)
		says   string // what is broken; "" if nothing is
	}{
		{broadcastFamily, checked, stuck(3), waits},
		{broadcastFamily, tree + "faults=crash:1", stuck(2), waits},
		{broadcastFamily, tree + "faults=crash:1", stuck(3), ""}, // nothing has reached it
		{broadcastFamily, tree + "faults=crash:1", asItIs, ""},
		{broadcastFamily, "broadcast P=8 correction=ack faults=crash:1", stuck(0), ""},
		{broadcastFamily, checked, unreached(3), reached},
		{broadcastFamily, checked + "faults=crash:1", unreached(3), reached},
		{broadcastFamily, checked + "repeat=2", stuck(3), reached}, // for the second broadcast
		{broadcastFamily, checked + "faults=crash:1@after-send1", unreached(3), ""},
		{broadcastFamily, proof + "faults=crash:0@send2", unreached(3), divides},
		{broadcastFamily, proof + "faults=crash:0@send2", unreached(1, 2, 3, 4, 5, 6), divides},
		{broadcastFamily, proof + "faults=crash:0@send2", unreached(1, 2, 3, 4, 5, 6, 7), ""},
		{broadcastFamily, proof + "faults=crash:0@send2,crash:1@after-send1", unreached(3), ""},
		{broadcastFamily, checked + "repeat=2", verdict("late"), "every broadcast of a series is in time"},
		{broadcastFamily, checked + "repeat=2 faults=slow:3x2", verdict("late"), ""},
		{multiTreeFamily, trees + "faults=crash:1", stuck(3), waits},
		{multiTreeFamily, trees + "faults=crash:1,crash:2", stuck(0), waits},
		{multiTreeFamily, trees + "faults=crash:1", unreached(3), reached},
		{multiTreeFamily, trees + "faults=crash:1,crash:2", unreached(3), ""},
		{reduceFamily, "reduce P=8", verdict("wrong"), "the root has a whole result, if one is promised, and nobody waits for ever"},
		{allReduceFamily, all, verdict("wrong"), "whole results are the same everywhere, each live rank once and in order"},
		{allReduceFamily, all + "faults=crash:0@t9", verdict("wrong"), "whole results are the same everywhere, each live rank once and in order"},
		{allReduceFamily, all, stuck(3), "nobody waits for ever"},
		{allReduceFamily, all, verdict(noResult + "rank 3"), "every live rank has a whole result"},
		{allReduceFamily, all + "faults=crash:1,crash:2", verdict(noResult + "rank 3"), ""},
		{gossipFamily, ccg, unsoundly("integrity"), soundness.says},
		{gossipFamily, ccg + "variant=gos faults=slow:1x2,hang:0@t4", unsoundly("no duplicates"), soundness.says},
		{gossipFamily, ccg, unsoundly("another"), ""},
		{gossipFamily, ccg + "variant=gos faults=slow:1x2,hang:0@t4", stuck(0), waits},
		{gossipFamily, ccg + "faults=crash:1@t9", unreached(3), reached},
		{gossipFamily, ccg + "faults=slow:1x16", unreached(3), reached},
		{gossipFamily, ccg + "faults=crash:0@t9", unreached(3), divides},
		{gossipFamily, ccg + "faults=crash:0@t12", unreached(3), ""}, // it has corrected
		{gossipFamily, ccg + "faults=crash:0@t9", unreached(1, 2, 3, 4, 5, 6, 7), ""},
		{gossipFamily, fcg + "faults=crash:0@t12", unreached(3), divides},
		{gossipFamily, fcg + "faults=crash:1@t12", unreached(3), reached},
		{gossipFamily, fcg, alarm, help},
		{gossipFamily, fcg + "faults=slow:1x2", alarm, ""},
		{gossipFamily, "gossip P=8 T=0 variant=fcg f=1", alarm, ""}, // the root is the only g-node
		{gossipFamily, "gossip P=8 T=0 variant=ocg C=6", unreached(7), near},
		{gossipFamily, "gossip P=8 T=0 variant=ocg C=6", unreached(2), near},
		{gossipFamily, "gossip P=8 T=0 variant=ocg C=6", unreached(3), ""},
		{gossipFamily, "gossip P=8 T=0 variant=ocg C=6", unreached(6), ""},
		{gossipFamily, "gossip P=8 T=0 variant=ocg C=6 faults=crash:0@after-send2", unreached(7), ""},
		{bigFamily, sixteen + "faults=crash:0@after-send1,slow:3x2", unsoundly("integrity"), soundness.says},
		{bigFamily, sixteen + "faults=crash:0@after-send1,slow:3x2", stuck(1), waits},
		{bigFamily, sixteen + "faults=crash:1,crash:2,crash:4,slow:3x2", unreached(3), reached},
		{bigFamily, sixteen + "faults=crash:1,crash:2,crash:4,crash:8", unreached(3), ""},
		{bigFamily, sixteen + "faults=crash:0@after-send1", unreached(3), ""},
		{bigFamily, "big P=1", unreached(0), reached},
		{bigFamily, "big P=1 faults=crash:0", unreached(), ""},
		{bfbFamily, bfb + "faults=hang:4@t7,slow:3x2", unsoundly("only coloured ranks send"), soundness.says},
		{bfbFamily, bfb, colouredAt(3, 40), early},
		{bfbFamily, bfb + "faults=hang:3@t7", colouredAt(3, 40), ""},
		{bfbFamily, bfb + "faults=crash:3", restart, often},
		{bfbFamily, bfb + "faults=crash:3@t255", restart, often},
		{bfbFamily, bfb + "faults=crash:3@after-send1", restart, ""},
		{bfbFamily, bfb + "faults=crash:4@t6", stuck(3), waits},
		{bfbFamily, bfb + "faults=crash:0@t6,hang:4@t6", stuck(2), ""},
		{bfbFamily, bfb + "faults=hang:0@t6,crash:4@t6", stuck(2), waits},
		{bfbFamily, bfb + "faults=crash:4@t6,slow:3x2", stuck(2), waits},
		{bfbFamily, bfb + "faults=crash:4@t6,slow:3x2", both(stuck(2), leftAt(3, 9)), ""},
		{bfbFamily, bfb + "faults=crash:4@t6", both(stuck(2), leftAt(3, 9)), waits},
		{bfbFamily, bfb + "faults=crash:4,slow:3x2", both(stuck(2), leftAt(3, 1)), waits},
		{bfbFamily, bfb + "faults=crash:4,slow:3x2", stuck(2), waits},
		{bfbFamily, bfb + "faults=crash:4@t6", unreached(3), reached},
		{bfbFamily, bfb + "faults=hang:4@t6", unreached(3), ""},
		{bfbFamily, bfb + "notices=hangs faults=hang:4@t6", unreached(3), reached},
		{bfbFamily, bfb + "faults=crash:0@t6", unreached(3), ""},
		{bfbFamily, bfb + "faults=hang:4@t6,crash:4@t9", stuck(2), waits},
		{bfbFamily, bfb + "faults=hang:4@t6,crash:4@t9", both(stuck(2), leftAt(3, 9)), ""},
		{bfbFamily, bfb + "notices=hangs faults=hang:4@t6,crash:4@t9", stuck(2), waits},
		{membershipFamily, views, stuck(3), forEver},
		{membershipFamily, views + "inquire=none faults=slow:3x16,crash:0@t30,rejoin:0@t300,cut:5|*@t0", stuck(3), forEver},
		{membershipFamily, views, verdict("wrong"), service},
		{membershipFamily, views + "timeout=7 faults=slow:3x16,crash:0@t30,rejoin:0@t300,cut:5|*@t0", verdict("wrong"), service},
		{membershipFamily, views, founded, own},
		{membershipFamily, views + "faults=crash:0@t30,rejoin:0@t300,crash:1@t60", founded, own},
		{membershipFamily, "membership P=3 members=1 join=1@t0,2@t0 every=60", founded, own},
		{membershipFamily, "membership P=3 members=1 join=1@t0,2@t0 every=60 faults=crash:0@t300", founded, ""},
		{membershipFamily, "membership P=2 every=60 faults=crash:0@t30,rejoin:0@t300,crash:1@t750", founded, ""},
		{membershipFamily, views + "faults=slow:5x2", founded, ""},
		{membershipFamily, views + "faults=cut:5|*@t90", founded, ""},
		{membershipFamily, views + "timeout=60", founded, ""},
		{membershipFamily, views + "minority=abort", founded, ""},
		{membershipFamily, views, left, exclusion},
		{membershipFamily, views + "faults=crash:0@t30,hang:4@step:regroup", left, exclusion},
		{membershipFamily, views + "minority=abort faults=crash:0,crash:1,crash:2,crash:4", left, exclusion},
		{membershipFamily, views + "timeout=60", left, ""},
		{membershipFamily, views + "faults=slow:5x2", left, ""},
		{membershipFamily, "membership P=3 members=1 join=1@t0,2@t0 every=60 faults=crash:0@t300", both(left, founded), ""},
		{membershipFamily, views + "faults=crash:4@t30,rejoin:4@t300", left, ""},
		{membershipFamily, views + "faults=cut:4|*@t300", left, ""},
		{collectiveFamily, team, verdict("wrong"), computed},
		{collectiveFamily, team + "faults=crash:3@step:exchange", verdict("wrong"), computed},
		{collectiveFamily, team + "strategy=plain faults=crash:3@step:exchange", verdict("wrong"), computed},
		{collectiveFamily, team, stuck(3), forEver},
		{collectiveFamily, team + "detector=heartbeat faults=crash:3@step:exchange,hang:5@t30", stuck(4), forEver},
		{collectiveFamily, team + "detector=perfect faults=crash:3@step:exchange", stuck(4), forEver},
		{collectiveFamily, team + "detector=perfect faults=hang:3@step:exchange", stuck(4), ""},
		{collectiveFamily, team + "detector=wrong faults=slow:3x16@t6", stuck(4), ""},
		{collectiveFamily, team + "strategy=plain faults=crash:3@step:exchange", stuck(4), forEver},
		{collectiveFamily, team, never, finished},
		{sampleSortFamily, "samplesort P=8 n=40 faults=crash:3@step:gather", never, finished},
		{queryFamily, "tpch-q3 P=8 sf=0.00001 faults=crash:3@step:gather", never, finished},
		{collectiveFamily, team + "strategy=plain faults=crash:3@step:exchange", never, ""},
		{collectiveFamily, "collective P=2 op=gather faults=crash:0@t4,crash:1@t4", never, ""},
	} {
		run := tried(t, c.family, c.line)
		c.forge(run)
		err := c.family.judge(run)
		if c.says == "" {
			require.NoError(t, err, c.line)
			continue
		}
		require.ErrorContains(t, err, c.says+": broken: ", c.line)
	}
}
