package conformance

import (
	"strconv"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// A loop of messages that all must leave: tutorial 04, and the exercise without Revoke.

var tutorialIfError = Case{
	Suite: Tutorial, Name: "04.if_error", Ranks: 10, Faults: "crash:9@step:die",
	Checks:  "who gets an error in a ring of Sendrecvs revokes, so that all others leave the loop, too; a communicator of the others is not disturbed",
	Run:     func(r *Rank) { r.ring(true) },
	Differs: withAgree,
}

var exerciseIfError = Case{
	Suite: Exercise, Name: "q04.if_error", Ranks: 10, Faults: "crash:9@step:die", Ending: Deadlocks,
	Checks:   "04 without Revoke: ranks wait for a neighbour that has left the loop",
	Run:      func(r *Rank) { r.ring(false) },
	Explored: Exploration{None: true, Why: "it is wrong with the failure that it has"},
	Differs:  withAgree,
	Wrong:    "deadlock; `Diary.Waiting` says of each rank that it is in Sendrecv, on which communicator and with whom",
}

// ring has ten rounds of messages to the right, in the fourth of which the last rank fails.
func (r *Rank) ring(revoke bool) {
	victim := r.World.Size() - 1
	colour := 0
	if r.me == victim {
		colour = -1
	}
	some, err := r.World.Split(colour, r.me)
	if !r.usable(r.World, "Split", err) {
		return
	}
	all, err := r.World.Dup()
	if !r.usable(r.World, "Dup", err) {
		return
	}
	if revoke {
		r.any(all, "Barrier", all.Barrier(), ok|failed|revoked)
	}
	me, size := all.Rank(), all.Size()
	i := 0
	for ; i < 10; i++ {
		if i == 3 && r.me == victim {
			r.die()
		}
		got, err := all.Sendrecv((me+1)%size, 0, strconv.Itoa(i), (me+size-1)%size, 0)
		r.any(all, "Sendrecv", err, ok|failed|revoked)
		if err != nil {
			if revoke {
				all.Revoke()
			}
			break
		}
		r.is("payload", got.Payload, strconv.Itoa(i))
	}
	if some == nil { // it has left the loop before it was to fail
		all.Free()
		return
	}
	first, err := r.reduce(some, 0, int64(i), ulfm.Min)
	r.mustAll(some, "Reduce", err)
	last, err := r.reduce(some, 0, int64(i), ulfm.Max)
	r.mustAll(some, "Reduce", err)
	if err == nil && some.Rank() == 0 {
		r.is("the first comes before the last", first <= last, true)
	}
	all.Free()
	some.Free()
}
