package membership_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// asked is a service in which nobody asks anything but what is given.
func asked(logp clock.LogP, children int, questions ...membership.Question) membership.Options {
	o := usual(logp, children)
	o.Inquiry, o.Every, o.Questions = membership.Nobody, 0, questions
	return o
}

// sends counts the messages of each kind.
func (x outcome) sends() map[mailbox.Kind]int {
	counts := make(map[mailbox.Kind]int)
	for _, e := range x.Events {
		if e.Kind == report.EventSend {
			counts[e.Msg]++
		}
	}
	return counts
}

// everybody makes sure that these ranks hold a view, and only these.
func (x outcome) everybody(t tester, view string, ranks ...int) {
	t.Helper()
	holders := []int{}
	for rank, r := range x.Records() {
		if r.Member && !x.Ranks[rank].Outcome.Failed() && x.view(rank) == view {
			holders = append(holders, rank)
		}
	}
	require.Equal(t, ranks, holders, view)
}

// The example of the thesis, section 3.1.3: node 11 finds that node 4 has failed. It counts from
// 1, so these are ranks 10 and 3. Every rank but the root hears of it once, and acknowledges
// once.
func TestFailureGoesToTheRootAndDownTheTree(t *testing.T) {
	logp := papers(21)
	x := run(t, logp, asked(logp, 4, membership.Question{At: 5, From: 10, To: 3}), "crash:3@t0")
	x.hold(t)
	require.Equal(t, map[mailbox.Kind]int{
		membership.HowAreYou: 1, membership.NodeFailure: 1, membership.FailureDetAck: 1,
		membership.FailedNode: 19, membership.FailureAck: 19,
	}, x.sends())
	x.everybody(t, "0-2+4-20 (20 members, 1 change)", 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)
	// The children of the failed one are children of the root now.
	require.Equal(t, []int{1, 2, 13, 14, 15, 16, 4}, membership.View{Group: x.Group(), Changes: x.Records()[0].View}.Children(0, nil))
	for rank, r := range x.Records() {
		if rank != 3 {
			require.Len(t, r.Installed, 1, rank)
			require.Equal(t, membership.FailedNode, r.Installed[0].Kind)
		}
	}
}

// All but the first of those who find the same failure are acknowledged and cause nothing.
func TestSecondReportOfAFailureIsAcknowledgedOnly(t *testing.T) {
	logp := papers(21)
	x := run(t, logp, asked(logp, 4, membership.Question{At: 5, From: 10, To: 3}, membership.Question{At: 5, From: 17, To: 3}), "crash:3@t0")
	require.Equal(t, 2, x.sends()[membership.NodeFailure])
	require.Equal(t, 2, x.sends()[membership.FailureDetAck])
	require.Equal(t, 19, x.sends()[membership.FailedNode])
	require.Len(t, x.Records()[0].Led, 1)
}

// Nodes 4 and 5 of the thesis, section 3.1.4: the root hears of the first, and finds the second
// when its acknowledgement does not come.
func TestFailureIsFoundWhenAnAcknowledgementDoesNotCome(t *testing.T) {
	logp := papers(21)
	x := run(t, logp, asked(logp, 4, membership.Question{At: 5, From: 10, To: 3}), "crash:3@t0,crash:4@t0")
	x.hold(t)
	stable := x.Records()[0].Led
	require.Len(t, stable, 2)
	require.False(t, stable[0].Stable)
	require.True(t, stable[1].Stable)
	require.Equal(t, "0-2+5-20 (19 members, 2 changes)", x.view(0))
	require.Equal(t, 1, x.sends()[membership.NodeFailure], "the root finds the second by itself")
}

// Further down the tree the parent finds out, and tells the root.
func TestParentTellsTheRootOfAChild(t *testing.T) {
	logp := papers(21)
	x := run(t, logp, asked(logp, 4, membership.Question{At: 5, From: 10, To: 3}), "crash:3@t0,crash:7@t0")
	x.hold(t)
	require.Equal(t, 2, x.sends()[membership.NodeFailure])
	require.Equal(t, "0-2+4-6+8-20 (19 members, 2 changes)", x.view(20))
}

// Section 3.1.4: if a failure has hit each level, each below the one before, it takes as many
// view changes as there are levels below the root.
func TestOneFailureOnEachLevelTakesAViewChangeEach(t *testing.T) {
	for _, test := range []struct {
		children, ranks int
		chain           string
		height          int
	}{
		{2, 31, "crash:1@t0,crash:3@t0,crash:7@t0,crash:15@t0", 5},
		{2, 15, "crash:1@t0,crash:3@t0,crash:7@t0", 4},
		{4, 85, "crash:1@t0,crash:5@t0,crash:21@t0", 4},
	} {
		logp := papers(test.ranks)
		x := run(t, logp, asked(logp, test.children, membership.Question{At: 0, From: 2, To: 1}), test.chain)
		x.hold(t)
		require.Equal(t, test.height, x.Group().Height(test.ranks))
		stable := x.Records()[0].Led
		require.Len(t, stable, test.height-1)
		for i, s := range stable {
			require.Equal(t, i == len(stable)-1, s.Stable)
		}
	}
}

func TestRootFailure(t *testing.T) {
	logp := papers(15)
	for _, test := range []struct {
		faults string
		kind   mailbox.Kind // of the change that the last root begins
		view   string
		root   int
	}{
		{"crash:0@t0", membership.RootDead, "1-14 (14 members, 1 change)", 1},
		{"hang:0@t20", membership.RootDead, "1-14 (14 members, 1 change)", 1},
		{"crash:0@t0,crash:1@t0", membership.RootAndNodeFailure, "2-14 (13 members, 2 changes)", 2},
		// The next root in the list is found to have failed, and the next, and the next.
		{"crash:0@t0,crash:1@t0,crash:2@t0,crash:3@t0", membership.RootAndNodeFailure, "4-14 (11 members, 4 changes)", 4},
	} {
		x := run(t, logp, asked(logp, 2, membership.Question{At: 30, From: 9, To: 0}), test.faults)
		x.hold(t)
		require.Equal(t, test.view, x.view(14), test.faults)
		require.Equal(t, test.kind, x.Records()[14].Installed[0].Kind, test.faults)
		stable := x.Records()[test.root].Led
		require.True(t, stable[len(stable)-1].Stable, test.faults)
		require.Positive(t, x.sends()[membership.RootFailure], test.faults)
	}
}

// Whoever is next in the list and finds the failure itself needs to tell nobody.
func TestNextRootThatFindsTheFailureLeadsAtOnce(t *testing.T) {
	logp := papers(7)
	x := run(t, logp, asked(logp, 2, membership.Question{At: 0, From: 1, To: 0}), "crash:0@t0")
	require.Zero(t, x.sends()[membership.RootFailure])
	x.everybody(t, "1-6 (6 members, 1 change)", 1, 2, 3, 4, 5, 6)
}

// Who asks at random finds a failure some time.
func TestRandomInquiriesFindFailures(t *testing.T) {
	logp := papers(16)
	o := usual(logp, 2)
	o.Inquiry, o.Every, o.Until = membership.Random, 50, 20000
	x := run(t, logp, o, "crash:5@t70,hang:0@t90,crash:9@send3")
	x.everybody(t, "1-4+6-8+10-15 (13 members, 3 changes)", 1, 2, 3, 4, 6, 7, 8, 10, 11, 12, 13, 14, 15)
	inquired := make(map[int]bool)
	for _, e := range x.Events {
		if e.Kind == report.EventSend && e.Msg == membership.HowAreYou && e.Rank == 3 {
			inquired[e.Peer] = true
			require.NotEqual(t, 3, e.Peer)
		}
	}
	require.Greater(t, len(inquired), 10, "not always the same")
}
