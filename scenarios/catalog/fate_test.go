package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// A partition goes on if it keeps more than half of those who agreed. It surely aborts if the others left all at once.
func TestTheFateOfAPartition(t *testing.T) {
	leaves := func(ranks ...int) (all []membership.Event) {
		for _, rank := range ranks {
			all = append(all, membership.Event{At: 10, Rank: rank})
		}
		return all
	}
	comes := func(rank int) membership.Event { return membership.Event{At: 10, Rank: rank, Comes: true} }
	later := func(rank int) membership.Event { return membership.Event{At: 11, Rank: rank} }
	early := membership.Event{At: 10, Early: 1, Rank: 2}
	for name, c := range map[string]struct {
		events []membership.Event
		want   fate
	}{
		"nobody":                         {nil, goesOn},
		"two of six":                     {leaves(0, 1), goesOn},
		"half":                           {leaves(0, 1, 2), aborts},
		"more than half":                 {leaves(0, 1, 2, 3), aborts},
		"half, one after another":        {append(leaves(0, 1), later(2)), unclear},
		"half, one perhaps before":       {append(leaves(0, 1), early), unclear},
		"half, the first of them later":  {append([]membership.Event{later(2)}, leaves(0, 1)...), unclear},
		"two who were no members":        {leaves(0, 6, 7), goesOn},
		"one twice":                      {leaves(0, 1, 1), goesOn},
		"half, and one comes":            {append(leaves(0, 1, 2), comes(6)), unclear},
		"two, and one comes":             {append(leaves(0, 1), comes(6)), goesOn},
		"two, and one comes and goes":    {append(leaves(0, 1), comes(6), later(6)), goesOn},
		"two, and two come and go":       {append(leaves(0, 1), comes(6), later(6), comes(7), later(7)), unclear},
		"two, one of whom comes back":    {append(leaves(0, 1), comes(1)), goesOn},
		"one comes back and goes again":  {append(leaves(0, 1), comes(1), later(1)), goesOn},
		"two come back and go again":     {append(leaves(0, 1), comes(1), later(1), comes(0), later(0)), unclear},
		"one who was no member and more": {append(leaves(0), comes(6), later(6), comes(6), later(6), comes(6), later(6)), goesOn},
	} {
		members := []bool{true, true, true, true, true, true, false, false}
		require.Equal(t, c.want, fateOf(membership.Unrest{From: 10, To: 20, Events: c.events}, members), name)
		require.Equal(t, []bool{true, true, true, true, true, true, false, false}, members, "as it was")
	}
}

// Somebody stays who was a member and is one after every event.
func TestWhoStaysInAnUnrest(t *testing.T) {
	for name, c := range map[string]struct {
		events []membership.Event
		want   bool
	}{
		"nothing happens":        {nil, true},
		"one leaves":             {[]membership.Event{{Rank: 0}}, true},
		"both leave":             {[]membership.Event{{Rank: 0}, {Rank: 1}}, false},
		"both leave, one is new": {[]membership.Event{{Rank: 0}, {Rank: 1}, {Rank: 2, Comes: true}}, false},
		"one comes back":         {[]membership.Event{{Rank: 0}, {Rank: 1}, {Rank: 0, Comes: true}}, false},
		"one comes who is there": {[]membership.Event{{Rank: 0}, {Rank: 1, Comes: true}}, true},
	} {
		require.Equal(t, c.want, anybodyStays(membership.Unrest{Events: c.events}, []bool{true, true, false}), name)
	}
}
