package membership_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// aborting is a service in which minorities abort, with enough time for all that follows.
func aborting(ranks int) membership.Options {
	o := usual(papers(ranks), 2)
	o.Abort, o.Until = true, 40000
	return o
}

// aborted lists who has aborted.
func (x outcome) aborted() (ranks []int) {
	for rank, r := range x.Records() {
		if r.Aborted {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}

// Whoever has joined counts: of sixteen, of which four were there at the start, neither half goes on.
func TestMinorityIsCountedByTheMembersThatThereAre(t *testing.T) {
	o := aborting(16)
	o.Members = 4
	for rank := 4; rank < 16; rank++ {
		o.Joins = append(o.Joins, membership.Join{At: 100, Rank: rank})
	}
	x := run(t, papers(16), o, "cut:0-7|8-15@t20000")
	require.Len(t, x.aborted(), 16, "exactly half aborts")
	x.hold(t)
	x = run(t, papers(16), o, "cut:0-6|7-15@t20000")
	require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6}, x.aborted())
	x.hold(t)
}

// Members that fail one by one leave a majority of those before them each time, whoever leads.
func TestNobodyAbortsWhileOthersFailOneByOne(t *testing.T) {
	var items []string
	for rank := range 12 {
		items = append(items, fmt.Sprintf("crash:%d@t%d", rank, 1000+3000*rank))
	}
	x := run(t, papers(16), aborting(16), strings.Join(items, ","))
	require.Empty(t, x.aborted())
	x.everybody(t, "12-15 (4 members, 12 changes)", 12, 13, 14, 15)
	x.hold(t)
}

// A partition does not become small in small steps: what it learns in several view changes counts
// against the last view that all had.
func TestLossesInSeveralViewChangesCountTogether(t *testing.T) {
	for _, cut := range []string{"cut:0-7|8-15@t1000", "cut:0-2+8-12|*@t1000", "cut:0+2+4+6+8+10+12+14|*@t1037"} {
		x := run(t, papers(16), aborting(16), cut)
		require.Len(t, x.aborted(), 16, cut)
		x.hold(t)
	}
}

// A rank that comes back has forgotten by whom it counted, and counts as another.
func TestWhoComesBackCountsAsAnother(t *testing.T) {
	x := run(t, papers(5), aborting(5), "crash:2@t100,crash:3@t100,crash:4@t100,rejoin:3@t5000,rejoin:4@t5000")
	require.Contains(t, x.aborted(), 0)
	require.Contains(t, x.aborted(), 1)
	x.hold(t)
}
