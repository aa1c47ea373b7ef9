package membership_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// plain are options with nothing but what must be said.
func plain() membership.Options {
	return membership.Options{Children: 4, Delivery: 10, Spacing: 2, Compute: 3, Until: 1000}
}

func TestNewListsEveryProblem(t *testing.T) {
	const ranks = 7
	type options = membership.Options
	for _, tt := range []struct {
		spoil func(o *options)
		want  string
	}{
		{func(o *options) { o.Children = 1 }, "1 children, want a power of two from 2 to 65536"},
		{func(o *options) { o.Children = 6 }, "6 children, want a power of two from 2 to 65536"},
		{func(o *options) { o.Children = -4 }, "-4 children, want a power of two from 2 to 65536"},
		{func(o *options) { o.Children = 1 << 17 }, "131072 children, want a power of two from 2 to 65536"},
		{func(o *options) { o.Members = 8 }, "8 members, want 1 to 7"},
		{func(o *options) { o.Members = -1 }, "-1 members, want 1 to 7"},
		{func(o *options) { o.Delivery = 0 }, "delivery = 0 ticks, want 1 to 1099511627776"},
		{func(o *options) { o.Delivery = clock.MaxCost + 1 }, "delivery = 1099511627777 ticks, want 1 to 1099511627776"},
		{func(o *options) { o.Spacing = 0 }, "spacing = 0 ticks, want 1 to 1099511627776"},
		{func(o *options) { o.Compute = -1 }, "computation = -1 ticks, want 0 to 1099511627776"},
		{func(o *options) { o.Timeout = -2 }, "timeout = -2 ticks, want 0 to 1099511627776"},
		{func(o *options) { o.Until = 0 }, "end = 0 ticks, want 1 to 1099511627776"},
		{func(o *options) { o.Inquiry, o.Every = 3, 5 }, "inquiry 3, want 0 to 2"},
		{func(o *options) { o.Inquiry = membership.Random }, "inquiries every 0 ticks, want 1 or more if there are any, else 0"},
		{func(o *options) { o.Every = 5 }, "inquiries every 5 ticks, want 1 or more if there are any, else 0"},
		{
			func(o *options) { o.Inquiry, o.Every = membership.Successor, -5 },
			"time between inquiries = -5 ticks, want 0 to 1099511627776",
		},
		{func(o *options) { o.Questions = []membership.Question{{At: 5, From: 7, To: 1}} }, "question of rank 7 to rank 1 at t=5, " + wantTwoRanks},
		{func(o *options) { o.Questions = []membership.Question{{At: 5, From: 1, To: -1}} }, "question of rank 1 to rank -1 at t=5, " + wantTwoRanks},
		{func(o *options) { o.Questions = []membership.Question{{At: 5, From: 2, To: 2}} }, "question of rank 2 to rank 2 at t=5, " + wantTwoRanks},
		{func(o *options) { o.Questions = []membership.Question{{At: -1, From: 1, To: 2}} }, "question of rank 1 to rank 2 at t=-1, " + wantTwoRanks},
		{func(o *options) { o.Members, o.Joins = 4, []membership.Join{{At: 1, Rank: 3}} }, "rank 3 joins at t=1, " + wantOthers},
		{func(o *options) { o.Members, o.Joins = 4, []membership.Join{{At: 1, Rank: 7}} }, "rank 7 joins at t=1, " + wantOthers},
		{func(o *options) { o.Members, o.Joins = 4, []membership.Join{{At: -1, Rank: 5}} }, "rank 5 joins at t=-1, " + wantOthers},
		{func(o *options) { o.Members, o.Joins = 4, []membership.Join{{Rank: 5}, {Rank: 5, At: 9}} }, "rank 5 joins twice"},
		{
			func(o *options) { *o = options{Children: 3, Members: 9, Timeout: -1, Every: 1} },
			"3 children, want a power of two from 2 to 65536; 9 members, want 1 to 7; " +
				"delivery = 0 ticks, want 1 to 1099511627776; spacing = 0 ticks, want 1 to 1099511627776; " +
				"timeout = -1 ticks, want 0 to 1099511627776; end = 0 ticks, want 1 to 1099511627776; " +
				"inquiries every 1 ticks, want 1 or more if there are any, else 0",
		},
	} {
		o := plain()
		tt.spoil(&o)
		_, err := membership.New(ranks, o)
		require.EqualError(t, err, "membership: "+tt.want)
	}
}

const (
	wantTwoRanks = "want two of ranks 0 to 6 and t=0 or later"
	wantOthers   = "want one of ranks 4 to 6, which are not members, at t=0 or later"
)

// Who joins must have been left out before.
func TestNobodyJoinsWhereAllAreMembers(t *testing.T) {
	o := plain()
	o.Joins = []membership.Join{{At: 1, Rank: 3}}
	_, err := membership.New(7, o)
	require.ErrorContains(t, err, "rank 3 joins, but all 7 ranks are members from the start")
}

func TestDefaultsAreFilledIn(t *testing.T) {
	s, err := membership.New(7, plain())
	require.NoError(t, err)
	require.Equal(t, 7, s.Options().Members)
	require.EqualValues(t, 2*10+2*3+4*(4+2)*2, s.Options().Timeout)
	require.Equal(t, membership.Group{Radix: membership.Radix{Bits: 2}, Ranks: 7, Members: 7}, *s.Group())
	require.Empty(t, s.Records(), "there is no run yet")
	s.Program()
	require.Len(t, s.Records(), 7)

	o := plain()
	o.Members, o.Timeout = 3, 5
	s, err = membership.New(7, o)
	require.NoError(t, err)
	require.Equal(t, o, s.Options(), "what is said stays")
	require.Equal(t, 3, s.Group().Members)
}

// The limits themselves are good.
func TestNewTakesWhatIsInRange(t *testing.T) {
	for _, o := range []membership.Options{
		{Children: 2, Delivery: 1, Spacing: 1, Until: 1},
		{Children: 2, Members: 7, Delivery: 1, Spacing: 1, Until: 1},
		{Children: 1 << 16, Delivery: clock.MaxCost, Spacing: clock.MaxCost, Compute: clock.MaxCost, Timeout: clock.MaxCost, Until: clock.MaxCost},
		{
			Children: 2, Members: 5, Delivery: 1, Spacing: 1, Until: 1, Inquiry: membership.Random, Every: 1,
			Questions: []membership.Question{{At: 0, From: 0, To: 6}}, Joins: []membership.Join{{At: 0, Rank: 5}, {At: 0, Rank: 6}},
		},
	} {
		_, err := membership.New(7, o)
		require.NoError(t, err)
	}
}
