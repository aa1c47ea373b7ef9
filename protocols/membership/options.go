package membership

import (
	"math/bits"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Options say how a membership service works. Times are in ticks.
type Options struct {
	// Children is how many each rank has in the tree: a power of two, 2 or more.
	Children int
	// Members are those at the start: ranks 0 to Members-1. 0: all.
	Members int
	// Delivery is the longest time from the start of a send to its delivery between any two
	// ranks, if nobody else sends: 2o+L on a uniform network.
	Delivery clock.Time
	// Spacing is the time between two sends of a rank, max(o, g).
	Spacing clock.Time
	// PerByte is what each byte of a message after the first costs in addition, G.
	PerByte clock.Time
	// Compute is what it takes to recalculate a view, O_cp.
	Compute clock.Time
	// Timeout is how long to wait for an answer, for each level of the tree that it has to
	// come up. 0: as long as it takes if nobody fails, with room for others' messages.
	Timeout clock.Time
	// Until is when the service ends.
	Until clock.Time

	// Inquiry says whom ranks ask for their state, and Every how often.
	Inquiry Inquiry
	Every   clock.Time
	// Questions are asked in addition.
	Questions []Question
	// Joins are the ranks that become members later on.
	Joins []Join
	// Stay lets a rank that was excluded though it lives stay away. Otherwise it comes back.
	Stay bool
	// Abort ends the service on ranks whose view has no more than half of the members of the last
	// view that all had, as an application does that must not go on in two partitions.
	Abort bool
}

// Inquiry is whom ranks ask for their state.
type Inquiry uint8

const (
	Nobody    Inquiry = iota
	Successor         // the next member in the list
	Random            // any other member, at random intervals
)

// Question is an inquiry at an instant.
type Question struct {
	At       clock.Time
	From, To int
}

// Join is a rank that becomes a member.
type Join struct {
	At   clock.Time
	Rank int
}

// validate lists everything wrong on a machine of so many ranks.
func (o *Options) validate(ranks int) error {
	var wrong problems.List
	wrong.Check(o.Children >= 2 && o.Children <= 1<<16 && bits.OnesCount(uint(o.Children)) == 1,
		"%d children, want a power of two from 2 to %d", o.Children, 1<<16)
	wrong.Check(o.Members >= 0 && o.Members <= ranks, "%d members, want 1 to %d", o.Members, ranks)
	for _, t := range []struct {
		name string
		at   clock.Time
		low  clock.Time
	}{
		{"delivery", o.Delivery, 1}, {"spacing", o.Spacing, 1}, {"time for a byte", o.PerByte, 0}, {"computation", o.Compute, 0},
		{"timeout", o.Timeout, 0}, {"end", o.Until, 1}, {"time between inquiries", o.Every, 0},
	} {
		problems.Range(&wrong, t.name, t.at, t.low, clock.MaxCost, "ticks")
	}
	wrong.Check(o.Inquiry <= Random, "inquiry %d, want 0 to %d", o.Inquiry, Random)
	wrong.Check((o.Inquiry == Nobody) == (o.Every == 0), "inquiries every %d ticks, want 1 or more if there are any, else 0", o.Every)
	for _, q := range o.Questions {
		known := q.From >= 0 && q.From < ranks && q.To >= 0 && q.To < ranks
		wrong.Check(known && q.From != q.To && q.At >= 0, "question of rank %d to rank %d at t=%d, want two of ranks 0 to %d and t=0 or later", q.From, q.To, q.At, ranks-1)
	}
	o.checkJoins(&wrong, ranks)
	return wrong.Err("membership")
}

// checkJoins makes sure that those join who are no members, and each of them once.
func (o *Options) checkJoins(wrong *problems.List, ranks int) {
	seen := make(map[int]bool)
	if len(o.Joins) > 0 && (o.Members == 0 || o.Members == ranks) {
		wrong.Add("rank %d joins, but all %d ranks are members from the start", o.Joins[0].Rank, ranks)
		return
	}
	for _, j := range o.Joins {
		wrong.Check(j.At >= 0 && j.Rank >= o.Members && j.Rank < ranks,
			"rank %d joins at t=%d, want one of ranks %d to %d, which are not members, at t=0 or later", j.Rank, j.At, o.Members, ranks-1)
		wrong.Check(!seen[j.Rank], "rank %d joins twice", j.Rank)
		seen[j.Rank] = true
	}
}
