package membership_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// Roots 0 and 1 fail while rank 5 becomes a member, so it asks once more. It was never away: four of the
// six members that there were are left, and nobody aborts.
func TestWhoAsksOnceMoreDoesNotCountAsLost(t *testing.T) {
	o := aborting(7)
	o.Members, o.Compute, o.Every = 5, 0, 192
	o.Joins = []membership.Join{{At: 90, Rank: 5}, {At: 700, Rank: 6}}
	x := run(t, papers(7), o, "crash:0@send3,crash:1@send6")
	x.hold(t)
	require.Empty(t, x.aborted())
	x.everybody(t, "2-6 (5 members, 4 changes)", 2, 3, 4, 5, 6)
	require.Equal(t, 3, x.requests(5))
}

// requests is how often a rank has asked to become a member.
func (x outcome) requests(rank int) (number int) {
	for _, e := range x.Events {
		if e.Rank == rank && e.Step == membership.StepJoin {
			number++
		}
	}
	return number
}

// The root has told all of a new member but the member itself when it fails. Nobody has news, and nobody
// but the new member would ask the root how it is. When it asks once more it gets the view that it has missed.
func TestWhoAsksOnceMoreGetsTheViewThatItHasMissed(t *testing.T) {
	logp := papers(4)
	o := usual(logp, 4)
	o.Members, o.Joins = 3, []membership.Join{{At: 90, Rank: 3}}
	x := run(t, logp, o, "crash:0@after-send4")
	x.hold(t)
	first := x.Records()[3].Installed[0]
	require.Equal(t, membership.JoinDetAck, first.Kind)
	require.Equal(t, x.Records()[1].Installed[0].View, first.View)
	x.everybody(t, "1-3 (3 members, 2 changes)", 1, 2, 3)
}

// Timeouts are so short that new members ask once more before they have an answer. They do not know as whom they
// are members when the first view change comes, and say that they have not installed it: it is not stable.
func TestAcknowledgementMeansInstalledHoweverShortTimeoutsAre(t *testing.T) {
	logp := papers(6)
	logp.Latency = 4
	o := usual(logp, 4)
	o.Members, o.Compute, o.Timeout, o.Every, o.Until = 2, 0, 5, 40, 2000
	o.Joins = []membership.Join{{At: 80, Rank: 3}, {At: 244, Rank: 5}, {At: 80, Rank: 2}}
	x := run(t, logp, o, "none")
	x.hold(t)
	require.True(t, slices.ContainsFunc(x.Records()[0].Led, func(l membership.Led) bool { return l.Stable }))
}

// A rank fails and is back before a view change reaches it, which is about its former life. That has left, and
// the root hears it from the acknowledgement: it does not take the view for stable. The rank itself asks rank 0
// first, which is gone, so the root does not know of it otherwise.
func TestAcknowledgementOfALaterLifeSaysThatTheFormerHasLeft(t *testing.T) {
	logp := papers(7)
	o := usual(logp, 2)
	o.Compute, o.Every = 0, 192
	x := run(t, logp, o, "crash:0@t0,crash:3@t400,crash:5@t505,rejoin:5@t506")
	x.hold(t)
	x.everybody(t, "1-2+4-6 (5 members, 4 changes)", 1, 2, 4, 5, 6)
	var stable []bool
	for _, led := range x.Records()[1].Led {
		stable = append(stable, led.Stable)
	}
	require.Equal(t, []bool{true, false, true, true}, stable, "rank 0 and rank 3 have left, then the former life, and the later one has come")
}
