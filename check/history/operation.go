package history

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
)

// Operation is something that a client asked for.
type Operation[In, Out any] struct {
	Rank   int
	Life   int // which of the rank's lives it was, from 0
	Client int // of the rank's clients; 0 if there is one only
	In     In
	Out    Out // if it has returned

	Invoked  clock.Time
	Returned clock.Time // clock.Never if it is pending

	// When it began and ended, in the order of what its rank has recorded: what orders operations of one rank at one instant.
	began, ended int32
	brought      bool // from elsewhere: that order is known of one client only
}

// Pending reports whether nobody has seen the operation return. It may have taken effect or not, and may still do so.
func (o Operation[In, Out]) Pending() bool { return o.Returned == clock.Never }

// Before reports whether the operation had returned when the other one began. Of one instant nobody can say which of two ranks
// was first, for no message gets from one to the other in no time: operations of two ranks, of which one begins at the instant at which the other returns,
// are concurrent. Those of one rank are in the order in which it has recorded them.
func (o Operation[In, Out]) Before(other Operation[In, Out]) bool {
	switch {
	case o.Pending():
		return false
	case o.Returned == other.Invoked && o.Rank == other.Rank:
		return o.ended < other.began && !(o.brought && o.Client != other.Client)
	}
	return o.Returned < other.Invoked
}

// free is the operation if nothing were known about it but that somebody may have asked for it, at whatever time.
func (o Operation[In, Out]) free() Operation[In, Out] {
	o.Invoked, o.Returned = -1, clock.Never
	return o
}

// lost is the operation if nobody had seen it return.
func (o Operation[In, Out]) lost() Operation[In, Out] {
	o.Returned = clock.Never
	return o
}

// who reads like "rank 2" or "client 1 of rank 2".
func (o Operation[In, Out]) who() string {
	if o.Client != 0 {
		return fmt.Sprintf("client %d of rank %d", o.Client, o.Rank)
	}
	return fmt.Sprintf("rank %d", o.Rank)
}

// when reads like "at t=20..30", or "from t=20 on".
func (o Operation[In, Out]) when() string {
	switch {
	case o.Pending():
		return fmt.Sprintf("from t=%d on", o.Invoked)
	case o.Invoked == o.Returned:
		return fmt.Sprintf("at t=%d", o.Invoked)
	}
	return fmt.Sprintf("at t=%d..%d", o.Invoked, o.Returned)
}

// output is what came out; nil if nobody knows.
func (o *Operation[In, Out]) output() *Out {
	if o.Pending() {
		return nil
	}
	return &o.Out
}

// describe says what it was in Go's words, for those who have no model.
func describe[In, Out any](in In, out *Out) string {
	if out == nil {
		return fmt.Sprintf("%v", in)
	}
	return fmt.Sprintf("%v = %v", in, *out)
}

// mark shows it on a page.
func (o Operation[In, Out]) mark(text string, guilty bool) guarantee.Mark {
	m := guarantee.Mark{Rank: o.Rank, From: o.Invoked, To: o.Returned, Text: text, Guilty: guilty}
	if o.Pending() {
		m.To = clock.Forever
	}
	return m
}
