package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// What a report may be made to look like.
var (
	unreached = func(ranks ...int) func(*report.Report) { return func(rep *report.Report) { rep.Unreached = ranks } }
	stuck     = func(rank int) func(*report.Report) {
		return func(rep *report.Report) { rep.Deadlocks = []report.Deadlock{{Rank: rank, Call: "Recv"}} }
	}
	// happened adds an event, in its place.
	happened = func(e report.Event) func(*report.Report) {
		return func(rep *report.Report) {
			place, _ := slices.BinarySearchFunc(rep.Events, e.Time, func(e report.Event, at clock.Time) int { return cmp.Compare(e.Time, at) })
			rep.Events = slices.Insert(rep.Events, place, e)
		}
	}
	colouredAt = func(rank int, at clock.Time) func(*report.Report) {
		return func(rep *report.Report) { rep.Ranks[rank].Coloured = at }
	}
	leftAt = func(rank int, at clock.Time) func(*report.Report) {
		return func(rep *report.Report) { rep.Ranks[rank].Exit = at }
	}
	// alive makes a rank that is missing in the results of others one that has not failed.
	alive = func(rank int) func(*report.Report) {
		return func(rep *report.Report) { rep.Ranks[rank].Outcome = report.Finished }
	}
	both = func(a, b func(*report.Report)) func(*report.Report) {
		return func(rep *report.Report) { a(rep); b(rep) }
	}
	asItIs = func(*report.Report) {}
)

// forged runs a line, makes the report look like something else, and judges the run again.
func forged(t *testing.T, line string, forge func(*report.Report)) []guarantee.Verdict {
	t.Helper()
	run := mustParse(t, line)
	outcome, err := run.Execute(t.Context(), scenarios.Options{Trace: emu.TraceEvents, Workers: 1})
	require.NoError(t, err)
	forge(outcome.Report)
	return run.Judge(outcome.Report).Guarantees
}

// claimed are the names of promises that are broken, and not beyond what is claimed.
func claimed(all []guarantee.Verdict) (names []string) {
	for _, v := range guarantee.OnlyBroken(all) {
		if v.Beyond == "" {
			names = append(names, v.Name)
		}
	}
	return names
}

// Every promise is judged where it is made, and nowhere else: runs that kept it are made to look as if they had not, and
// every line stands next to one that differs in a single failure.
func TestEveryPromiseIsJudgedWhereItIsMade(t *testing.T) {
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
	reached, waits := "reaches every live rank", "whoever is reached returns"
	help, near := "nobody sends SOS", "the neighbours of ranks that correct are reached"
	early, often := "when the root says so, all live ranks have the message", "no more attempts than failures meanwhile, and one"
	forEver, exclusion := "no deadlock", "nobody who lives is excluded"
	own := "nobody begins a group of its own while a first member lives"
	founded := happened(report.Event{Time: 90, Rank: 3, Kind: report.EventStep, Step: membership.StepFound})
	left := happened(report.Event{Time: 90, Rank: 3, Kind: report.EventStep, Step: membership.StepExcluded})
	alarm := happened(report.Event{Time: 20, Rank: 3, Kind: report.EventSendLost, Msg: correction.SOS})
	restart := happened(report.Event{Time: 20, Kind: report.EventStep, Step: buntinas.StepRestart})
	for _, c := range []struct {
		line  string
		forge func(*report.Report)
		says  string // what is broken; "" if nothing is that was claimed
	}{
		{checked, stuck(3), waits},
		{tree + "faults=crash:1", stuck(2), waits},
		{tree + "faults=crash:1", stuck(3), ""}, // nothing has reached it
		{tree + "faults=crash:1", asItIs, ""},
		{"broadcast P=8 correction=ack faults=crash:1", stuck(0), ""},
		{checked, unreached(3), reached},
		{checked + "faults=crash:1", unreached(3), reached},
		{checked + "repeat=2", stuck(3), forEver}, // for the second broadcast
		{checked + "faults=crash:1@after-send1", unreached(3), ""},
		{proof + "faults=crash:0@send2", unreached(3), reached},
		{proof + "faults=crash:0@send2", unreached(1, 2, 3, 4, 5, 6), reached},
		{proof + "faults=crash:0@send2", unreached(1, 2, 3, 4, 5, 6, 7), ""},
		{proof + "faults=crash:0@send2,crash:1@after-send1", unreached(3), ""},
		{trees + "faults=crash:1", stuck(3), waits},
		{trees + "faults=crash:1,crash:2", stuck(0), waits},
		{trees + "faults=crash:1", unreached(3), reached},
		{trees + "faults=crash:1,crash:2", unreached(3), ""},
		{all + "faults=crash:1", alive(1), completeIsRight},
		{all + "faults=crash:1,crash:0@t90", alive(1), completeIsRight},
		{all, stuck(3), forEver},
		{ccg + "variant=gos faults=slow:1x2,hang:0@t4", stuck(0), waits},
		{ccg + "faults=crash:1@t9", unreached(3), reached},
		{ccg + "faults=slow:1x16", unreached(3), reached},
		{ccg + "faults=crash:0@t9", unreached(3), reached},
		{ccg + "faults=crash:0@t12", unreached(3), ""}, // it has corrected
		{ccg + "faults=crash:0@t9", unreached(1, 2, 3, 4, 5, 6, 7), ""},
		{fcg + "faults=crash:0@t12", unreached(3), reached},
		{fcg + "faults=crash:1@t12", unreached(3), reached},
		{fcg, alarm, help},
		{fcg + "faults=slow:1x2", alarm, ""},
		{"gossip P=8 T=0 variant=fcg f=1", alarm, ""}, // the root is the only g-node
		{"gossip P=8 T=0 variant=ocg C=6", unreached(7), near},
		{"gossip P=8 T=0 variant=ocg C=6", unreached(2), near},
		{"gossip P=8 T=0 variant=ocg C=6", unreached(3), ""},
		{"gossip P=8 T=0 variant=ocg C=6", unreached(6), ""},
		{"gossip P=8 T=0 variant=ocg C=6 faults=crash:0@after-send2", unreached(7), ""},
		{sixteen + "faults=crash:0@after-send1,slow:3x2", stuck(1), waits},
		{sixteen + "faults=crash:1,crash:2,crash:4,slow:3x2", unreached(3), reached},
		{sixteen + "faults=crash:1,crash:2,crash:4,crash:8", unreached(3), ""},
		{sixteen + "faults=crash:0@after-send1", unreached(3), ""},
		{"big P=1", unreached(0), reached},
		{"big P=1 faults=crash:0", unreached(), ""},
		{bfb, colouredAt(3, 40), early},
		{bfb + "faults=hang:3@t7", colouredAt(3, 40), ""},
		{bfb + "faults=crash:3", restart, often},
		{bfb + "faults=crash:3@t255", restart, often},
		{bfb + "faults=crash:3@after-send1", restart, ""},
		{bfb + "faults=crash:4@t6", stuck(3), waits},
		{bfb + "faults=crash:0@t6,hang:4@t6", stuck(2), ""},
		{bfb + "faults=hang:0@t6,crash:4@t6", stuck(2), waits},
		{bfb + "faults=crash:4@t6,slow:3x2", stuck(2), waits},
		{bfb + "faults=crash:4@t6,slow:3x2", both(stuck(2), leftAt(3, 9)), ""},
		{bfb + "faults=crash:4@t6", both(stuck(2), leftAt(3, 9)), waits},
		{bfb + "faults=crash:4,slow:3x2", both(stuck(2), leftAt(3, 1)), waits},
		{bfb + "faults=crash:4,slow:3x2", stuck(2), waits},
		{bfb + "faults=crash:4@t6", unreached(3), reached},
		{bfb + "faults=hang:4@t6", unreached(3), ""},
		{bfb + "notices=hangs faults=hang:4@t6", unreached(3), reached},
		{bfb + "faults=crash:0@t6", unreached(3), ""},
		{bfb + "faults=hang:4@t6,crash:4@t9", stuck(2), waits},
		{bfb + "faults=hang:4@t6,crash:4@t9", both(stuck(2), leftAt(3, 9)), ""},
		{bfb + "notices=hangs faults=hang:4@t6,crash:4@t9", stuck(2), waits},
		{views, stuck(3), forEver},
		{views + "inquire=none faults=slow:3x16,crash:0@t30,rejoin:0@t300,cut:5|*@t0", stuck(3), forEver},
		{views, founded, own},
		{views + "faults=crash:0@t30,rejoin:0@t300,crash:1@t60", founded, own},
		{"membership P=3 members=1 join=1@t0,2@t0 every=60", founded, own},
		{"membership P=3 members=1 join=1@t0,2@t0 every=60 faults=crash:0@t300", founded, ""},
		{"membership P=2 every=60 faults=crash:0@t30,rejoin:0@t300,crash:1@t750", founded, ""},
		{views + "faults=slow:5x2", founded, ""},
		{views + "faults=cut:5|*@t90", founded, ""},
		{views + "timeout=60", founded, ""},
		{views + "minority=abort", founded, ""},
		{views, left, exclusion},
		{views + "faults=crash:0@t30,hang:4@step:regroup", left, exclusion},
		{views + "minority=abort faults=crash:0,crash:1,crash:2,crash:4", left, exclusion},
		{views + "timeout=60", left, ""},
		{views + "faults=slow:5x2", left, ""},
		{"membership P=3 members=1 join=1@t0,2@t0 every=60 faults=crash:0@t0", left, ""},
		{views + "faults=crash:4@t30,rejoin:4@t300", left, ""},
		{views + "faults=cut:4|*@t300", left, ""},
		{team, stuck(3), forEver},
		{team + "detector=heartbeat faults=crash:3@step:exchange,hang:5@t30", stuck(4), forEver},
		{team + "detector=perfect faults=crash:3@step:exchange", stuck(4), forEver},
		{team + "detector=perfect faults=hang:3@step:exchange", stuck(4), ""},
		{team + "detector=wrong faults=slow:3x16@t6", stuck(4), ""},
		{team + "strategy=plain faults=crash:3@step:exchange", stuck(4), forEver},
	} {
		broken := claimed(forged(t, c.line, c.forge))
		if c.says == "" {
			assert.Empty(t, broken, c.line)
			continue
		}
		assert.Contains(t, broken, c.says, c.line)
	}
}

// A run of which nobody is left has achieved nothing, whatever the protocol and whenever they failed.
func TestNothingIsHeldWhenNobodyIsLeft(t *testing.T) {
	for _, protocol := range All() {
		for _, at := range []string{"t0", "t1"} {
			line := fmt.Sprintf("%s P=2 faults=crash:0@%[2]s,crash:1@%[2]s", protocol.Name, at)
			outcome := mustExecute(t, line, scenarios.Options{Trace: emu.TraceEvents, Workers: 1})
			require.Empty(t, slices.Collect(outcome.Report.Live()), line)
			assert.Equal(t, guarantee.NotClaimed, outcome.Verdict(), "%s: %v", line, outcome.Guarantees)
		}
	}
}
