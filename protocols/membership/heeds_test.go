package membership_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// before leaves out what is sent later.
func before(end clock.Time, sent []report.Event) []report.Event {
	return slices.DeleteFunc(sent, func(e report.Event) bool { return e.Time >= end })
}

// The children of rank 1 have acknowledged the view change that was overtaken, and not yet the one that it waits for.
func TestAcknowledgementOfAFormerViewChangeDoesNotCount(t *testing.T) {
	s, err := membership.New(7, asked(papers(7), 2))
	require.NoError(t, err)
	script := []told{
		{0, 0, membership.FailedNode, gone(6)}, {12, 0, membership.FailedNode, gone(5, 6)},
		{20, 3, membership.FailureAck, gone(6)}, {20, 4, membership.FailureAck, gone(6)},
	}
	want := []send{
		{3, membership.FailedNode, gone(6)}, {4, membership.FailedNode, gone(6)}, {0, membership.FailureAck, gone(6)},
		{3, membership.FailedNode, gone(5, 6)}, {4, membership.FailedNode, gone(5, 6)},
	}
	requireSends(t, before(40, play(t, papers(7), s, script...)), want...)

	script = append(script, told{25, 3, membership.FailureAck, gone(5, 6)}, told{25, 4, membership.FailureAck, gone(5, 6)})
	requireSends(t, before(40, play(t, papers(7), s, script...)), append(want, send{0, membership.FailureAck, gone(5, 6)})...)
}

// A rank that has left is told so once, however often it reports, and whenever it asks.
func TestWhoHasLeftIsToldOnce(t *testing.T) {
	s, err := membership.New(7, asked(papers(7), 2))
	require.NoError(t, err)
	script := []told{
		{0, 0, membership.FailedNode, gone(3, 4, 5)},
		{10, 5, membership.NodeFailure, gone(6)}, {15, 5, membership.NodeFailure, gone(6)},
	}
	want := []send{{0, membership.FailureAck, gone(3, 4, 5)}, {5, membership.Excluded, gone(3, 4, 5)}}
	requireSends(t, before(40, play(t, papers(7), s, script...)), want...)

	script = append(script, told{20, 5, membership.HowAreYou, gone(6)})
	requireSends(t, before(40, play(t, papers(7), s, script...)), append(want, want[1])...)
}

// Rank 1 hears from a root and its large group that it is no member any more: it asks to come back, and does not
// tell them that it is they who have left.
func TestWhoGivesInAsksToComeBack(t *testing.T) {
	requireSends(t, answers(t, told{0, 0, membership.Excluded, gone(1)}), send{0, membership.NodeAlive, ""})
	requireSends(t, answers(t, told{0, 0, membership.Excluded, gone(1, 2, 3, 4)}), send{0, membership.Excluded, ""})
}

// newcomer has rank 1 ask to become a member of a group of rank 0, who says what it is told to. It returns what rank 1 has noted.
func newcomer(t *testing.T, says ...mailbox.Message) membership.Record {
	t.Helper()
	return newcomerUntil(t, 30, says...)
}

func newcomerUntil(t *testing.T, end clock.Time, says ...mailbox.Message) membership.Record {
	t.Helper()
	logp := papers(2)
	o := asked(logp, 2)
	o.Members, o.Joins, o.Until = 1, []membership.Join{{Rank: 1}}, end
	s, err := membership.New(2, o)
	require.NoError(t, err)
	machine, err := emu.New(emu.Config{LogP: logp})
	require.NoError(t, err)
	_, err = machine.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 1 {
			s.Program().Main(p)
			return
		}
		p.WaitUntil(10)
		for _, m := range says {
			p.Send(1, m)
		}
	}}, emu.Options{})
	require.NoError(t, err)
	return s.Records()[1]
}

// The view change may have been lost with a root that failed. The welcome is enough, if somebody has taken the request.
func TestWelcomeMakesAMember(t *testing.T) {
	joined := membership.Changes("").With(1, 1)
	receipt := mailbox.Message{Kind: membership.NewNodeJoinDetAck, Epoch: 1, A: 1}
	welcome := mailbox.Message{Kind: membership.JoinDetAck, Payload: string(joined)}

	got := newcomer(t, receipt, welcome, welcome)
	require.True(t, got.Member)
	require.Equal(t, 1, got.Terms)
	require.Len(t, got.Installed, 1, "the second one brings nothing new")
	require.Equal(t, membership.JoinDetAck, got.Installed[0].Kind)
	require.Equal(t, joined, got.View)

	again := mailbox.Message{Kind: membership.JoinDetAck, Payload: string(membership.Changes("").With(1, 3))}
	require.True(t, newcomer(t, receipt, again).Member, "others have admitted it once more")
	require.False(t, newcomer(t, welcome).Member, "nobody has taken its request")
	require.False(t, newcomer(t, receipt).Member, "it is to wait for a view")
	receipt.Epoch = 3
	require.False(t, newcomer(t, receipt, welcome).Member, "that was meant for a former life")
	receipt.A, receipt.Epoch = 2, 1
	require.False(t, newcomer(t, receipt, welcome).Member, "that is the receipt of another request")
}

// There was a group, so a rank that has asked all of it in vain asks once more. If nobody answers any of these requests, there is none.
func TestWhoIsNotAnsweredAnyMoreFoundsAGroup(t *testing.T) {
	receipt := mailbox.Message{Kind: membership.NewNodeJoinDetAck, Epoch: 1, A: 1}
	require.Equal(t, 1, newcomerUntil(t, 1000).Founded)
	require.Equal(t, 1, newcomerUntil(t, 1000, receipt).Founded)
	require.Zero(t, newcomer(t, receipt).Founded)
}

// The last rank is 6, and the first 0.
func TestQuestionsAreOfRanksThatThereAre(t *testing.T) {
	for _, q := range []membership.Question{{From: 0, To: 7}, {From: -1, To: 1}} {
		o := plain()
		o.Questions = []membership.Question{q}
		_, err := membership.New(7, o)
		require.ErrorContains(t, err, wantTwoRanks)
	}
}

// Ranks 5 and 6 were no members at the start. Rank 5 is new, rank 6 comes back, and the root hears of somebody new.
func TestNewsOfANewRankAndOfOneThatIsBackIsOfANewRank(t *testing.T) {
	o := asked(papers(7), 2)
	o.Members = 5
	s, err := membership.New(7, o)
	require.NoError(t, err)
	isNew, isBack := membership.Changes("").With(5, 1), membership.Changes("").With(6, 3)
	for _, c := range []struct {
		news membership.Changes
		kind mailbox.Kind
	}{{isNew, membership.NewNode}, {isBack, membership.NodeAlive}, {isNew.Merge(isBack), membership.NewNode}} {
		got := before(20, play(t, papers(7), s, told{0, 3, membership.FailureAck, c.news}))
		requireSends(t, got, send{0, c.kind, c.news})
	}
}

// Schedules can let a rank fail when it begins a group of its own.
func TestWhoBeginsAGroupPassesAStep(t *testing.T) {
	x := run(t, papers(2), usual(papers(2), 2), "crash:0@t5,crash:1@t6,rejoin:1@t900")
	steps := 0
	for _, e := range x.Events {
		if e.Step == membership.StepFound {
			require.Equal(t, 1, e.Rank)
			steps++
		}
	}
	require.Equal(t, 1, steps)
	require.Equal(t, "1 (1 member, 1 change)", x.view(1))
}

// givesIn says what rank 1 answers at t=10 to those who have excluded it: it asks to come back, or excludes them.
func givesIn(t *testing.T, hears told, theirs told) []report.Event {
	t.Helper()
	s, err := membership.New(7, asked(papers(7), 2))
	require.NoError(t, err)
	return slices.DeleteFunc(before(40, play(t, papers(7), s, hears, theirs)), func(e report.Event) bool {
		return e.Msg != membership.Excluded && e.Msg != membership.NodeAlive
	})
}

// Of its own group, half is enough.
func TestARankGivesInToHalfOfItsGroup(t *testing.T) {
	six := told{0, 0, membership.FailedNode, gone(6)}
	requireSends(t, givesIn(t, six, told{10, 0, membership.Excluded, gone(1, 4, 5, 6)}), send{0, membership.NodeAlive, ""})
	requireSends(t, givesIn(t, six, told{10, 0, membership.Excluded, gone(1, 3, 4, 5, 6)}), send{0, membership.Excluded, gone(6)})
}

// Of two groups of four that exclude each other, the one with the lower root stays.
func TestOfTwoGroupsOfOneSizeThatOfTheLowerRootStays(t *testing.T) {
	four := told{0, 3, membership.NodeFailure, gone(0, 2, 4)}
	requireSends(t, givesIn(t, four, told{10, 0, membership.Excluded, gone(1, 3, 5)}), send{0, membership.NodeAlive, ""})
	requireSends(t, givesIn(t, four, told{10, 2, membership.Excluded, gone(0, 1, 3)}), send{2, membership.Excluded, gone(0, 2, 4)})
}

// The root has to say that it has got this very report, or rank 1 takes it for failed, and is the next root.
func TestTheReceiptOfAnotherReportDoesNotCount(t *testing.T) {
	s, err := membership.New(7, asked(papers(7), 2))
	require.NoError(t, err)
	sent := play(t, papers(7), s, told{0, 5, membership.NodeFailure, gone(6)}, told{8, 0, membership.FailureDetAck, gone(6)})
	require.True(t, slices.ContainsFunc(sent, func(e report.Event) bool { return e.Msg == membership.RootAndNodeFailure }))
}
