package catalog

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// ulfmExplored are the explorations of each algorithm: what is left out without -thorough is the largest of each.
func ulfmExplored() (all []search.ExploreOptions, ranks []int) {
	add := func(p int, o search.ExploreOptions) {
		o.Roots, o.Kinds = true, []faults.Kind{faults.Crash}
		all, ranks = append(all, o), append(ranks, p)
	}
	if thorough.All() {
		add(8, search.ExploreOptions{Faults: 2})
		add(5, search.ExploreOptions{Faults: 1, Delays: 1})
		return all, ranks
	}
	add(4, search.ExploreOptions{Faults: 2})
	add(8, search.ExploreOptions{Faults: 1})
	add(3, search.ExploreOptions{Faults: 1, Delays: 1})
	return all, ranks
}

// exploreULFM explores a line on as many ranks as there are explorations, and returns what was broken.
func exploreULFM(t *testing.T, line string) (broken []search.Violation) {
	t.Helper()
	options, ranks := ulfmExplored()
	for i, o := range options {
		run := mustParse(t, fmt.Sprintf("%s P=%d", line, ranks[i]))
		found, err := search.Explore(context.Background(), run.Subject(), o)
		require.NoError(t, err)
		require.Greater(t, found.Runs, int64(20), "%s", run)
		broken = append(broken, found.Violations...)
	}
	return broken
}

func TestConsensusStandsEveryCrash(t *testing.T) {
	for _, agreement := range []string{"rounds", "era"} {
		for _, op := range []string{"agree", "shrink"} {
			for _, words := range []string{"calls=2", "detector=uneven spread=9 seed=4", "detector=uneven spread=40 G=2"} {
				line := fmt.Sprintf("ulfm op=%s agreement=%s %s", op, agreement, words)
				t.Run(line, func(t *testing.T) { require.Empty(t, exploreULFM(t, line)) })
			}
		}
	}
}

func TestRevocationsStandEveryCrash(t *testing.T) {
	for _, revoke := range revocations.Names() {
		for _, words := range []string{"", "root=2", "detector=uneven spread=9 seed=4"} {
			line := fmt.Sprintf("ulfm op=revoke revoke=%s %s", revoke, words)
			t.Run(line, func(t *testing.T) { require.Empty(t, exploreULFM(t, line)) })
		}
	}
}

// What Open MPI and MPICH do not stand is beyond what is claimed; within that nothing is broken, also of what they stand.
func TestOthersKeepWhatTheyClaim(t *testing.T) {
	for _, agreement := range []string{"openmpi", "mpich"} {
		for _, op := range []string{"agree", "shrink"} {
			line := fmt.Sprintf("ulfm op=%s agreement=%s wait=9", op, agreement)
			t.Run(line, func(t *testing.T) {
				for _, v := range exploreULFM(t, line) {
					for _, b := range v.Broken {
						assert.NotEmpty(t, b.Beyond, "%v: %s: %s", v.Schedule, b.Name, b.Evidence)
					}
				}
			})
		}
	}
}

// If all know of all failures before they call, MPICH's way is as good as any.
func TestMPICHStandsWhatAllKnowBefore(t *testing.T) {
	for _, op := range []string{"agree", "shrink"} {
		for first := 1; first < 8; first++ {
			for second := first + 1; second < 8; second++ {
				line := fmt.Sprintf("ulfm op=%s P=8 calls=2 agreement=mpich wait=9 faults=crash:%d@t0,crash:%d@t3", op, first, second)
				outcome := mustExecute(t, line, scenarios.Options{})
				require.Equal(t, guarantee.Held, outcome.Verdict(), line)
				for _, g := range outcome.Guarantees {
					require.NotEqual(t, guarantee.Broken, g.Value, "%s: %s: %s", line, g.Name, g.Evidence)
				}
			}
		}
	}
}

const (
	saysSame     = "all live ranks return the same"
	saysCounts   = "the vote of every live rank counts"
	saysReported = "a failure is reported unless all have acknowledged it"
	saysKnown    = "who did not vote is known to have failed"
	saysWaits    = "no deadlock"
	saysMembers  = "every live rank is a member"
	saysWithout  = "nobody is a member that one knew to have failed"
)

// What was found to break the algorithms of others, as small as it gets; docs/agreement.md tells how. The same schedules do
// no harm to the algorithms that are a consensus.
func TestWhatBreaksOthers(t *testing.T) {
	for _, found := range []struct {
		words, agreement, faults string
		broken                   []string
		why                      string // whether it is the algorithm or our reading of it
	}{
		{"op=agree calls=2 P=5", "openmpi", "late:0@send2+2,crash:0@step:call#2", []string{saysReported},
			"the source: a list of acknowledged failures that is empty counts as none, so another one takes its place"},
		{"op=agree P=4 detector=uneven spread=30 seed=30165", "openmpi", "crash:0@before-send1", []string{saysKnown},
			"the source: a failure that becomes known on the way is reported, and its name is not passed on"},
		{"op=agree P=4 detector=uneven spread=30 seed=11", "openmpi", "crash:2@step:call,crash:1@after-send1", []string{saysSame, saysCounts, saysReported, saysKnown, saysWaits},
			"the source: who has voted to a rank that is not above it in that rank's tree is not told the decision"},
		{"op=shrink P=8 detector=uneven spread=30 seed=7", "openmpi", "crash:2@after-send4", []string{saysSame, saysMembers, saysWithout, saysWaits},
			"the source: the same, in the second of the agreements that make a Shrink"},
		{"op=agree P=8", "mpich", "crash:1@after-send1", []string{saysSame, saysCounts, saysReported, saysKnown, saysWaits},
			"the algorithm: who meets a failure leaves the reduction, and the others wait for it or take its next messages for those of this one"},
		{"op=agree P=8", "mpich", "crash:0@t0", []string{saysSame, saysCounts, saysReported, saysKnown},
			"the algorithm: all depend on rank 0; that those who get no list from it go on as if nobody had failed is our reading of memory that nobody has written to"},
		{"op=agree P=5", "mpich", "crash:4@after-send4", []string{saysSame, saysCounts, saysReported, saysKnown},
			"the algorithm: failures in the second reduction are ignored, so flags differ without an error"},
		{"op=shrink P=8", "mpich", "crash:0@t0", []string{saysSame, saysMembers, saysWithout, saysWaits},
			"the algorithm, and our reading as above: some give up after five attempts, and others wait for them"},
	} {
		line := func(agreement string) string {
			return fmt.Sprintf("ulfm %s agreement=%s faults=%s", found.words, agreement, found.faults)
		}
		t.Run(line(found.agreement), func(t *testing.T) {
			require.Equal(t, found.broken, brokenBy(t, line(found.agreement)), found.why)
			require.Empty(t, brokenBy(t, line("rounds")))
			require.Empty(t, brokenBy(t, line("era")))
		})
	}
}

// brokenBy are the promises that a run breaks.
func brokenBy(t *testing.T, line string) (names []string) {
	for _, g := range mustExecute(t, line, scenarios.Options{}).Guarantees {
		if g.Value == guarantee.Broken {
			names = append(names, g.Name)
		}
	}
	return names
}

// Rank 0 decides and tells rank 1 alone, which tells rank 3 alone; both fail. Rank 2 decides anew with rank 3's vote, while what rank 1
// has told rank 3 is still on its way: if that counted, rank 3 would have decided otherwise.
func TestADecisionOfOneKnownToHaveFailedDoesNotCount(t *testing.T) {
	const line = "ulfm op=agree P=4 agreement=era faults=late:1@send2+2,crash:1@after-send2,crash:0@after-send1"
	require.Empty(t, brokenBy(t, line))
}

// Rank 0 decides, tells some and fails. The next root knows that and asks one whose message is still on its way: that one votes to rank 0 once more, which it does
// not know to have failed, takes the decision, and must then tell the root that has asked.
func TestTheNextRootIsToldADecisionThatWasOnItsWay(t *testing.T) {
	for _, line := range []string{
		"ulfm op=agree P=4 G=2 agreement=era detector=uneven spread=40 faults=crash:0@after-send1,crash:1@t0",
		"ulfm op=agree P=3 G=2 agreement=era detector=uneven spread=40 seed=54986 faults=late:0@send1+4,crash:0@after-send2",
	} {
		require.Empty(t, brokenBy(t, line), line)
	}
}

func TestTeamsStandFailuresByTheEarlyReturningAgreement(t *testing.T) {
	for _, application := range []string{"samplesort P=8 n=400", "tpch-q3 P=8 sf=0.0005", "collective op=reduce P=8"} {
		for _, schedule := range []string{"none", "crash:0@step:agree", "crash:1@step:repair,crash:0@step:exchange", "crash:3@step:exchange#2"} {
			line := fmt.Sprintf("%s agreement=era revoke=flooding faults=%s", application, schedule)
			outcome := mustExecute(t, line, scenarios.Options{})
			require.Equal(t, guarantee.Held, outcome.Verdict(), line)
			require.NotEqual(t, clock.Never, outcome.Completion.At, line)
		}
	}
	run := mustParse(t, "collective op=reduce P=4 agreement=era")
	found, err := search.Explore(context.Background(), run.Subject(), search.ExploreOptions{Faults: 1, Roots: true, Kinds: []faults.Kind{faults.Crash}})
	require.NoError(t, err)
	require.Empty(t, found.Violations)
}

// What the algorithms are made for takes as long as this with so many failures that all know of: no more messages than without.
func TestKnownFailuresCostNoMessages(t *testing.T) {
	for _, agreement := range agreements.Names() {
		messages := func(words string) int64 {
			return mustExecute(t, fmt.Sprintf("ulfm P=64 agreement=%s wait=9 %s", agreement, words), scenarios.Options{}).Report.Messages
		}
		require.Less(t, messages("faults=crash:~16@t0 seed=2"), messages("faults=none"), agreement)
	}
}

func TestSharesOfULFMAreChecked(t *testing.T) {
	run := mustParse(t, "ulfm P=4")
	run.Prepare()
	good, err := run.Save(2)
	require.NoError(t, err)
	require.NoError(t, run.Load(1, good))
	experiment, err := buildULFM(run.Settings())
	require.NoError(t, err)
	state := experiment.State.(scenarios.PerRank[ulfmShare])
	err = state.Take(1, &ulfmShare{Calls: []ulfmCall{{Known: []int{4}}}})
	require.ErrorContains(t, err, "rank 4, want 0 to 3")
	require.True(t, slices.Contains(All().Names(), "ulfm"))
}
