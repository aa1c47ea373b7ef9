package history

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
)

// History is what the clients of a run have asked for, when, and what they were told. Each rank records into a place of its own, so ranks
// that run at the same time share nothing, and the history of a run that is repeated is the same.
type History[In, Out any] struct {
	ranks []record[In, Out]
}

// record is what one rank has recorded.
type record[In, Out any] struct {
	operations []Operation[In, Out]
	instant    int32 // how many invocations and responses there were
}

// New makes a history for so many ranks, in which nothing has happened. In and Out are what a client asks for and what it is told.
func New[In, Out any](ranks int) *History[In, Out] {
	return &History[In, Out]{make([]record[In, Out], ranks)}
}

// Of makes a history of operations that were recorded elsewhere. Those of one rank are in the order in which they began. Whether one had returned when another one
// began at the same instant is known of one client only, so those of two clients of a rank are concurrent then, as those of two ranks are. It panics if operations of one
// client are not in the order in which they began.
func Of[In, Out any](operations ...Operation[In, Out]) *History[In, Out] {
	h := &History[In, Out]{}
	last := make(map[[2]int]clock.Time) // when an operation of a client began
	for _, o := range operations {
		if o.Rank < 0 || o.Returned < o.Invoked {
			panic(fmt.Sprintf("history: an operation of rank %d from t=%d to t=%d, want a rank of 0 or more and a return not before that, clock.Never if it is pending",
				o.Rank, o.Invoked, o.Returned))
		}
		client := [2]int{o.Rank, o.Client}
		if former, met := last[client]; met && o.Invoked < former {
			panic(fmt.Sprintf("history: an operation of %s began at t=%d and is listed after one that began at t=%d, want those of one client in the order in which they began",
				o.who(), o.Invoked, former))
		}
		last[client] = o.Invoked
		for len(h.ranks) <= o.Rank {
			h.ranks = append(h.ranks, record[In, Out]{})
		}
		r := &h.ranks[o.Rank]
		o.began, o.ended, o.brought = r.instant, r.instant+1, true
		r.instant += 2
		r.operations = append(r.operations, o)
	}
	return h
}

// Reset forgets everything, for the next run: it is what Prepare of an emutest.Instance calls.
func (h *History[In, Out]) Reset() {
	for rank := range h.ranks {
		r := &h.ranks[rank]
		clear(r.operations)
		*r = record[In, Out]{operations: r.operations[:0]}
	}
}

// Call is an operation that was begun.
type Call[In, Out any] struct {
	record     *record[In, Out]
	number     int
	rank, life int // whose it is
}

// Invoke records that the rank asks for something now. The operation is pending until [Call.Return]; if that never comes, because the rank
// fails, waits for ever or has lost patience, it may have taken effect or not, or may still do so. Whoever begins another one has given up the former, which stays pending.
//
// A rank that comes back after a failure begins new operations. Those of its former lives stay as they are.
func (h *History[In, Out]) Invoke(p protocols.Proc, in In) Call[In, Out] { return h.InvokeAs(p, 0, in) }

// InvokeAs is Invoke for ranks that act for several clients: this is the one with that number. One client waits for the end of an operation
// before it begins the next one, unless it has given up.
func (h *History[In, Out]) InvokeAs(p protocols.Proc, client int, in In) Call[In, Out] {
	life, now := p.Life(), p.Now() // Life does not return if the rank has failed
	if uint(p.Rank()) >= uint(len(h.ranks)) {
		panic(fmt.Sprintf("history: an operation of rank %d, want 0 to %d", p.Rank(), len(h.ranks)-1))
	}
	r := &h.ranks[p.Rank()]
	r.operations = append(r.operations, Operation[In, Out]{
		Rank: p.Rank(), Life: life, Client: client, In: in, Invoked: now, Returned: clock.Never, began: r.instant,
	})
	r.instant++
	return Call[In, Out]{r, len(r.operations) - 1, p.Rank(), life}
}

// Return records that the operation has ended now, and what came out. An operation that has certainly had no effect, because it was refused,
// returns, too: then Out must have a way to say so, and the model to allow it.
//
// It panics if the operation is another rank's or of another life, has ended, or was given up: its client has begun another one since.
func (c Call[In, Out]) Return(p protocols.Proc, out Out) {
	life, now := p.Life(), p.Now() // Life does not return if the rank has failed: nobody has seen the operation end
	if p.Rank() != c.rank || life != c.life {
		panic(fmt.Sprintf("history: an operation of rank %d in its life %d returns at t=%d to rank %d in its life %d, want the one that has begun it", c.rank, c.life, now, p.Rank(), life))
	}
	o := &c.record.operations[c.number]
	if !o.Pending() {
		panic(fmt.Sprintf("history: an operation of rank %d returns at t=%d and again at t=%d", o.Rank, o.Returned, now))
	}
	for _, later := range c.record.operations[c.number+1:] {
		if later.Client == o.Client { // of this life, too, as this life is the last
			panic(fmt.Sprintf("history: an operation of rank %d returns at t=%d, though its client has begun another one at t=%d; ranks that act for several clients use InvokeAs",
				o.Rank, now, later.Invoked))
		}
	}
	o.Out, o.Returned, o.ended = out, now, c.record.instant
	c.record.instant++
}

// Operations returns all operations, in the order in which they began; those of one instant by rank.
func (h *History[In, Out]) Operations() []Operation[In, Out] {
	var all []Operation[In, Out]
	for rank := range h.ranks {
		all = append(all, h.ranks[rank].operations...)
	}
	slices.SortStableFunc(all, func(a, b Operation[In, Out]) int {
		return cmp.Or(cmp.Compare(a.Invoked, b.Invoked), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.began, b.began))
	})
	return all
}
