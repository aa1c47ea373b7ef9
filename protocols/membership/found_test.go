package membership_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// What searches have found in earlier versions, each as small as it gets.

// nth is which of a rank's sends is the first of a kind to another rank.
func (x outcome) nth(t tester, from, to int, kind mailbox.Kind) (n int) {
	for _, e := range x.Events {
		if e.Kind == report.EventSend && e.Rank == from {
			if n++; e.Peer == to && e.Msg == kind {
				return n
			}
		}
	}
	require.FailNow(t, "no such send")
	return 0
}

// The root admits rank 1, tells 1 and nobody else, and fails. To rank 2 its neighbour 1 is still
// one that has failed; if it did not learn better from 1's inquiry, each would take the other for
// failed.
func TestNewMemberThatOnlyTheRootKnewIsBelieved(t *testing.T) {
	logp := papers(5)
	back := "crash:1@t10,rejoin:1@t950"
	n := run(t, logp, usual(logp, 2), back).nth(t, 0, 1, membership.AliveNodeJoin)
	x := run(t, logp, usual(logp, 2), fmt.Sprintf("%s,crash:0@after-send%d", back, n))
	x.hold(t)
	x.everybody(t, "1-4 (4 members, 3 changes)", 1, 2, 3, 4)
	for rank, r := range x.Records() {
		require.Zero(t, r.Excluded, rank)
	}
}

// Rank 0 comes back, and hears of rank 17, who is to become a member, before anybody has admitted
// itself. It must not take that for its own admission.
func TestRankThatComesBackWaitsToBeAdmitted(t *testing.T) {
	logp := clock.LogP{Ranks: 18, Latency: 1, Overhead: 2}
	o := usual(logp, 8)
	o.Compute, o.Every, o.Until, o.Members = 10, 56, 20000, 17
	o.Joins = []membership.Join{{At: 600, Rank: 17}}
	x := run(t, logp, o, "crash:0@recv18,crash:1@step:regroup,hang:15@recv15,rejoin:0@t1064")
	x.hold(t)
	for rank, r := range x.Records() {
		require.Zero(t, r.Excluded, rank)
	}
}

// Ranks that come back at the same time are no help to each other.
func TestWhoIsNoMemberAdmitsNobody(t *testing.T) {
	logp := papers(7)
	x := run(t, logp, usual(logp, 2), "crash:0@t10,crash:1@t10,rejoin:0@t950,rejoin:1@t950")
	x.hold(t)
	for _, e := range x.Events {
		if e.Kind == report.EventSend && e.Msg == membership.AliveNodeJoinDetAck && e.Rank < 2 && e.Peer < 2 {
			require.Greater(t, e.Time, x.Records()[e.Rank].Installed[0].At, "rank %d", e.Rank)
		}
	}
}

// Nobody has missed rank 4. Its request alone is enough: it need not ask twice.
func TestRequestOfAMemberIsEnough(t *testing.T) {
	logp := papers(7)
	x := run(t, logp, usual(logp, 2), "crash:4@t10,rejoin:4@t20")
	require.Equal(t, 1, x.sends()[membership.NodeAlive])
	require.Zero(t, x.Records()[4].Excluded)
}

// A root that was slow for a while has meanwhile taken others for failed. When it comes back, it
// has forgotten that, and only the next root, with whom it was at odds, has to come back as well.
func TestExcludedRootForgetsWhatItBelieved(t *testing.T) {
	logp := papers(7)
	o := usual(logp, 2)
	o.Until = 20000
	x := run(t, logp, o, "slow:0x80@t120,slow:0x2@t2000")
	require.Positive(t, x.Records()[0].Excluded)
	x.everybody(t, x.view(6), 0, 1, 2, 3, 4, 5, 6)
	x.hold(t)
	for rank := 2; rank < 7; rank++ {
		require.Zero(t, x.Records()[rank].Excluded, rank)
	}
}

// Failures high up in the tree make for large families, which need more time.
func TestLargeFamiliesAreGivenTime(t *testing.T) {
	logp := clock.LogP{Ranks: 127, Latency: 1, Overhead: 1, Gap: 9}
	o := usual(logp, 2)
	o.Until, o.Every = 30000, 100
	schedule := "crash:1@t0"
	for rank := 2; rank <= 40; rank++ {
		schedule += fmt.Sprintf(",crash:%d@t0", rank)
	}
	x := run(t, logp, o, schedule)
	x.hold(t)
	x.nobodyIsWronged(t)
	require.Equal(t, "0+41-126 (87 members, 40 changes)", x.view(126))
}

// News that come with an inquiry are most likely on their way; what has stayed news for as long as
// a view change takes is reported.
func TestHearsayIsReportedIfItStaysNews(t *testing.T) {
	for heard, reported := range map[clock.Time]clock.Time{20: 186, 200: 366} {
		logp := papers(7)
		o := usual(logp, 2)
		o.Every = 4000
		s, err := membership.New(7, o)
		require.NoError(t, err)
		got := play(t, logp, s, told{heard, 2, membership.HowAreYou, gone(6)})
		got = slices.DeleteFunc(got, func(e report.Event) bool { return e.Msg != membership.NodeFailure })
		require.NotEmpty(t, got)
		require.Equal(t, reported, got[0].Time, "heard at t=%d", heard)
	}
}

// Rank 11 has been promised to become a member by rank 10, who is alone and has to find out first,
// rank by rank, that it is the root. It must not lose patience and begin a group of its own.
func TestWhoIsPromisedMembershipWaits(t *testing.T) {
	logp := papers(12)
	o := usual(logp, 4)
	o.Members, o.Every, o.Until = 11, 5000, 90000
	o.Joins = []membership.Join{{At: 0, Rank: 11}}
	schedule := "crash:0@t0"
	for rank := 1; rank < 10; rank++ {
		schedule += fmt.Sprintf(",crash:%d@t0", rank)
	}
	x := run(t, logp, o, schedule)
	x.hold(t)
	x.nobodyIsWronged(t)
	x.everybody(t, x.view(10), 10, 11)
	for _, e := range x.Events {
		require.NotEqual(t, "found", e.Step)
	}
}

// Rank 0 comes back and is to be the root. It has heard of that from an inquiry when the report
// comes; it must begin to lead all the same, and not a group of its own.
func TestRootThatHearsOfItsAdmissionByChanceLeads(t *testing.T) {
	logp := clock.LogP{Ranks: 4, Latency: 4, Overhead: 2, Gap: 3}
	o := usual(logp, 4)
	o.Compute, o.Members, o.Every, o.Until = 4, 3, 60, 9000
	x := run(t, logp, o, "crash:0@recv2,crash:1@t141,rejoin:0@t306")
	x.hold(t)
	x.everybody(t, "0+2 (2 members, 3 changes)", 0, 2)
}

// The third life of rank 0 must not take the admission of its second one for its own, and begin
// the same view change again.
func TestAdmissionIsForOneLife(t *testing.T) {
	logp := clock.LogP{Ranks: 4, Latency: 1, Overhead: 1}
	for every, schedule := range map[clock.Time]string{
		400: "crash:0@after-send5,crash:0@t45,rejoin:0@t48,crash:1@t54,rejoin:0@t60",
		60:  "crash:0@t0,rejoin:0@t240,crash:0@before-send4,rejoin:0@t303",
	} {
		o := usual(logp, 2)
		o.Every = every
		if every == 400 {
			o.Members = 2
			o.Joins = []membership.Join{{At: 150, Rank: 2}, {At: 40, Rank: 3}}
		}
		run(t, logp, o, schedule).hold(t)
	}
}
